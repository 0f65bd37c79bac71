// Steps through a game without going back to the server. Without this script every button is a link to its ply.
(function () {
  "use strict";

  var NS = "http://www.w3.org/2000/svg";
  var COLOURS = { w: "white", W: "white", b: "black", B: "black" };

  function cell(square, flipped) {
    var row = Math.floor((square - 1) / 5);
    var column = 2 * ((square - 1) % 5) + (1 - (row % 2));
    return flipped ? [9 - column, 9 - row] : [column, row];
  }

  function make(name, attributes, parent) {
    var element = document.createElementNS(NS, name);
    Object.keys(attributes).forEach(function (key) { element.setAttribute(key, attributes[key]); });
    parent.appendChild(element);
    return element;
  }

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

    function group(name) { return svg.querySelector("g." + name); }

    function empty(element) { while (element.firstChild) element.removeChild(element.firstChild); }

    function drawPieces() {
      var pieces = group("pieces");
      empty(pieces);
      line.positions[ply].split("").forEach(function (sign, index) {
        if (sign === ".") return;
        var at = cell(index + 1, flipped);
        var x = at[0] * 10 + 5;
        var y = at[1] * 10 + 5;
        var piece = make("g", { "class": COLOURS[sign] }, pieces);
        make("circle", { cx: x, cy: y, r: 3.8 }, piece);
        make("circle", { "class": "ring", cx: x, cy: y, r: 2.9 }, piece);
        if (sign === sign.toUpperCase()) {
          make("path", { "class": "crown", d: "M" + (x - 2.2) + " " + (y + 1.6) + "v-3l1.3 1.3 0.9-2 0.9 2 1.3-1.3v3z" }, piece);
        }
      });
    }

    function drawMarks() {
      var marks = group("marks");
      var taken = group("taken");
      empty(marks);
      empty(taken);
      line.marked[ply].forEach(function (square) {
        var at = cell(square, flipped);
        make("rect", { x: at[0] * 10 + 0.6, y: at[1] * 10 + 0.6, width: 8.8, height: 8.8 }, marks);
      });
      line.taken[ply].forEach(function (square) {
        var at = cell(square, flipped);
        make("path", { d: "M" + (at[0] * 10 + 2.5) + " " + (at[1] * 10 + 2.5) + "l5 5m0-5l-5 5" }, taken);
      });
    }

    function drawNumbers() {
      var numbers = group("numbers");
      if (!numbers) return;
      empty(numbers);
      for (var square = 1; square <= 50; square += 1) {
        var at = cell(square, flipped);
        make("text", { x: at[0] * 10 + 0.4, y: at[1] * 10 + 2.1 }, numbers).textContent = String(square);
      }
    }

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
      drawPieces();
      drawMarks();
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
        drawNumbers();
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
