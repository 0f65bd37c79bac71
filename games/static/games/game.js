// Steps through a game without going back to the server. Without this script every button is a link to its ply.
(function () {
  "use strict";

  var board = window.draughtsBoard;

  function setUp(game) {
    var source = game.querySelector("[data-line]");
    if (!source || game.dataset.ready) return;
    game.dataset.ready = "yes";
    var line = JSON.parse(source.textContent);
    var figure = game.querySelector("[data-board]");
    var svg = figure.querySelector("svg");
    var ply = Number(figure.dataset.ply);
    var flipped = "flipped" in figure.dataset;
    var last = line.positions.length - 1;

    function moveTexts() {
      var now = game.querySelector("[data-move-now]");
      var chosen = game.querySelector("ol.moves a[data-to='" + ply + "']");
      game.querySelectorAll("ol.moves a[aria-current]").forEach(function (link) { link.removeAttribute("aria-current"); });
      if (chosen) {
        chosen.setAttribute("aria-current", "true");
        now.textContent = chosen.closest("li").querySelector(".n").textContent + " " + chosen.textContent;
        var list = chosen.closest("ol");
        if (list.scrollHeight > list.clientHeight) chosen.scrollIntoView({ block: "nearest" });
      } else {
        now.textContent = game.dataset.start;
      }
    }

    function facts() {
      var turn = game.querySelector("[data-to-move]");
      turn.textContent = line.turns[ply] === "W" ? turn.dataset.white : turn.dataset.black;
      game.querySelectorAll("[data-counter]").forEach(function (element) {
        var value = line.counters[ply][Number(element.dataset.counter)];
        element.textContent = value === null ? "–" : String(value);
      });
      game.querySelectorAll("[data-pieces]").forEach(function (element) {
        var squares = [];
        line.positions[ply].split("").forEach(function (sign, index) {
          if (sign === element.dataset.pieces) squares.push(index + 1);
        });
        element.textContent = squares.join(", ") || "–";
      });
    }

    function address() {
      var query = new URLSearchParams(window.location.search);
      query.set("ply", String(ply));
      if (flipped) query.set("flip", "1"); else query.delete("flip");
      window.history.replaceState(null, "", "?" + query.toString());
    }

    function show(next) {
      ply = Math.max(0, Math.min(last, next));
      board.drawPieces(svg, line.positions[ply], flipped);
      board.drawMarks(svg, line.marked[ply], line.taken[ply], flipped);
      moveTexts();
      facts();
      var ends = { first: ply === 0, back: ply === 0, on: ply === last, last: ply === last };
      game.querySelectorAll("[data-step]").forEach(function (button) {
        if (ends[button.dataset.step]) button.setAttribute("aria-disabled", "true"); else button.removeAttribute("aria-disabled");
      });
      address();
    }

    function step(kind) {
      show({ first: 0, back: ply - 1, on: ply + 1, last: last }[kind]);
    }

    game.addEventListener("click", function (event) {
      var link = event.target.closest("[data-step], [data-to], [data-flip]");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      if (link.dataset.step) {
        step(link.dataset.step);
      } else if ("flip" in link.dataset) {
        flipped = !flipped;
        board.drawNumbers(svg, flipped);
        show(ply);
      } else {
        show(Number(link.dataset.to));
      }
    });

    document.addEventListener("keydown", function (event) {
      if (event.altKey || event.ctrlKey || event.metaKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
      var kind = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" }[event.key];
      if (!kind) return;
      event.preventDefault();
      step(kind);
    });

    var from = null;
    svg.addEventListener("pointerdown", function (event) { from = event.clientX; });
    svg.addEventListener("pointerup", function (event) {
      if (from === null) return;
      var way = event.clientX - from;
      from = null;
      if (Math.abs(way) > 30) step(way > 0 ? "back" : "on");
      else {
        var box = svg.getBoundingClientRect();
        step(event.clientX < box.left + box.width / 2 ? "back" : "on");
      }
    });
  }

  function all() { document.querySelectorAll("[data-game]").forEach(setUp); }

  document.addEventListener("DOMContentLoaded", all);
  document.addEventListener("htmx:afterSwap", all);
  if (document.readyState !== "loading") all();
})();
