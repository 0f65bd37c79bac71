// Doubtful cells of a photographed sheet: a click or a digit sets the reading into its field and goes to the next cell.
(function () {
  "use strict";

  function choose(button) {
    var doubt = button.closest("[data-ply]");
    var fields = document.querySelectorAll("[data-move-grid] input[name='m']");
    var field = fields[Number(doubt.dataset.ply) - 1];
    if (!field) return;
    field.value = button.dataset.reading;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    doubt.querySelectorAll("[data-reading]").forEach(function (other) {
      other.setAttribute("aria-pressed", String(other === button));
    });
    var all = Array.prototype.slice.call(document.querySelectorAll("[data-ply]"));
    var next = all[all.indexOf(doubt) + 1];
    var first = next && next.querySelector("[data-reading]");
    if (first) first.focus();
  }

  function start() {
    document.addEventListener("click", function (event) {
      var button = event.target.closest("[data-reading]");
      if (button) choose(button);
    });
    document.addEventListener("keydown", function (event) {
      var doubt = event.target.closest && event.target.closest("[data-ply]");
      if (!doubt || !/^[1-9]$/.test(event.key) || event.ctrlKey || event.altKey || event.metaKey) return;
      var button = doubt.querySelectorAll("[data-reading]")[Number(event.key) - 1];
      if (!button) return;
      event.preventDefault();
      choose(button);
    });
  }

  start();
})();
