/**
 * The `_esm` of every nbagents widget: it fetches the widget's module over the comm, once a page,
 * and mounts it. It travels with each instance, so it stays under 2 kB.
 *
 * Python writes one line above the bundle, `const NBA_LIBRARIES={"name":"hash",…};`: the first name
 * is the module to mount, the others come with the package. Of a name that is not among them, a
 * renderer's, only the kernel knows the newest text: it is asked each time, told what the page has,
 * and sends the text only if that is another.
 */
import { fromKernel, importText, type Library, sharedOnPage, type WidgetModel } from "./bridge";

declare const NBA_LIBRARIES: Record<string, string>;

/** A module on its way to this page, or here. */
interface Delivery {
  asked: boolean;
  arrive(library: Library | Promise<Library>): void;
  fail(reason: Error): void;
  library: Promise<Library>;
}

/** After this long without an answer a view says so, and the request is repeated. */
const PATIENCE_MS = 3000;

function delivery(): Delivery {
  let arrive!: Delivery["arrive"];
  let fail!: Delivery["fail"];
  const library = new Promise<Library>((resolve, reject) => {
    arrive = resolve;
    fail = reject;
  });
  return { asked: false, arrive, fail, library };
}

function load(model: WidgetModel, name: string, signal: AbortSignal): Promise<Library> {
  const fixed = NBA_LIBRARIES[name];
  const expected = fixed ? sharedOnPage(`${name}@${fixed}`, delivery) : delivery();
  /** Of a name that is not fixed: what the page has, by hash. */
  const known = sharedOnPage(name, () => ({}) as Record<string, Promise<Library>>);
  let wait_ms = PATIENCE_MS;
  let timer: ReturnType<typeof setTimeout>;
  const hear = (content: unknown, buffers: readonly DataView[]) => {
    const message = fromKernel(content);
    if (message?.type !== "library" || message.name !== name) return;
    const { error, hash = "" } = message;
    if (error) expected.fail(new Error(error));
    else if (!fixed || hash === fixed) {
      if (buffers[0]) known[hash] ??= importText(buffers[0]);
      if (known[hash]) expected.arrive(known[hash]);
    }
  };
  const ask = () => {
    expected.asked = true;
    model.send({ type: "library", name, known: fixed ? undefined : Object.keys(known) });
    wait();
  };
  const wait = () => {
    timer = setTimeout(ask, wait_ms); // the one who asked may be gone, or the answer lost
    wait_ms *= 2;
  };
  const stop = () => {
    clearTimeout(timer);
    model.off("msg:custom", hear);
  };
  model.on("msg:custom", hear);
  if (expected.asked) wait();
  else ask();
  signal.addEventListener("abort", stop);
  expected.library.then(stop, stop);
  return expected.library;
}

export default () => {
  const name = Object.keys(NBA_LIBRARIES)[0] ?? "";
  let ready: Promise<{ library: Library; attached: unknown }>;
  return {
    // Not awaited: anywidget delivers no message before this returns.
    initialize({ model }: { model: WidgetModel }) {
      const end = new AbortController();
      const page = { load: (other: string) => load(model, other, end.signal) };
      ready = page.load(name).then((library) => ({
        library,
        attached: library.attach?.(model, end.signal, page),
      }));
      ready.catch(() => {}); // each view says it
      return () => end.abort();
    },
    render({ model, el }: { model: WidgetModel; el: HTMLElement }) {
      const end = new AbortController();
      const late = setTimeout(() => {
        el.textContent = "Waiting for the kernel. If it has stopped, run the cell again.";
      }, PATIENCE_MS);
      ready
        .then(({ library, attached }) => {
          if (end.signal.aborted) return;
          clearTimeout(late);
          el.textContent = "";
          library.mount?.(model, el, end.signal, attached);
        })
        .catch((reason) => {
          clearTimeout(late);
          el.textContent = `This view could not be shown: ${reason}`;
        });
      return () => {
        clearTimeout(late);
        end.abort();
      };
    },
  };
};
