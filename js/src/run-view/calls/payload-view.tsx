/** What a call gave for people to see: pictures, tables, texts, files, and what it displayed. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { isRecord } from "../../bridge";
import { Button, FoldBox, Section, sets } from "../../page";
import { Progress, poolFrom } from "../../renderers";
import { Markdown, Plain } from "../../texts";
import type { CallNode, Payload, PayloadNode } from "../../tree";
import { isOpenCall } from "../../words";
import { late, latePane } from "../late";
import {
  ChartView,
  isCustom,
  isLeftOut,
  isTable,
  type Shown,
  shownOf,
  TableView,
} from "../payloads";
import type { OfCall, RunState } from "../state";

const Code = late(({ Code }) => Code);
const Custom = late(({ Custom }) => Custom);
const Diff = late(({ Diff }) => Diff);
const Fetched = latePane(({ Fetched }) => Fetched);
const HtmlFrame = late(({ HtmlFrame }) => HtmlFrame);
const JsonTree = late(({ JsonTree }) => JsonTree);
const Log = late(({ Log }) => Log);
const Media = late(({ Media }) => Media);
const PictureDialog = late(({ PictureDialog }) => PictureDialog);
const PoolView = late(({ PoolView }) => PoolView);

/** Kinds of which the JSON says more than the view. */
const WITH_JSON = ["table", "chart"];

/** What stands below a call's row, open or not. */
export function Views({ call, state }: OfCall): JSX.Element | null {
  const isOver = !isOpenCall(call);
  const views = shownNodes(call).flatMap((node) => {
    if (isCustom(state, node)) {
      const draw = (payload: Payload) => drawn(state, { id: node.id, payload }, isOver);
      return [<Custom key={node.id} state={state} node={node} draw={draw} />];
    }
    const draw = (one: PayloadNode) => drawn(state, one, isOver);
    const view = draw(node);
    if (!view || !isLeftOut(node)) return view ? [view] : [];
    return [
      <Fetched key={node.id} {...{ state, call, node, draw }}>
        {view}
      </Fetched>,
    ];
  });
  return views.length ? <div class="nba-views">{views}</div> : null;
}

/** Payloads as JSON, but for those of which a view shows all there is. */
export function Data({ call, state }: OfCall): JSX.Element | null {
  const data = shownNodes(call).flatMap((node) => {
    const { id, payload } = node;
    const shown = shownOf(payload);
    if (shown?.type === "cut" && !shown.isView) {
      const draw = ({ payload }: PayloadNode) => <PayloadJson payload={payload} />;
      return [
        <Fetched key={id} {...{ state, call, node, draw }}>
          <Cut {...shown} />
        </Fetched>,
      ];
    }
    const isAll = !isCustom(state, node) && drawn(state, node) !== null;
    return isAll && !WITH_JSON.includes(payload.kind)
      ? []
      : [<PayloadJson key={id} payload={payload} />];
  });
  return data.length ? <Section label="Data">{data}</Section> : null;
}

function shownNodes(call: CallNode): PayloadNode[] {
  return call.payloads.filter(({ payload }) => payload.audience !== "internal");
}

function PayloadJson({ payload: { kind, value } }: { payload: Payload }): JSX.Element {
  const label = `${kind} as JSON`;
  return <FoldBox label={label}>{() => <JsonTree value={value} label={label} />}</FoldBox>;
}

/** A payload of a kind that is drawn here; `null` where it is none, or does not fit its kind. */
function drawn(state: RunState, node: PayloadNode, isOver = true): JSX.Element | null {
  const { kind, value } = node.payload;
  if (kind === "table" && isTable(value))
    return <TableView key={node.id} state={state} node={node} />;
  if (kind === "chart" && isRecord(value))
    return <ChartView key={node.id} state={state} node={node} />;
  const pool = kind === "apiPool" ? poolFrom(value) : null;
  if (pool) return <PoolView key={node.id} pool={pool} />;
  const shown = shownOf(node.payload);
  if (!shown || (shown.type === "cut" && !shown.isView)) return null;
  if (!shown.leftOut) return <View key={node.id} shown={shown} isOver={isOver} />;
  return (
    <div key={node.id}>
      <View shown={shown} isOver={isOver} />
      <p class="nba-small">{shown.leftOut}</p>
    </div>
  );
}

function View({ shown, isOver }: { shown: Shown; isOver: boolean }): JSX.Element {
  switch (shown.type) {
    case "image":
      return <Picture {...shown} />;
    case "file":
      return <File {...shown} />;
    case "media":
      return <Media {...shown} />;
    case "markdown":
      return <Markdown text={shown.text} class="nba-display" />;
    case "code":
      return <Code {...shown} />;
    case "json":
      return <JsonTree value={shown.value} />;
    case "log":
      return <Log {...shown} />;
    case "progress":
      return <Progress {...shown} isOver={isOver} />;
    case "diff":
      return <Diff {...shown} />;
    case "html":
      return <HtmlFrame {...shown} />;
    case "text":
      return <Plain text={shown.text} label="What was displayed" />;
    case "cut":
      return <Cut {...shown} />;
  }
}

type Of<T extends Shown["type"]> = Extract<Shown, { type: T }>;

function Picture({ src, alt, width }: Of<"image">): JSX.Element {
  const isLarge = useSignal(false);
  return (
    <>
      <Button
        class="nba-picture"
        aria-haspopup="dialog"
        title="Show at full size"
        onClick={sets(isLarge, true)}
      >
        <img
          src={src}
          alt={alt}
          decoding="sync" // a picture that is replaced must not flicker
          style={width === null ? "" : `max-width:min(100%,${width}px)`}
        />
      </Button>
      {isLarge.value && <PictureDialog {...{ src, alt }} onClose={sets(isLarge, false)} />}
    </>
  );
}

function File({ name, about, href }: Of<"file">): JSX.Element {
  return (
    <p class="nba-file">
      <code>{name}</code>
      {about && <span class="nba-small">{about}</span>}
      {href && (
        <a href={href} download={name}>
          Download
        </a>
      )}
    </p>
  );
}

function Cut({ words, head }: Of<"cut">): JSX.Element {
  return (
    <div>
      <p class="nba-small">{words}</p>
      {head && (
        <FoldBox label="Its beginning">{() => <Plain text={head} label="Its beginning" />}</FoldBox>
      )}
    </div>
  );
}
