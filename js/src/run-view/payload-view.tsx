/**
 * What a call gave for people to see: pictures, tables, files, and what it displayed.
 *
 * @module
 */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { Payload } from "../events";
import type { CallNode } from "../tree";
import { FoldBox } from "./fold-box";
import { type Column, type Shown, shownOf } from "./payload";
import { Section } from "./section";
import { Json, Markdown, Plain } from "./texts";
import { textSize } from "./words";

/** What stands below a call's row, open or not. */
export function Views({ call }: { call: CallNode }): JSX.Element | null {
  const views = call.payloads.flatMap(({ id, payload }) => {
    const shown = payload.audience === "internal" ? null : shownOf(payload);
    if (!shown || (shown.type === "cut" && !shown.isView)) return [];
    const { leftOut } = shown;
    return [
      <View key={id} shown={shown} />,
      leftOut && (
        <p key={`${id} left out`} class="nba-small">
          {leftOut}
        </p>
      ),
    ];
  });
  return views.length ? <div class="nba-views">{views}</div> : null;
}

/** Payloads as JSON, but for those of which a view shows all there is. */
export function Data({ call }: { call: CallNode }): JSX.Element | null {
  const data = call.payloads.flatMap(({ id, payload }) => {
    const shown = payload.audience === "internal" ? null : shownOf(payload);
    if (shown?.type === "cut" && !shown.isView) return [<Cut key={id} {...shown} />];
    if (payload.audience === "internal" || (shown && shown.type !== "table")) return [];
    return [<PayloadJson key={id} payload={payload} />];
  });
  return data.length ? <Section label="Data">{data}</Section> : null;
}

function PayloadJson({ payload: { kind, value } }: { payload: Payload }): JSX.Element {
  const label = `${kind} as JSON`;
  return <FoldBox label={label}>{() => <Json value={value} label={label} />}</FoldBox>;
}

function View({ shown }: { shown: Shown }): JSX.Element {
  switch (shown.type) {
    case "image":
      return <Picture {...shown} />;
    case "table":
      return <Table {...shown} />;
    case "file":
      return <File {...shown} />;
    case "markdown":
      return <Markdown text={shown.text} class="nba-display" />;
    case "text":
      return <Text {...shown} />;
    case "cut":
      return <Cut {...shown} />;
  }
}

type Of<T extends Shown["type"]> = Extract<Shown, { type: T }>;

function Picture({ src, alt, width }: Of<"image">): JSX.Element {
  const isLarge = useSignal(false);
  const canGrow = useSignal(false);
  return (
    <button
      type="button"
      class="nba-picture"
      aria-pressed={isLarge.value}
      disabled={!canGrow.value}
      title={canGrow.value ? (isLarge.value ? "Show smaller" : "Show larger") : undefined}
      onClick={() => {
        isLarge.value = !isLarge.value;
      }}
    >
      <img
        src={src}
        alt={alt}
        decoding="sync" // a picture that is replaced must not flicker
        style={width === null || isLarge.value ? "" : `max-width:min(100%,${width}px)`}
        onLoad={({ currentTarget: { naturalWidth, clientWidth } }) => {
          canGrow.value = isLarge.value || naturalWidth > clientWidth + 1;
        }}
      />
    </button>
  );
}

function Table({ columns, rows, size }: Of<"table">): JSX.Element {
  return (
    <div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a pane that scrolls must take the keyboard */}
      <section class="nba-table" tabIndex={0} aria-label={`Table, ${size}`}>
        <table>
          <thead>
            <tr>
              {columns.map(({ name, dtype, isNumeric }, at) => (
                <th key={at} scope="col" title={dtype || undefined} data-numeric={isNumeric}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <tr key={at}>
                {row.map((cell, place) => (
                  <Cell key={place} column={columns[place]} text={cell} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p class="nba-small">{size}</p>
    </div>
  );
}

function Cell({ column, text }: { column: Column | undefined; text: string }): JSX.Element {
  if (column?.isIndex) return <th scope="row">{text}</th>;
  return <td data-numeric={column?.isNumeric}>{text}</td>;
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

function Text({ text, html }: Of<"text">): JSX.Element {
  return (
    <div>
      {text && <Plain text={text} label="What was displayed" />}
      {html && (
        <FoldBox label={`HTML that is not shown as a page, ${textSize(html)}`}>
          {() => <Plain text={html} label="HTML as it was written" />}
        </FoldBox>
      )}
    </div>
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
