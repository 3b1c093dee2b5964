/**
 * What keeps a chart inside its box: no address is fetched, no code is made from text, nothing of
 * the page around it is heard or changed.
 */
import {
  type Config,
  type Loader,
  type RenderModule,
  renderModule,
  type Spec,
  SVGRenderer,
} from "vega";
import { isRecord } from "../bridge";

/** Colours that are addresses, also where they are written with escapes. */
const FETCHES = /\\|url|image/i;
/** What a control may say of itself: its other attributes could fetch, or run, something. */
const CONTROL = ["input", "name", "debounce", "min", "max", "step", "options", "labels"];
const INPUTS = ["checkbox", "color", "date", "month", "number", "radio", "range"].concat([
  "search",
  "select",
  "text",
  "time",
  "week",
]);
/** What a chart hears of the page around it: enough to follow a drag that leaves it. */
const EVENTS: NonNullable<Config["events"]> = {
  bind: "container",
  selector: false,
  timer: false,
  window: ["mousemove", "mouseup", "pointermove", "pointerup", "touchmove", "touchend"],
};

class InertRenderer extends SVGRenderer {
  /** The whole is one picture with a name, so that its parts have none. */
  override mark(el: SVGElement, scene: { aria?: boolean }, ...others: unknown[]): SVGElement {
    scene.aria = false;
    return super.mark(el, scene, ...others);
  }

  override style(el: SVGElement, item: unknown): void {
    if (isRecord(item)) {
      for (const name of ["fill", "stroke"]) {
        const colour = item[name];
        if (typeof colour === "string" && FETCHES.test(colour)) item[name] = null;
      }
    }
    super.style(el, item);
  }
}

/** Have charts drawn without colours that are addresses. */
export function useInertRenderer(): void {
  const module: RenderModule = renderModule("svg");
  renderModule("svg", { ...module, renderer: InertRenderer });
}

/** A loader that fetches nothing, and tells what it was asked for. */
export function refusingLoader(refused: (address: string) => void): Loader {
  const refuse = (address: string) => {
    refused(String(address));
    return Promise.reject(new Error("Charts fetch nothing."));
  };
  // A link is answered with no address instead: vega waits for one, and then there is no link.
  const sanitize = (address: string, { context }: { context?: string } = {}) => {
    if (context !== "href") return refuse(address);
    refused(String(address));
    return Promise.resolve(Object.create(null));
  };
  return { load: refuse, sanitize, http: refuse, file: refuse };
}

/** The compiled chart without what reaches beyond its box. */
export function confined(spec: Spec): Spec {
  const config = isRecord(spec.config) ? spec.config : {};
  tame(spec);
  return { ...spec, config: { ...config, events: EVENTS } };
}

/** Clean the controls of a chart and of the groups in it. */
function tame(group: unknown): void {
  if (!isRecord(group)) return;
  for (const signal of Array.isArray(group.signals) ? group.signals : []) {
    if (isRecord(signal) && signal.bind !== undefined) signal.bind = control(signal.bind);
  }
  for (const mark of Array.isArray(group.marks) ? group.marks : []) tame(mark);
}

function control(bind: unknown): Record<string, unknown> | undefined {
  if (!isRecord(bind) || typeof bind.input !== "string" || !INPUTS.includes(bind.input)) return;
  const said = CONTROL.filter((name) => Object.hasOwn(bind, name));
  return Object.fromEntries(said.map((name) => [name, bind[name]]));
}
