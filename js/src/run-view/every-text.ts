/**
 * Every text that the run view draws goes through the escaper, wherever it stands: nothing that a model or
 * a tool wrote acts unseen, and a name that could pass for another shows its code points.
 */
import { options } from "preact";
import { visible, visibleName } from "../visible-text";

/** What is text beside the texts: of controls, what they hold stays as it is. */
const SPOKEN = ["title", "aria-label", "placeholder", "alt"];
/** In these stand the names of tools, agents and parameters. */
const NAMES = new Set(["code", "strong", "dt"]);

/** A node as it is made: that of a text has no type, and the text in place of its properties. */
interface Made {
  type: unknown;
  props: string | Record<string, unknown>;
}

const before = options.vnode;
options.vnode = (vnode) => {
  before?.(vnode);
  show(vnode as unknown as Made);
};

function show(vnode: Made): void {
  const { type, props } = vnode;
  if (typeof props === "string") {
    vnode.props = visible(props);
    return;
  }
  if (typeof type !== "string") return;
  for (const name of SPOKEN) {
    const said = props[name];
    if (typeof said === "string") props[name] = visible(said);
  }
  if (NAMES.has(type) && typeof props.children === "string")
    props.children = visibleName(props.children);
}
