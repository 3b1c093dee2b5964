"""What the page is asked: which words are in sight, and how long until it stands still."""

from __future__ import annotations

__all__ = ["IN_SIGHT", "QUIET"]

IN_SIGHT = r"""() => {
  const words = [];
  const isIn = box => box.width > 0 && box.bottom > 0 && box.top < innerHeight
    && box.right > 0 && box.left < innerWidth;
  const isOnTop = (root, element, box) => {
    const x = box.left + Math.min(2, box.width / 2);
    const asked = element.style.pointerEvents;
    element.style.pointerEvents = "auto";  // else a tooltip is looked through
    const hit = root.elementFromPoint(x, (box.top + box.bottom) / 2);
    element.style.pointerEvents = asked;
    return hit && (hit === element || element.contains(hit) || hit.contains(element));
  };
  const read = (root, node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    if (!isIn(range.getBoundingClientRect())) return;
    let from = 0;
    for (const line of node.data.split("\n")) {
      range.setStart(node, from);
      range.setEnd(node, from + line.length);
      if (line && isIn(range.getBoundingClientRect())) {
        for (const word of line.matchAll(/\S+/g)) {
          range.setStart(node, from + word.index);
          range.setEnd(node, from + word.index + word[0].length);
          const box = range.getBoundingClientRect();
          if (isIn(box) && isOnTop(root, node.parentElement, box)) words.push(word[0]);
        }
      }
      from += line.length + 1;
    }
  };
  const visit = root => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.nodeType === Node.ELEMENT_NODE) { if (node.shadowRoot) visit(node.shadowRoot); }
      else if (node.data.trim() && node.parentElement?.checkVisibility({visibilityProperty: true}))
        read(root.elementFromPoint ? root : document, node);
    }
  };
  visit(document.body);
  for (const box of document.querySelectorAll("input, textarea"))
    if (box.value && isIn(box.getBoundingClientRect())) words.push(box.value);
  return words.join(" ");
}"""
"""The words on the page that a person can see now: within the window and under nothing else."""

QUIET = """most => new Promise(done => {
  const began = performance.now();
  let last = began;
  const watch = new MutationObserver(() => { last = performance.now(); });
  const whole = {subtree: true, childList: true, characterData: true, attributes: true};
  watch.observe(document.body, whole);
  const timer = setInterval(() => {
    const now = performance.now();
    if (now - last < 250 && now - began < most) return;
    clearInterval(timer);
    watch.disconnect();
    done((last - began) / 1000);
  }, 50);
})"""
"""Seconds until the page stood still."""
