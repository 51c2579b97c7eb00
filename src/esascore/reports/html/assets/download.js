// Files made from what is shown, in the page itself: nothing is asked of a server.
"use strict";

esascore.download = (() => {
  const { h } = esascore.dom;

  function save(file, type, content) {
    const address = URL.createObjectURL(new Blob([content], { type: type + ";charset=utf-8" }));
    const link = h("a", { href: address, download: file });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  }

  // As in the tables of the command line: an apostrophe before what a spreadsheet would take for a formula.
  function cell(value) {
    const text = value === null || value === undefined ? "" : String(value);
    const plain = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? "'" + text : text;
    return /[",\r\n]/.test(plain) ? '"' + plain.replaceAll('"', '""') + '"' : plain;
  }

  const csv = (rows) => rows.map((row) => row.map(cell).join(",") + "\r\n").join("");
  const json = (value) => JSON.stringify(value, null, 1) + "\n";

  // Buttons for both formats; `records` gives objects with equal fields, whose lists CSV joins with "; ".
  function buttons(file, records) {
    const flat = (value) => (Array.isArray(value) ? value.map((one) => (typeof one === "object" ? one.text : one)).join("; ") : value);
    const make = async (type) => {
      const all = await records();
      if (type === "json") return save(file + ".json", "application/json", json(all));
      const names = [...new Set(all.flatMap(Object.keys))]; // what is undefined has no interval
      return save(file + ".csv", "text/csv", csv([names, ...all.map((one) => names.map((name) => flat(one[name] ?? null)))]));
    };
    return h("span", { class: "downloads" }, "Download ", ["csv", "json"].map((type) => h("button", { type: "button", click: () => make(type), "aria-label": "Download " + type.toUpperCase() + " of " + file }, type.toUpperCase())));
  }

  return { save, buttons };
})();
