/** HTML as nodes that can do nothing to the page around them. */
import createDOMPurify from "dompurify";
import { TEX, TEX_BLOCK } from "./grammar";

const LINKS = new Set(["http:", "https:", "mailto:"]);

const TAGS = [
  ..."p br hr strong b em i del s u sub sup mark kbd code pre blockquote".split(" "),
  ..."ul ol li dl dt dd h1 h2 h3 h4 h5 h6 a img".split(" "),
  ..."table thead tbody tfoot tr th td caption details summary".split(" "),
  TEX,
  TEX_BLOCK,
];

const ATTRIBUTES = ["href", "src", "alt", "title", "align", "start", "colspan", "rowspan", "open"];

type Purifier = ReturnType<typeof createDOMPurify>;
let purifier: Purifier | undefined;

/** The nodes of some HTML, sanitised. */
export function safeNodes(html: string): DocumentFragment {
  purifier ??= makePurifier();
  const clean: DocumentFragment | null = purifier.sanitize(html, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ATTRIBUTES,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
  return clean ?? plain(html); // none where a `<frameset>` stands in for the body
}

function plain(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  fragment.append(text);
  return fragment;
}

function makePurifier(): Purifier {
  const purify = createDOMPurify(window);
  purify.addHook("afterSanitizeAttributes", (node) => {
    if (node.tagName === "A") tameLink(node);
    if (node.tagName === "IMG") tameImage(node);
  });
  return purify;
}

function tameLink(link: Element): void {
  const href = link.getAttribute("href") ?? "";
  if (URL.canParse(href) && LINKS.has(new URL(href).protocol)) {
    link.setAttribute("target", "_blank");
    link.setAttribute("rel", "noopener noreferrer");
  } else link.removeAttribute("href");
}

/** A picture from elsewhere could carry away, in its address, what the model has read. */
function tameImage(image: Element): void {
  if (/^data:image\//i.test(image.getAttribute("src") ?? "")) return;
  image.replaceWith(`[image: ${image.getAttribute("alt") || "not shown"}]`);
}
