/** What vega exports and its types leave out. */
import type { Renderer, RenderModule } from "vega-typings";

declare module "vega-typings" {
  /** Draws a scene as SVG elements. */
  class SVGRenderer extends Renderer {
    /** Set an element's colours, strokes and opacity. */
    style(el: SVGElement, item: unknown): void;
    /** Draw the marks of one kind, and what is in them. */
    mark(el: SVGElement, scene: { aria?: boolean }, ...others: unknown[]): SVGElement;
  }
  /** Read how one kind of renderer is made. */
  function renderModule(name: string): RenderModule;
}
