/**
 * The one escaper: what would act unseen, look blank, or pass for something else is written out. The twin
 * of `nbagents/runs/wording/visible_text.py`, which says how; both pass `tests/fixtures/visible.json`.
 */

const UNSEEN = String.raw`\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{DI}\p{NChar}\0-\x08\x0b-\x1f\x7f-\x9f\u2800`;
const SPACES = String.raw`\xa0\u1680\u2000-\u200a\u202f\u205f\u3000`;
const EMOJI = String.raw`\xa9\xae\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u27bf\u2900-\u2bff\u3030\u303d\u3297\u3299\u{1f000}-\u{1faff}`;
const ONE = String.raw`[${EMOJI}][\ufe0e\ufe0f]?[\u{1f3fb}-\u{1f3ff}]?`;
const TAGS = ["gbeng", "gbsct", "gbwls"].map((of) =>
  [...of].map((one) => String.fromCodePoint(0xe0000 + (one.codePointAt(0) ?? 0))).join(""),
);
const JOINED = String.raw`[\u0620-\u06d3\u06fa-\u06ff\u0750-\u077f\u08a0-\u08c7\u0900-\u0dff]`;
const LEGITIMATE = String.raw`\u{1f3f4}(?:${TAGS.join("|")})\u{e007f}|${ONE}(?:\u200d${ONE})*|[0-9#*]\ufe0f\u20e3|${JOINED}[\u200c\u200d](?=${JOINED})`;
const NO_BASE = String.raw`[\0-\/:-@\[-\x60\{-\x7f${SPACES}]`;
const MARK = String.raw`(?:(?![${UNSEEN}])[\p{Mn}\p{Me}])`;

const LATIN = String.raw`\xc0-\xd6\xd8-\xf6\xf8-\u0130\u0134-\u0137\u0139-\u013e\u0141-\u0148\u014a-\u017e\u1e02-\u1e99\u1ea0-\u1ef9`;
const CJK = String.raw`\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3`;
const BESIDE = String.raw`\u2014\u201c\u201d\xab\xbb\u200d\ufe0e\ufe0f\u231a-\u23ff\u25a0-\u27bf\u2b00-\u2bff\u{1f000}-\u{1f0ff}\u{1f1e6}-\u{1faff}`;
const SCRIPTS = [
  String.raw`\u0370-\u03ff\u1f00-\u1fff`,
  String.raw`\u0400-\u052f`,
  String.raw`\u0530-\u058f`,
  String.raw`\u0590-\u05ff`,
  String.raw`\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff\u200c`,
  ...Array.from({ length: 10 }, (_, at) => {
    const [from, to] = [0x900 + 0x80 * at, 0x97f + 0x80 * at];
    return String.raw`\u{${from.toString(16)}}-\u{${to.toString(16)}}\u200c`;
  }),
  String.raw`\u0e00-\u0e7f`,
  String.raw`\u0e80-\u0eff`,
  String.raw`\u0f00-\u0fff`,
  String.raw`\u1000-\u109f`,
  String.raw`\u10d0-\u10ff`,
  String.raw`\u1200-\u137f`,
  String.raw`\u1780-\u17ff`,
];
/** Letters and digits that look like those of ASCII. */
const LOOK_ALIKES =
  "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαγικνορσυϲϳЅІЈАВЕКМНОРСТУХЬаеорсухѕіјѵҮүһӏԁԌԚԛԜԝԱԼՍՏՕագզհոսցքօוחטןסاه٠١٥۰۱۵";

const USUAL = new RegExp(`^[ -~${LATIN}${CJK}${BESIDE}]*$`, "u");
const OTHERS = SCRIPTS.map(
  (one) => new RegExp(String.raw`^[ -@\[-\x60\{-~${BESIDE}${one}]*$`, "u"),
);
const PRINTABLE = /^[ -~]*$/;
const WRITTEN: Record<string, string> = { "\n": "\\n", "\t": "\\t", "\r": "\\r" };

const IN_PROSE = pattern("");
const IN_VALUES = pattern(SPACES);
const IN_LINES = pattern(String.raw`${SPACES}\t\n`);

function pattern(more: string): RegExp {
  const rest = `(^|${NO_BASE})(${MARK}+)|(${MARK}{6})(${MARK}+)`;
  return new RegExp(`(${LEGITIMATE})|([${UNSEEN}${more}]${MARK}*)|${rest}`, "gu");
}

/** Prose, with what would act unseen written out by its code point, e.g. `\x1b`, `\u202e`. */
export function visible(text: string): string {
  return writtenOut(text.includes("\r") ? text.replaceAll("\r\n", "\n") : text, IN_PROSE);
}

/** A value: also the spaces that only look like one are written out. */
export function exact(text: string): string {
  return writtenOut(text, IN_VALUES);
}

/** A value on one line: also the ends of lines, and tabs. */
export function plain(text: string): string {
  return writtenOut(text, IN_LINES);
}

/** A name on one line; one that could pass for another shows its code points: `p\u0430y`. */
export function visibleName(name: string): string {
  const shown = plain(name);
  if (PRINTABLE.test(shown) || isOfOneScript(shown)) return shown;
  return [...shown].map((one) => (PRINTABLE.test(one) ? one : codePoint(one))).join("");
}

function isOfOneScript(name: string): boolean {
  if (USUAL.test(name)) return true;
  if (!OTHERS.some((one) => one.test(name))) return false;
  return [...name].some(
    (one) => /[^\0-\x7f]/.test(one) && /\p{L}/u.test(one) && !LOOK_ALIKES.includes(one),
  );
}

function writtenOut(text: string, unseen: RegExp): string {
  if (PRINTABLE.test(text)) return text;
  return text.replace(
    unseen,
    (_, kept = "", wrong = "", on = "", marks = "", most = "", rest = "") => {
      return kept + on + most + [...(wrong + marks + rest)].map(codePoint).join("");
    },
  );
}

function codePoint(one: string): string {
  const code = one.codePointAt(0) ?? 0;
  const [mark, digits] = code < 0x100 ? ["x", 2] : code < 0x10000 ? ["u", 4] : ["U", 8];
  return WRITTEN[one] ?? `\\${mark}${code.toString(16).padStart(Number(digits), "0")}`;
}
