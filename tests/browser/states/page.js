/* What the tests of states do inside a page: show one, wait until it stands still, and measure it. */
window.states = (() => {
  const QUIET = 6;
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const root = () => document.querySelector(".shown");
  const all = () => [...window.judge.elements(root())];

  /** When nothing has changed for some frames, and nothing more is on its way. */
  async function settled(waits) {
    let quiet = 0;
    const watching = new MutationObserver(() => {
      quiet = 0;
    });
    watching.observe(document.body, { subtree: true, childList: true, attributes: true });
    for (let at = 0; quiet < QUIET && at < 1200; at++) {
      const isThere = !waits || root().querySelector(waits);
      const isLoaded = all().every((el) => el.localName !== "img" || el.complete);
      quiet = window.view.loading() === 0 && isThere && isLoaded ? quiet + 1 : 0;
      await frame();
    }
    watching.disconnect();
    if (quiet < QUIET) throw new Error(`It does not stand still, or lacks ${waits}`);
  }

  const CLOSED = "[aria-expanded=false]:not(:disabled), details:not([open]) > summary";

  /** Open what says that it opens, and what that brings. */
  async function openAll(waits) {
    for (let round = 0; round < 10; round++) {
      const closed = all().filter((el) => el.matches(CLOSED));
      for (const el of closed) el.click();
      await settled(waits);
      if (closed.length === 0) return;
    }
  }

  async function show(told, width) {
    window.view.clear();
    const el = document.body.appendChild(document.createElement("div"));
    el.className = "shown";
    el.style.cssText = `width: ${width}px; padding: 8px 0; zoom: ${told.zoom}`;
    if (told.zoom !== 1) el.style.width = `${width / told.zoom}px`;
    if (told.how === "html") el.innerHTML = told.value;
    else window.view[told.how](told.value, el);
    await settled(told.waits);
    for (const opens of told.opens) {
      if (opens === "*") {
        await openAll(told.waits);
        continue;
      }
      const found = root().querySelector(opens);
      if (!found) throw new Error(`There is no ${opens} to click`);
      found.click();
      await settled(told.waits);
    }
  }

  /** Be a host of this theme; views hear of the system's at the next frame. */
  async function theme(name) {
    const [host, shade] = name.split("-");
    const isLab = host === "lab";
    document.documentElement.dataset.host = name;
    document.documentElement.dataset.canvas = shade ?? "light";
    if (isLab) document.body.dataset.jpThemeLight = String(shade === "light");
    else delete document.body.dataset.jpThemeLight;
    await frame();
    await frame();
  }

  // --- what is seen

  const isSeen = (el) => {
    const { width, height } = el.getBoundingClientRect();
    const asks = { visibilityProperty: true, opacityProperty: true };
    return width > 1 && height > 1 && el.checkVisibility(asks) && !el.closest(".nba-spoken");
  };
  const words = (el) =>
    [...el.childNodes]
      .filter((one) => one.nodeType === Node.TEXT_NODE)
      .map((one) => one.data)
      .join(" ")
      .trim();
  const CLEAR = "#00000000";

  /** `rgb(…)` and `color(srgb …)` as `#rrggbb`, with `aa` where it is not opaque. */
  function hex(said) {
    const [r = 0, g = 0, b = 0, alpha = 1] = said.match(/-?[\d.]+(e-\d+)?/g)?.map(Number) ?? [];
    const scale = said.startsWith("color") ? 255 : 1;
    const parts = [r * scale, g * scale, b * scale, ...(alpha < 1 ? [alpha * 255] : [])];
    return `#${parts.map((one) => Math.round(one).toString(16).padStart(2, "0")).join("")}`;
  }

  const isPainted = (style) =>
    hex(style.backgroundColor) !== CLEAR ||
    (style.borderTopStyle !== "none" && style.borderTopWidth !== "0px");
  const OWN = "button, input, select, textarea, svg, img, canvas, iframe, summary, table";
  const nameOf = (el) => {
    const own = [...el.classList].find((one) => one.startsWith("nba-"))?.slice(4);
    if (own) return own;
    const near = el.parentElement?.closest("[class*='nba-']");
    const inside = near && [...near.classList].find((one) => one.startsWith("nba-"))?.slice(4);
    return inside ? `${inside} ${el.localName}` : el.localName;
  };
  const isInDrawing = (el) => el.parentElement?.closest("svg, .leaflet-pane");
  const shown = () =>
    all().filter((el) => isSeen(el) && !isInDrawing(el) && !["style", "tbody"].includes(el.localName));

  /** Where everything stands that has words, paint or a use; of many alike the first ones. */
  function boxes() {
    const from = root().getBoundingClientRect();
    const found = { all: `${Math.round(from.width)} × ${Math.round(from.height)}` };
    const many = new Map();
    for (const el of shown()) {
      const said = words(el).replace(/\s+/g, " ");
      if (!said && !el.matches(OWN) && !isPainted(getComputedStyle(el))) continue;
      const name = nameOf(el);
      const nth = (many.get(name) ?? 0) + 1;
      many.set(name, nth);
      if (nth > 4) continue;
      const { left, top, width, height } = el.getBoundingClientRect();
      const [x, y, w, h] = [left - from.left, top - from.top, width, height].map(Math.round);
      const label = `${name}${nth > 1 ? ` ${nth}` : ""}${said ? ` “${said.slice(0, 24)}”` : ""}`;
      found[label] = `${x}, ${y}: ${w} × ${h}`;
    }
    for (const [name, count] of many) if (count > 4) found[`all ${name}`] = `${count} of them`;
    return found;
  }

  /** By name of element: the colours of its text, its ground and its border. */
  function colours() {
    const found = {};
    for (const el of shown()) {
      const style = getComputedStyle(el);
      const said = [];
      if (words(el)) said.push(hex(style.color));
      if (hex(style.backgroundColor) !== CLEAR) said.push(`on ${hex(style.backgroundColor)}`);
      if (parseFloat(style.borderTopWidth) && style.borderTopStyle !== "none")
        said.push(`in ${hex(style.borderTopColor)}`);
      if (said.length) (found[nameOf(el)] ??= new Set()).add(said.join(" "));
    }
    return Object.fromEntries(Object.entries(found).map(([name, all]) => [name, [...all].sort()]));
  }

  // --- what must not be

  const channel = (one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
  const bytes = (code) => [1, 3, 5].map((at) => Number.parseInt(code.slice(at, at + 2), 16));
  const alphaOf = (code) => (code.length > 7 ? Number.parseInt(code.slice(7), 16) / 255 : 1);
  const over = (top, below, alpha) => top.map((one, at) => one * alpha + below[at] * (1 - alpha));
  const light = (rgb) => {
    const [r, g, b] = rgb.map((one) => channel(one / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };

  const parentOf = (el) => el.parentElement ?? el.getRootNode().host ?? null;

  /** The colour behind an element's words; nothing where a picture is. */
  function ground(el) {
    const layers = [];
    for (let at = el; at; at = parentOf(at)) {
      const style = getComputedStyle(at);
      if (style.backgroundImage !== "none") return null;
      const code = hex(style.backgroundColor);
      layers.push([bytes(code), alphaOf(code)]);
      if (alphaOf(code) === 1) break;
    }
    const isDark = document.documentElement.dataset.canvas === "dark";
    const canvas = isDark ? [18, 18, 18] : [255, 255, 255];
    return layers.reverse().reduce((below, [top, alpha]) => over(top, below, alpha), canvas);
  }

  function opacity(el) {
    let found = 1;
    for (let at = el; at; at = parentOf(at)) found *= Number(getComputedStyle(at).opacity);
    return found;
  }

  /** Words that are too faint: less than 4.5, or 3 where they are large or a sign beside words. */
  function faint() {
    const found = [];
    for (const el of shown()) {
      const said = words(el);
      const below = said && !el.closest(":disabled, [aria-disabled=true]") && ground(el);
      if (!below) continue;
      const style = getComputedStyle(el);
      const code = hex(style.color);
      const ink = over(bytes(code), below, alphaOf(code) * opacity(el));
      const [low, high] = [light(ink), light(below)].sort((a, b) => a - b);
      const ratio = (high + 0.05) / (low + 0.05);
      const size = parseFloat(style.fontSize);
      const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      const isSign = !/[\p{L}\p{N}]/u.test(said);
      if (ratio < (isLarge || isSign ? 3 : 4.5))
        found.push(`${nameOf(el)} “${said.slice(0, 24)}” has contrast ${ratio.toFixed(2)}`);
    }
    return [...new Set(found)];
  }

  const HIDES = /hidden|clip|auto|scroll/;
  /** Whether one can scroll to all of an element, or dots say that there is more. */
  const isReached = (el) => {
    for (let at = parentOf(el); at && at !== root(); at = parentOf(at)) {
      const { overflowX, textOverflow } = getComputedStyle(at);
      if (/auto|scroll/.test(overflowX) || textOverflow === "ellipsis") return true;
    }
    return Boolean(el.closest(".leaflet-container, .nba-chart-place"));
  };

  /** What stands outside of the page, is cut without saying so, or lies over other words. */
  function misplaced() {
    const found = [];
    const { left, right } = root().getBoundingClientRect();
    for (const el of shown()) {
      const box = el.getBoundingClientRect();
      const style = getComputedStyle(el);
      const name = `${nameOf(el)} “${words(el).slice(0, 24)}”`;
      if (!words(el) && !el.matches(OWN)) continue;
      if ((box.right > right + 1 || box.left < left - 1) && !isReached(el))
        found.push(`${name} stands outside: ${Math.round(box.left - left)} to ${Math.round(box.right - left)} px`);
      const runsOut = style.overflowX === "visible" && el.scrollWidth > el.clientWidth + 8;
      if (words(el) && runsOut && el.clientWidth && !isReached(el))
        found.push(`${name} runs out of its box by ${el.scrollWidth - el.clientWidth} px`);
      const isCut = /hidden|clip/.test(style.overflowX) && el.scrollWidth > el.clientWidth + 1;
      if (words(el) && isCut && style.textOverflow !== "ellipsis") found.push(`${name} is cut`);
    }
    return [...new Set([...found, ...overlaps()])];
  }

  function* lines() {
    for (const el of shown()) {
      if (el.closest(".leaflet-container, [class*='vega']")) continue;
      for (const one of el.childNodes) {
        if (one.nodeType !== Node.TEXT_NODE || !one.data.trim()) continue;
        const range = document.createRange();
        range.selectNodeContents(one);
        for (const box of clipped(range.getClientRects(), el)) yield { el, box, said: one.data.trim() };
      }
    }
  }

  /** The parts of boxes that no ancestor hides. */
  function clipped(rects, el) {
    let [left, top, right, bottom] = [-1e6, -1e6, 1e6, 1e6];
    for (let at = el; at && at !== root(); at = parentOf(at)) {
      if (!HIDES.test(getComputedStyle(at).overflowX)) continue;
      const box = at.getBoundingClientRect();
      [left, top] = [Math.max(left, box.left), Math.max(top, box.top)];
      [right, bottom] = [Math.min(right, box.right), Math.min(bottom, box.bottom)];
    }
    const cut = [...rects].map((one) => ({
      left: Math.max(one.left, left),
      right: Math.min(one.right, right),
      top: Math.max(one.top, top),
      bottom: Math.min(one.bottom, bottom),
    }));
    return cut.filter((one) => one.right - one.left > 1 && one.bottom - one.top > 1);
  }

  function overlaps() {
    const found = [];
    const seen = [...lines()].sort((a, b) => a.box.top - b.box.top);
    for (const [at, one] of seen.entries()) {
      for (const other of seen.slice(at + 1)) {
        if (other.box.top >= one.box.bottom - 3) break;
        const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
        const down = Math.min(one.box.bottom, other.box.bottom) - other.box.top;
        if (across > 2 && down > 3 && one.el !== other.el)
          found.push(`“${one.said.slice(0, 20)}” and “${other.said.slice(0, 20)}” overlap`);
      }
    }
    return found;
  }

  /** Characters that the font of the tests may lack. */
  const letters = () => [...new Set(shown().map((el) => words(el)).join(""))].sort().join("");

  return { show, theme, boxes, colours, faint, misplaced, letters, root, shown };
})();
