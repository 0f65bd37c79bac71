// The moves of 100-square draughts for pages that follow what is typed. The server judges again whatever is filed.
// A position is { signs: fifty signs, white: whether White is to move }; a move { from, to, taken, path }.
(function () {
  "use strict";

  var START = { signs: "b".repeat(20) + ".".repeat(10) + "w".repeat(20), white: true };
  var WAYS = [[-1, -1], [1, -1], [-1, 1], [1, 1]];
  var RAYS = rays();

  function rays() {
    var found = [];
    for (var square = 1; square <= 50; square += 1) {
      var row = Math.floor((square - 1) / 5);
      var column = 2 * ((square - 1) % 5) + (1 - (row % 2));
      found[square] = WAYS.map(function (way) { return ray(column, row, way); });
    }
    return found;
  }

  function ray(column, row, way) {
    var squares = [];
    for (var x = column + way[0], y = row + way[1]; x >= 0 && x < 10 && y >= 0 && y < 10; x += way[0], y += way[1]) {
      squares.push(y * 5 + Math.floor(x / 2) + 1);
    }
    return squares;
  }

  function isOwn(sign, white) { return sign !== "." && (sign.toLowerCase() === "w") === white; }

  function isEnemy(sign, white) { return sign !== "." && !isOwn(sign, white); }

  function isKing(sign) { return sign === "W" || sign === "B"; }

  // The single jumps from a square: [square of the piece taken, squares to land on].
  function jumps(signs, at, king, white, taken) {
    var found = [];
    RAYS[at].forEach(function (squares) {
      var index = 0;
      while (king && index < squares.length && signs[squares[index] - 1] === ".") index += 1;
      var victim = squares[index];
      if (!victim || taken.indexOf(victim) >= 0 || !isEnemy(signs[victim - 1], white)) return;
      var landings = [];
      for (index += 1; index < squares.length && signs[squares[index] - 1] === "."; index += 1) {
        landings.push(squares[index]);
        if (!king) break;
      }
      if (landings.length) found.push([victim, landings]);
    });
    return found;
  }

  // Captured pieces stay on the board until the capture is over, and none is jumped twice.
  function captures(position) {
    var best = 1;
    var found = [];
    pieces(position).forEach(function (origin) {
      var king = isKing(position.signs[origin - 1]);
      var signs = position.signs.slice(0, origin - 1) + "." + position.signs.slice(origin);
      var seen = {};
      var stack = [{ at: origin, taken: [], path: [origin] }];
      while (stack.length) {
        var now = stack.pop();
        if (now.taken.length > best) { best = now.taken.length; found = []; }
        if (now.taken.length === best) found.push({ from: origin, to: now.at, taken: now.taken.slice().sort(ascending), path: now.path });
        jumps(signs, now.at, king, position.white, now.taken).forEach(function (jump) {
          var taken = now.taken.concat(jump[0]);
          jump[1].forEach(function (landing) {
            var key = landing + ":" + taken.slice().sort(ascending);
            if (seen[key]) return;
            seen[key] = true;
            stack.push({ at: landing, taken: taken, path: now.path.concat(landing) });
          });
        });
      }
    });
    return found;
  }

  function ascending(one, other) { return one - other; }

  function pieces(position) {
    var found = [];
    for (var square = 1; square <= 50; square += 1) if (isOwn(position.signs[square - 1], position.white)) found.push(square);
    return found;
  }

  function quietMoves(position) {
    var found = [];
    pieces(position).forEach(function (origin) {
      var king = isKing(position.signs[origin - 1]);
      RAYS[origin].forEach(function (squares, way) {
        if (!king && (way < 2) !== position.white) return;
        for (var index = 0; index < squares.length && position.signs[squares[index] - 1] === "."; index += 1) {
          found.push({ from: origin, to: squares[index], taken: [], path: [origin, squares[index]] });
          if (!king) return;
        }
      });
    });
    return found;
  }

  function legalMoves(position) {
    var found = captures(position);
    return found.length ? found : quietMoves(position);
  }

  function play(position, move) {
    var signs = position.signs.split("");
    var piece = signs[move.from - 1];
    signs[move.from - 1] = ".";
    move.taken.forEach(function (square) { signs[square - 1] = "."; });
    if (piece === "w" && move.to <= 5) piece = "W";
    if (piece === "b" && move.to >= 46) piece = "B";
    signs[move.to - 1] = piece;
    return { signs: signs.join(""), white: !position.white };
  }

  function isSame(one, other) {
    return one.from === other.from && one.to === other.to && String(one.taken) === String(other.taken);
  }

  // The short form, or every square where another of the moves goes between the same two.
  function write(move, moves) {
    var twin = moves.some(function (other) { return other.from === move.from && other.to === move.to && !isSame(move, other); });
    if (!move.taken.length) return move.from + "-" + move.to;
    return twin ? move.path.join("x") : move.from + "x" + move.to;
  }

  window.draughtsLaw = { START: START, legalMoves: legalMoves, play: play, isSame: isSame, write: write };
})();
