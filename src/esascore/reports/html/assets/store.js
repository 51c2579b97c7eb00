// Data: loads parts when they are asked for, from blocks in this page or from scripts beside it.
"use strict";

esascore.store = (() => {
  const NAME = /^(?:overview|index|(?:texts|details|scores)-\d+)$/;
  const nonce = document.currentScript && document.currentScript.nonce;
  const loaded = new Map();
  const waiting = new Map();
  // Where browsers have trusted types, these addresses are the only ones that scripts may come from.
  const policy = window.trustedTypes
    ? window.trustedTypes.createPolicy("esascore", { createScriptURL: address })
    : { createScriptURL: address };

  function address(name) {
    if (!NAME.test(name)) throw new TypeError("no such part of the data");
    return "data/" + name + ".js";
  }

  // Called by the scripts in data/.
  function receive(name, value) {
    loaded.set(name, value);
  }

  function load(name) {
    if (loaded.has(name)) return Promise.resolve(loaded.get(name));
    if (!waiting.has(name)) waiting.set(name, fetched(name).finally(() => waiting.delete(name)));
    return waiting.get(name);
  }

  function fetched(name) {
    const block = document.getElementById("data-" + name);
    if (block) {
      loaded.set(name, JSON.parse(block.textContent));
      return Promise.resolve(loaded.get(name));
    }
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      if (nonce) script.nonce = nonce;
      script.src = policy.createScriptURL(name);
      script.onload = () => (loaded.has(name) ? resolve(loaded.get(name)) : reject(lost(name)));
      script.onerror = () => reject(lost(name));
      document.head.append(script);
    });
  }

  function lost(name) {
    return new Error("A part of this report is missing: data/" + name + ".js. Keep its folder together.");
  }

  // Number of the part that holds an input, given where the parts begin.
  function partOf(starts, place) {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle] <= place) low = middle;
      else high = middle;
    }
    return low;
  }

  // Everything about one input: its details, and the texts of all systems.
  async function example(overview, place) {
    const textPart = partOf(overview.texts, place);
    const detailPart = partOf(overview.details, place);
    const [texts, details] = await Promise.all([load("texts-" + textPart), load("details-" + detailPart)]);
    return {
      place,
      detail: details[place - overview.details[detailPart]],
      texts: texts.map((column) => column[place - overview.texts[textPart]]),
    };
  }

  // All texts of all systems, for searching: per system one array, in small letters.
  let lowered = null;
  async function searchable(overview) {
    if (lowered) return lowered;
    const parts = await Promise.all(overview.texts.map((_, part) => load("texts-" + part)));
    lowered = overview.systems.map((_, system) =>
      parts.flatMap((part) => part[system].map((text) => text.toLowerCase())),
    );
    return lowered;
  }

  return { load, receive, example, searchable };
})();
