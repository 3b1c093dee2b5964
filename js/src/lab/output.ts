/** One output: first what was saved, and in its place the live view wherever there is one. */
import { catchFocus, giveFocus, keepFocus } from "../page";
import type { MimeModel, NotebookPanel, Packages, Panel, Renderer, RenderMime } from "./host";
import { keepLive, mayLive } from "./live-view";

/** Where an output is drawn. */
interface Place {
  rendermime: RenderMime;
  lumino: Packages["@lumino/widgets"];
  /** The notebook around it; elsewhere there may be none. */
  panel: NotebookPanel | null;
}

/** Draws what a model has saved into an element, until the signal; throws where it cannot. */
export type DrawSaved = (model: MimeModel, el: HTMLElement, signal: AbortSignal) => Promise<void>;

/** So long the saved form waits for the live view, so that a new run does not flicker. */
const LIVE_SOON_MS = 600;
/** And so long where a kernel is there, before it is taken not to know the run. */
const LIVE_LATE_MS = 3000;
const WAITING = "Still running when it was saved: asking the kernel how it goes…";
const ELSE = ["text/html", "text/markdown", "text/plain"];

export function makeOutput(place: Place, drawSaved: DrawSaved): Renderer {
  const output = new place.lumino.Panel();
  output.addClass("nba-output");
  output.node.tabIndex = -1; // keeps the focus between a live view and what is saved of it
  catchFocus(output.node); // a manager may take a view away before it tells the view
  let end = new AbortController();
  const renderModel = async (model: MimeModel): Promise<void> => {
    const before = end;
    const leaving = [...output.node.children];
    end = new AbortController();
    const view = new View(output, place, end.signal);
    await view.show(model, drawSaved);
    for (const one of leaving) keepFocus(one, output.node); // not from the next view: it may have it already
    before.abort(); // what stood there goes when something else stands: nothing jumps
    giveFocus(output.node);
  };
  output.disposed.connect(() => end.abort());
  return Object.assign(output, { renderModel });
}

/** One showing of a model, until the signal. */
class View {
  readonly #output: Panel;
  readonly #saved: Panel;
  readonly #place: Place;
  readonly #signal: AbortSignal;
  #isDrawn = false;

  constructor(output: Panel, place: Place, signal: AbortSignal) {
    this.#output = output;
    this.#saved = new place.lumino.Panel();
    this.#place = place;
    this.#signal = signal;
    output.addWidget(this.#saved);
    signal.addEventListener("abort", () => this.#saved.dispose());
  }

  async show(model: MimeModel, drawSaved: DrawSaved): Promise<void> {
    const draw = () => this.#draw(model, drawSaved);
    if (!mayLive(model)) return draw();
    const { rendermime, panel } = this.#place;
    await new Promise<void>((done) => {
      let late = setTimeout(() => {
        if (!panel?.sessionContext.session?.kernel) return void draw().then(done);
        this.#saved.node.textContent = WAITING; // a kernel is there, which may know the run
        late = setTimeout(draw, LIVE_LATE_MS);
        done();
      }, LIVE_SOON_MS);
      const told = (isLive: boolean) => {
        clearTimeout(late);
        if (isLive) this.#saved.hide();
        else this.#saved.show();
        (isLive ? Promise.resolve() : draw()).then(() => {
          giveFocus(this.#output.node);
          done();
        });
      };
      keepLive({ rendermime, model, box: this.#output, panel, tell: told, signal: this.#signal });
      this.#signal.addEventListener("abort", () => {
        clearTimeout(late);
        done();
      });
    });
  }

  /** Draw the saved form, once. */
  async #draw(model: MimeModel, drawSaved: DrawSaved): Promise<void> {
    if (this.#isDrawn || this.#signal.aborted) return;
    this.#isDrawn = true;
    this.#saved.node.textContent = "";
    try {
      await drawSaved(model, this.#saved.node, this.#signal);
    } catch (reason) {
      console.warn("nbagents: the output is shown in its other form.", reason);
      await this.#drawOther(model);
    }
  }

  /** The notebook's HTML or text, as JupyterLab shows it without us. */
  async #drawOther(model: MimeModel): Promise<void> {
    this.#saved.node.textContent = "";
    const mime = ELSE.find((one) => one in model.data && this.#place.rendermime.getFactory(one));
    if (this.#signal.aborted) return;
    if (!mime) {
      this.#saved.node.textContent = "This output was saved by another version of nbagents.";
      return;
    }
    const other = this.#place.rendermime.createRenderer(mime);
    this.#saved.addWidget(other);
    await other.renderModel(model);
  }
}
