/**
 * What a page tells a kernel of its notebook: where it is, and the recording where the kernel cannot
 * see the folder.
 */
import { isRecord } from "../../bridge";
import type { JsonValue } from "../../tree";
import type { Comm, Contents, NotebookPanel } from "../host";

/** As `nbagents/recordings/embedding.py` writes it. */
const EMBEDDED = "embedded";
const BESIDE = "beside";
const ENDING = /\.ipynb$/i;
const RECORDING = ".recording.jsonl";
/** So many characters go in one message: servers close a socket on one of 10 MB. */
const PIECE = 400_000;

/** Whether a character of two halves would be cut here: no message can carry a half. */
function isWithinPair(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}

/** One conversation with a kernel. */
export class Talk {
  readonly #comm: Comm;
  readonly #panel: NotebookPanel;
  readonly #contents: Contents;
  readonly #root: string;
  /** What of each text was handed over last. */
  readonly #given = new Map<string, string>();
  #giving = Promise.resolve();

  constructor(comm: Comm, panel: NotebookPanel, contents: Contents, root: string) {
    this.#comm = comm;
    this.#panel = panel;
    this.#contents = contents;
    this.#root = root;
    comm.onMsg = ({ content }) => {
      const data = isRecord(content) && isRecord(content.data) ? content.data : {};
      const { wants } = data;
      if (!Array.isArray(wants)) return;
      // One after the other: the kernel puts pieces together as they come.
      this.#giving = this.#giving.then(() => this.#handOver(wants)).catch(console.warn);
    };
  }

  /** Say where the notebook is. */
  tell(): void {
    const { path } = this.#panel.context;
    const drive = this.#contents.driveName(path);
    this.#send({
      notebook: {
        path: this.#contents.localPath(path),
        // Of a drive that is none of the server's folders a kernel sees no file.
        root: drive === "" || drive === "RTC" ? this.#root : null,
        [EMBEDDED]: this.#embedded() !== null,
      },
    });
  }

  /** Hand over what a kernel wants that sees no file. */
  async #handOver(wants: readonly unknown[]): Promise<void> {
    for (const of of wants) {
      if (of === EMBEDDED) this.#give(of, this.#embedded(), this.#embedded() ?? "");
      if (of === BESIDE) await this.#giveBeside();
    }
  }

  async #giveBeside(): Promise<void> {
    const path = this.#panel.context.path.replace(ENDING, "") + RECORDING;
    try {
      const { last_modified } = await this.#contents.get(path, { content: false });
      const mark = `${path} ${last_modified}`;
      const isKnown = this.#given.get(BESIDE) === mark;
      const file = isKnown
        ? null
        : await this.#contents.get(path, { content: true, type: "file", format: "text" });
      this.#give(BESIDE, typeof file?.content === "string" ? file.content : null, mark);
    } catch {
      this.#give(BESIDE, null, ""); // there is none
    }
  }

  /** Give a text in pieces, unless the kernel has it. */
  #give(of: string, text: string | null, mark: string): void {
    const isKnown = mark !== "" && this.#given.get(of) === mark;
    this.#given.set(of, mark);
    if (isKnown) this.#send({ text: { of, is_known: true } });
    else if (text === null) this.#send({ text: { of, is_there: false } });
    else this.#givePieces(of, text);
  }

  #givePieces(of: string, text: string): void {
    let at = 0;
    do {
      const end = Math.min(at + PIECE, text.length) + (isWithinPair(text, at + PIECE) ? 1 : 0);
      const piece = text.slice(at, end);
      this.#send({ text: { of, at, piece, is_last: end >= text.length } });
      at = end;
    } while (at < text.length);
  }

  /** The recording that is in the notebook. */
  #embedded(): string | null {
    const metadata = this.#panel.content.model?.sharedModel.metadata ?? {};
    const ours = metadata.nbagents;
    const kept = isRecord(ours) && isRecord(ours.recording) ? ours.recording.lines : null;
    return Array.isArray(kept) ? kept.join("") : null;
  }

  #send(data: JsonValue): void {
    if (this.#comm.isDisposed) return;
    try {
      this.#comm.send(data);
    } catch (reason) {
      console.warn("nbagents: the kernel was not told of its notebook.", reason);
    }
  }
}
