// Draws positions into the board that the server made. A position is fifty signs: . empty, w W white man and king, b B black.
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

  function emptied(svg, name) {
    var group = svg.querySelector("g." + name);
    while (group && group.firstChild) group.removeChild(group.firstChild);
    return group;
  }

  function drawPieces(svg, signs, flipped) {
    var pieces = emptied(svg, "pieces");
    signs.split("").forEach(function (sign, index) {
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

  function drawMarks(svg, marked, taken, flipped) {
    var marks = emptied(svg, "marks");
    var crosses = emptied(svg, "taken");
    marked.forEach(function (square) {
      var at = cell(square, flipped);
      make("rect", { x: at[0] * 10 + 0.6, y: at[1] * 10 + 0.6, width: 8.8, height: 8.8 }, marks);
    });
    taken.forEach(function (square) {
      var at = cell(square, flipped);
      make("path", { d: "M" + (at[0] * 10 + 2.5) + " " + (at[1] * 10 + 2.5) + "l5 5m0-5l-5 5" }, crosses);
    });
  }

  function drawNumbers(svg, flipped) {
    var numbers = emptied(svg, "numbers");
    if (!numbers) return;
    for (var square = 1; square <= 50; square += 1) {
      var at = cell(square, flipped);
      make("text", { x: at[0] * 10 + 0.4, y: at[1] * 10 + 2.1 }, numbers).textContent = String(square);
    }
  }

  function squareAt(svg, event, flipped) {
    var box = svg.getBoundingClientRect();
    var column = Math.floor(((event.clientX - box.left) * 102 / box.width - 1) / 10);
    var row = Math.floor(((event.clientY - box.top) * 102 / box.height - 1) / 10);
    if (flipped) { column = 9 - column; row = 9 - row; }
    var dark = column >= 0 && column < 10 && row >= 0 && row < 10 && (column + row) % 2;
    return dark ? row * 5 + Math.floor(column / 2) + 1 : 0;
  }

  window.draughtsBoard = { drawPieces: drawPieces, drawMarks: drawMarks, drawNumbers: drawNumbers, squareAt: squareAt };
})();
