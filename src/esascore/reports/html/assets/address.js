// The part of the address after #: the view, and what is chosen in it, so that it can be sent to others. Systems,
// categories and metrics stand there by name: numbers would mean something else in the next report.
"use strict";

esascore.address = (() => {
  function read() {
    const [view, , query] = location.hash.slice(1).match(/^([^?]*)(\?(.*))?$/s)?.slice(1) || [""];
    return { view, chosen: query === undefined ? null : new URLSearchParams(query) };
  }

  // The address of a view; what is empty is left out.
  function of(view, chosen) {
    const query = new URLSearchParams(Object.entries(chosen).filter(([, value]) => value !== "" && value !== null)).toString();
    return "#" + view + (query ? "?" + query : "");
  }

  // Change the address without a step of the browser's history, unless the reader has gone elsewhere.
  function keep(view, chosen) {
    if (read().view === view) history.replaceState(null, "", of(view, chosen));
  }

  // Names and their numbers; a name that this report does not have, as one from an older report, chooses nothing.
  const nameOf = (names, number) => (number === "" ? "" : names[Number(number)]);
  const numberOf = (names, name) => (names.includes(name) ? String(names.indexOf(name)) : "");

  return { read, of, keep, nameOf, numberOf };
})();
