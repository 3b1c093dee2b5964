/**
 * The `_esm` of every nbagents widget: it fetches the widget's module over the comm, once a page,
 * and mounts it. It travels with each instance, so it stays under 2 kB.
 *
 * Python writes one line above the bundle, `const NBA_LIBRARIES={"name":"hash",…};`: the first name
 * is the module to mount, the others are those it may ask for.
 *
 * @module
 */
import { fromKernel, importText, type Library, sharedOnPage, type WidgetModel } from "./bridge";

declare const NBA_LIBRARIES: Record<string, string>;

/** A module on its way to this page, or here. */
interface Delivery {
  asked: boolean;
  arrive(text: DataView): void;
  fail(reason: Error): void;
  library: Promise<Library>;
}

/** After this long without an answer a view says so, and the request is repeated. */
const PATIENCE_MS = 3000;

function delivery(key: string): Delivery {
  return sharedOnPage(key, () => {
    let arrive!: Delivery["arrive"];
    let fail!: Delivery["fail"];
    const text = new Promise<DataView>((resolve, reject) => {
      arrive = resolve;
      fail = reject;
    });
    return { asked: false, arrive, fail, library: text.then(importText) };
  });
}

function load(model: WidgetModel, name: string, signal: AbortSignal): Promise<Library> {
  const expected = delivery(`${name}@${NBA_LIBRARIES[name]}`);
  let wait_ms = PATIENCE_MS;
  let timer: ReturnType<typeof setTimeout>;
  const hear = (content: unknown, buffers: readonly DataView[]) => {
    const message = fromKernel(content);
    if (message?.type !== "library" || message.name !== name) return;
    if (message.error) expected.fail(new Error(message.error));
    else if (message.hash === NBA_LIBRARIES[name] && buffers[0]) expected.arrive(buffers[0]);
  };
  const ask = () => {
    expected.asked = true;
    model.send({ type: "library", name });
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
