// Elements and text. Everything shown goes through here: strings become text nodes, never markup.
"use strict";

const esascore = {};

esascore.dom = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  // Control, separator, bidirectional and tag characters, which would hide, break or reorder their surroundings.
  const UNSAFE =
    /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\u{e0000}-\u{e007f}]/gu;

  function code(character) {
    return "U+" + character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
  }

  // A string for attributes and options: unsafe characters by their code.
  function safe(text) {
    return String(text).replace(UNSAFE, (character) => "[" + code(character) + "]");
  }

  // A string as nodes: unsafe characters as small boxes that show their code. In running text, line breaks break
  // lines; elsewhere a name could use them to look like another line.
  function nodes(text, lines = false) {
    const parts = [];
    let last = 0;
    for (const match of String(text).matchAll(UNSAFE)) {
      if (lines && (match[0] === "\n" || (match[0] === "\r" && text[match.index + 1] === "\n"))) continue;
      if (match.index > last) parts.push(document.createTextNode(text.slice(last, match.index)));
      const box = document.createElement("span");
      box.className = "control";
      box.textContent = code(match[0]);
      parts.push(box);
      last = match.index + match[0].length;
    }
    if (last < text.length) parts.push(document.createTextNode(String(text).slice(last)));
    return parts;
  }

  function fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value === null || value === undefined || value === false) continue;
      if (typeof value === "function") element.addEventListener(name, value);
      else if (name === "value" || name === "selected" || name === "checked") element[name] = value;
      else element.setAttribute(name, value === true ? "" : safe(value));
    }
    for (const child of children.flat(Infinity)) {
      if (child === null || child === undefined || child === false) continue;
      element.append(...(child instanceof Node ? [child] : nodes(String(child))));
    }
    return element;
  }

  // h("p", {class: "x", click: handler}, child, ...): an element; strings are data.
  function h(tag, attributes, ...children) {
    return fill(document.createElement(tag), attributes, children);
  }

  function svg(tag, attributes, ...children) {
    return fill(document.createElementNS(SVG, tag), attributes, children);
  }

  // A name that someone else chose: isolated, so that its direction stays its own.
  function name(text, more) {
    return h("bdi", { dir: "auto", ...more }, text);
  }

  // A term of the input; a link if, and only if, it is an address of the web.
  function term(text) {
    if (!/^https?:\/\/[^\s]+$/i.test(text)) return name(text);
    return h("a", { href: text, rel: "noopener noreferrer nofollow", target: "_blank" }, name(text));
  }

  function select(id, label, options, chosen, changed) {
    const list = h(
      "select",
      { id, change: (event) => changed(event.target.value) },
      options.map(([value, shown]) => h("option", { value: String(value) }, safe(shown))),
    );
    list.value = String(chosen);
    return h("div", { class: "field" }, h("label", { for: id }, label), list);
  }

  // A box that scrolls sideways and shows on which side there is more: by a fading edge and in words.
  function scroller(label, ...content) {
    const box = h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": label }, content);
    const hint = h("p", { class: "more", "aria-hidden": "true", hidden: true }, "Scroll sideways for more \u2192");
    const update = () => {
      const left = Math.abs(box.scrollLeft);
      const rest = box.scrollWidth - box.clientWidth - left;
      box.classList.toggle("before", left > 1);
      box.classList.toggle("after", rest > 1);
      hint.hidden = rest <= 1 && left <= 1;
    };
    box.addEventListener("scroll", update, { passive: true });
    new ResizeObserver(update).observe(box);
    return h("div", { class: "scroller" }, hint, box);
  }

  function number(value, digits = 3) {
    return value === null || value === undefined ? "–" : value.toFixed(digits);
  }

  function percent(value) {
    return value === null || value === undefined ? "–" : (100 * value).toFixed(1) + " %";
  }

  return { h, svg, name, term, nodes, safe, select, scroller, number, percent };
})();
