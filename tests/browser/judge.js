/* What the safety tests do inside a page: open everything, and look for what should not be there. */
window.judge = (() => {
  const PICTURE = /^data:image\/(png|jpeg|gif|webp|svg\+xml)[;,]/i;
  const RAW = /^data:application\/octet-stream;base64,/i;
  const LINK = /^(https?:|mailto:)/i;
  const FORBIDDEN = new Set(
    `script object embed applet base meta link form frame frameset portal noscript template xmp
     plaintext noembed noframes marquee isindex math foreignobject animate set use feimage dialog
     video audio source track picture param`.split(/\s+/),
  );
  const ADDRESSES = new Set(
    `href xlink:href src srcset action formaction data poster background ping cite longdesc
     manifest dynsrc lowsrc`.split(/\s+/),
  );
  const OUTSIDE = /evil\.example|javascript:|expression\(|url\(/i;

  /** All elements in `root`, those of shadow trees too. */
  function* elements(root) {
    for (const el of root.querySelectorAll("*")) {
      yield el;
      if (el.shadowRoot) yield* elements(el.shadowRoot);
    }
  }

  function address(el, name, value) {
    const tag = el.localName;
    const plain = value.replace(/[\u0000-\u0020]/g, "");
    if (plain === "" || plain.startsWith("#")) return true;
    if (tag === "img" && name === "src") return PICTURE.test(plain);
    if (tag === "image" && el.closest("svg")) return PICTURE.test(plain);
    if (tag === "a" && name === "href" && el.hasAttribute("download"))
      return RAW.test(plain) || plain.startsWith("blob:");
    if (tag === "a" && (name === "href" || name === "xlink:href")) return LINK.test(plain);
    return false;
  }

  function frameFaults(el) {
    const allowed = el.getAttribute("sandbox")?.split(/\s+/).filter(Boolean);
    if (!allowed) return ["a frame without sandbox"];
    if (allowed.some((one) => /^allow-(scripts|same-origin|top-nav|forms|popups|modals)/.test(one)))
      return [`a frame with sandbox="${allowed.join(" ")}"`];
    if (el.hasAttribute("src")) return ["a frame with src"];
    return el.srcdoc.includes(`content="default-src 'none'`) ? [] : ["a frame that may fetch"];
  }

  /** The controls of a chart; they are sent nowhere. */
  const isControls = (el) => el.className === "vega-bindings" && el.attributes.length === 1;

  /** The rules of a saved run: a link that holds them, fetches nothing and says nothing else. */
  const isOwnSheet = (el) =>
    el.localName === "link" &&
    el.getAttribute("rel") === "stylesheet" &&
    /^data:text\/css,\.nba-frozen/.test(el.getAttribute("href").trim()) &&
    !/url\(|@import|image-set|src\(|evil|\\/i.test(el.getAttribute("href")) &&
    el.attributes.length === 2;

  function* faultsOf(el) {
    const tag = el.localName;
    if (isOwnSheet(el)) return;
    if (FORBIDDEN.has(tag) && !isControls(el)) yield `<${tag}>`;
    if (tag === "iframe") yield* frameFaults(el);
    if (tag === "style" && OUTSIDE.test(el.textContent)) yield "a style that fetches";
    for (const { name, value } of el.attributes) {
      if (/^on/i.test(name)) yield `${tag} ${name}`;
      if (ADDRESSES.has(name.toLowerCase()) && !address(el, name.toLowerCase(), value))
        yield `${tag} ${name}=${value.slice(0, 60)}`;
      if (name === "style" && OUTSIDE.test(value)) yield `${tag} style=${value.slice(0, 80)}`;
      if (/^[^\w:@-]|["'<>=]/.test(name)) yield `${tag} has an attribute ${name}`;
    }
    if (tag === "a" && el.getAttribute("target") && !/\bnoopener\b/.test(el.rel))
      yield "a link to another tab without rel=noopener";
    if (el.id && el.id in Object.prototype) yield `${tag} is called ${el.id}`;
    if (/xss|nba$|^(window|documentElement|MathJax|f)$/.test(el.id)) yield `${tag} id=${el.id}`;
    if (el.hasAttribute("name") && tag !== "iframe") yield `${tag} name=${el.getAttribute("name")}`;
  }

  /** What stands in `root` that could run, fetch or pretend. */
  function faults(root) {
    const found = new Map();
    for (const el of elements(root))
      for (const fault of faultsOf(el)) found.set(fault, (found.get(fault) ?? 0) + 1);
    for (const key of Object.getOwnPropertyNames(Object.prototype))
      if (key === "polluted") found.set("Object.prototype was changed", 1);
    return [...found].slice(0, 20).map(([fault, many]) => `${fault} (${many} times)`);
  }

  /** When the page has drawn, and what follows on that has begun. */
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 20)));

  function closed(root) {
    const found = [];
    for (const el of elements(root)) {
      if (el.getAttribute("aria-expanded") === "false" && !el.disabled) found.push(el);
      if (el.localName === "details" && !el.open) found.push(el.querySelector("summary") ?? el);
    }
    return found;
  }

  const STAYS =
    /full ?screen|stop|copy|save|csv|re-?run|show cell|show this step|make|fork|compare/i;

  /** Buttons that show more without saying that they open something. */
  function more(root, pressed) {
    const found = [];
    for (const el of elements(root)) {
      const isButton = el.localName === "button" || el.getAttribute("role") === "tab";
      if (!isButton || el.hasAttribute("aria-expanded") || el.disabled || pressed.has(el)) continue;
      if (!STAYS.test(el.textContent + el.title + el.ariaLabel)) found.push(el);
    }
    return found;
  }

  /** So many turns of the page in which nothing opens and nothing comes: then all is there. */
  const QUIET = 5;
  /** Whatever is closed again so often by being clicked stays closed. */
  const CLICKS = 30;

  /**
   * Open all that opens, until nothing is closed and no more comes. How many were opened. Long
   * lists are drawn some rows in each frame, so that nothing is closed for now says little.
   */
  async function openAll(root) {
    let opened = 0;
    let size = 0;
    const pressed = new Map();
    for (let quiet = 0; quiet < QUIET; quiet++) {
      const next = [...closed(root), ...more(root, pressed)];
      const now = [...elements(root)].length;
      if (next.length || now !== size) quiet = -1;
      size = now;
      for (const el of next) {
        pressed.set(el, (pressed.get(el) ?? 0) + 1);
        if (pressed.get(el) > CLICKS) throw new Error(`This stays closed: ${el.outerHTML.slice(0, 120)}`);
        el.click();
      }
      opened += next.length;
      await frame();
    }
    return opened;
  }

  const HEARS = "a[href], [title], canvas, th, .nba-stage *, .nba-chart *, .nba-map *";

  /** Point at everything that may listen. */
  function touch(root) {
    for (const el of elements(root)) {
      if (!el.matches(HEARS)) continue;
      for (const type of ["mouseover", "mousemove"])
        el.dispatchEvent(new MouseEvent(type, { bubbles: true, composed: true }));
    }
  }

  return { faults, openAll, touch, elements };
})();
