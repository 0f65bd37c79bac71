// Typing a scoresheet: only as many empty rows as needed, Enter goes to the next field. Without it all rows are shown.
(function () {
  "use strict";

  function inputs(grid) { return Array.prototype.slice.call(grid.querySelectorAll("input[name='m']")); }

  function trim(grid) {
    var all = inputs(grid);
    var filled = 0;
    all.forEach(function (input, index) { if (input.value.trim()) filled = index + 1; });
    var rows = Math.floor(filled / 2) + 2;
    Array.prototype.slice.call(grid.querySelectorAll(".n")).forEach(function (label, row) {
      var shown = row < rows;
      label.hidden = !shown;
      all[2 * row].hidden = !shown;
      all[2 * row + 1].hidden = !shown;
    });
    if (filled > all.length - 4) grow(grid, all.length / 2 + 1);
  }

  function grow(grid, number) {
    var label = document.createElement("span");
    label.className = "n";
    label.textContent = number + ".";
    grid.appendChild(label);
    var last = inputs(grid).slice(-2);
    last.forEach(function (input) {
      var copy = input.cloneNode(false);
      copy.value = "";
      copy.className = "";
      copy.removeAttribute("aria-invalid");
      copy.setAttribute("aria-label", copy.getAttribute("aria-label").replace(/\d+/, String(number)));
      grid.appendChild(copy);
    });
  }

  function set(grid) {
    if (!grid || grid.dataset.ready) return;
    grid.dataset.ready = "yes";
    trim(grid);
    grid.addEventListener("input", function () { trim(grid); });
    grid.addEventListener("keydown", function (event) {
      if (event.key !== "Enter" || event.target.name !== "m") return;
      event.preventDefault();
      var all = inputs(grid).filter(function (input) { return !input.hidden; });
      var next = all[all.indexOf(event.target) + 1];
      if (next) next.focus();
    });
  }

  function setAll() {
    document.querySelectorAll("[data-move-grid]").forEach(set);
    document.querySelectorAll(".no-js").forEach(function (element) { element.hidden = true; });
  }

  document.addEventListener("DOMContentLoaded", setAll);
  document.addEventListener("htmx:load", setAll);
  if (document.readyState !== "loading") setAll();
})();
