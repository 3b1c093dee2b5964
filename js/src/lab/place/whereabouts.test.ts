import { expect, test } from "vitest";
import type { JsonValue } from "../../tree";
import type { Application, Comm, NotebookPanel } from "../host";
import { tellPlace } from "./whereabouts";

/** A signal that a test gives. */
class Given<Args> {
  readonly #slots: ((sender: unknown, args: Args) => void)[] = [];
  connect = (slot: (sender: unknown, args: Args) => void) => this.#slots.push(slot) > 0;
  disconnect = () => true;
  give(args: Args): void {
    for (const slot of this.#slots) slot(null, args);
  }
}

interface Files {
  [path: string]: { content: string; last_modified: string };
}

/** A notebook with a kernel, and what the kernel was told. */
class FakePlace {
  readonly told: JsonValue[] = [];
  readonly paths = new Given<string>();
  readonly saves = new Given<string>();
  readonly kernels = new Given<unknown>();
  readonly metadata: Record<string, JsonValue | undefined> = {};
  readonly read: string[] = [];
  /** Conversations that the kernel had open before the page came. */
  open: string[] = [];
  path = "lessons/one.ipynb";
  #hear: (comm: Comm) => void = () => {};
  #comm: Comm | null = null;
  #kernel = this.#newKernel();

  constructor(readonly files: Files = {}) {}

  async show(root = "~/course"): Promise<this> {
    const context = {
      ready: Promise.resolve(),
      pathChanged: this.paths,
      saveState: this.saves,
    };
    const session = {};
    Object.defineProperty(context, "path", { get: () => this.path });
    Object.defineProperty(session, "kernel", { get: () => this.#kernel });
    const panel = {
      content: { model: { sharedModel: { metadata: this.metadata } } },
      context,
      sessionContext: { session, kernelChanged: this.kernels },
    };
    const contents = {
      driveName: (path: string) => (path.includes(":") ? (path.split(":")[0] ?? "") : ""),
      localPath: (path: string) => path.replace(/^\w+:/, ""),
      get: (path: string, { content }: { content: boolean }) => {
        if (content) this.read.push(path);
        const file = this.files[path];
        return file ? Promise.resolve(file) : Promise.reject(new Error("404"));
      },
    };
    const app = { serviceManager: { contents } };
    // @ts-expect-error: only these members of an application and a panel are used
    const [application, whole]: [Application, NotebookPanel] = [app, panel];
    tellPlace(application, whole, root);
    await settled();
    return this;
  }

  #newKernel() {
    return {
      createComm: (_: string, id?: string) => this.#newComm(id),
      hasComm: () => false,
      registerCommTarget: (_: string, hear: (comm: Comm) => void) => {
        this.#hear = hear;
      },
      requestCommInfo: async () => ({
        header: { msg_type: "comm_info_reply" },
        content: { comms: Object.fromEntries(this.open.map((id) => [id, {}])) },
      }),
    };
  }

  #newComm(id = "new"): Comm {
    const comm: Comm = {
      onMsg: () => {},
      onClose: () => {},
      send: (data) => this.told.push(data),
      close: () => {},
      open: () => {},
    };
    this.#comm = comm;
    this.open.push(id);
    return comm;
  }

  /** The kernel loads nbagents, and asks. */
  async ask(): Promise<void> {
    this.#hear(this.#newComm());
    await settled();
  }

  async want(...wants: string[]): Promise<void> {
    this.#comm?.onMsg({ header: { msg_type: "comm_msg" }, content: { data: { wants } } });
    await settled();
  }

  async change(): Promise<void> {
    this.#kernel = this.#newKernel();
    this.open = [];
    this.kernels.give(null);
    await settled();
  }
}

const settled = () => new Promise((resolve) => setTimeout(resolve));
const where = (path: string, root: string | null = "~/course", embedded = false) => ({
  notebook: { path, root, embedded },
});

test("a kernel that asks is told the notebook's path in the server's folders", async () => {
  const place = await new FakePlace().show();
  expect(place.told).toEqual([]);
  await place.ask();
  expect(place.told).toEqual([where("lessons/one.ipynb")]);
});

test("a page that comes later finds the conversation that the kernel has open", async () => {
  const place = new FakePlace();
  place.open = ["talk"];
  await place.show();
  expect(place.told).toEqual([where("lessons/one.ipynb")]);
});

test("a rename, a save and another kernel are told", async () => {
  const place = await new FakePlace().show();
  await place.ask();
  place.path = "lessons/two.ipynb";
  place.paths.give(place.path);
  place.metadata.nbagents = { recording: { lines: ["{}\n"] } };
  place.saves.give("started");
  place.saves.give("completed");
  await place.change();
  expect(place.told).toHaveLength(3);
  await place.ask();
  expect(place.told.slice(1)).toEqual([
    where("lessons/two.ipynb"),
    where("lessons/two.ipynb", "~/course", true),
    where("lessons/two.ipynb", "~/course", true),
  ]);
});

test("of a drive that is no folder of the server no root is told", async () => {
  const place = new FakePlace();
  place.path = "Cloud:one.ipynb";
  await (await place.show()).ask();
  expect(place.told).toEqual([where("one.ipynb", null)]);
});

test("what a kernel wants that sees no file is handed over, once", async () => {
  const beside = { content: '{"a": 1}\n', last_modified: "today" };
  const place = await new FakePlace({ "lessons/one.recording.jsonl": beside }).show();
  place.metadata.nbagents = { recording: { lines: ["first\n", "second\n"] } };
  await place.ask();
  place.told.length = 0;
  await place.want("embedded", "beside");
  await place.want("embedded", "beside");
  expect(place.told).toEqual([
    { text: { of: "embedded", at: 0, piece: "first\nsecond\n", is_last: true } },
    { text: { of: "beside", at: 0, piece: '{"a": 1}\n', is_last: true } },
    { text: { of: "embedded", is_known: true } },
    { text: { of: "beside", is_known: true } },
  ]);
  expect(place.read).toHaveLength(1);
});

test("what there is not is said to be not there", async () => {
  const place = await new FakePlace().show();
  await place.ask();
  await place.want("embedded", "beside");
  expect(place.told.slice(1)).toEqual([
    { text: { of: "embedded", is_there: false } },
    { text: { of: "beside", is_there: false } },
  ]);
});

test("a long text goes in pieces, none of which ends within a character", async () => {
  const text = "x".repeat(399_999) + "😀".repeat(300_000);
  const file = { content: text, last_modified: "today" };
  const place = await new FakePlace({ "lessons/one.recording.jsonl": file }).show();
  await place.ask();
  place.told.length = 0;
  await place.want("beside");
  const pieces = place.told.map((one) => (one as { text: { piece: string } }).text.piece);
  expect(pieces.length).toBeGreaterThan(2);
  expect(pieces.some((piece) => /[\ud800-\udbff]$/.test(piece))).toBe(false);
  expect(pieces.join("")).toBe(text);
});
