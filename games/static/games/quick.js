// Writing down games quickly: digits are read as moves while they are typed, in the order they come; the board follows.
// Every key is judged here, so that nothing waits for the network; the server judges again what is filed. What is typed is
// kept in this browser until it is filed.
(function () {
  "use strict";

  var law = window.draughtsLaw;
  var board = window.draughtsBoard;
  var SIDES = ["W", "B"];
  var LONGEST = 60;  // more than the squares of any capture

  function padded(square) { return (square < 10 ? "0" : "") + square; }

  // Every way to type a move: `3228`, `510`, `0510`, `5-10`, and a capture square by square.
  function spellings(move) {
    var found = [move.path.join("-")];
    [String(move.from), padded(move.from)].forEach(function (from) {
      [String(move.to), padded(move.to)].forEach(function (to) { found.push(from + to, from + "-" + to); });
    });
    return found;
  }

  function isComplete(move, typed) { return spellings(move).indexOf(typed) >= 0; }

  function isBegun(move, typed) {
    return spellings(move).some(function (text) { return text.length > typed.length && text.indexOf(typed) === 0; });
  }

  function replay(moves) {
    var positions = [law.START];
    moves.forEach(function (move) { positions.push(law.play(positions[positions.length - 1], move)); });
    return positions;
  }

  function textsOf(moves) {
    var positions = replay(moves);
    return moves.map(function (move, index) { return law.write(move, law.legalMoves(positions[index])); });
  }

  function sheetText(moves) {
    var lines = [];
    textsOf(moves).forEach(function (text, index) {
      if (index % 2) lines[lines.length - 1] += " " + text; else lines.push(index / 2 + 1 + ". " + text);
    });
    return lines.join("\n");
  }

  // The legal moves at the beginning of a text.
  function movesIn(text) {
    var position = law.START;
    var found = [];
    (text.match(/\d+(?:[-x]\d+)+/g) || []).every(function (word) {
      var path = word.split(/[-x]/).map(Number);
      var fitting = law.legalMoves(position).filter(function (move) {
        return move.from === path[0] && move.to === path[path.length - 1];
      });
      var exact = fitting.filter(function (move) { return String(move.path) === String(path); });
      var move = exact[0] || fitting[0];
      if (!move) return false;
      found.push(move);
      position = law.play(position, move);
      return true;
    });
    return found;
  }

  function setUp(root) {
    var form = root.querySelector("form");
    var keys = root.querySelector("[data-keys]");
    var svg = root.querySelector("svg");
    var texts = {};
    var copies = {};
    var past = [];
    var active = "W";
    var flipped = false;
    var typed = "";
    var pending = null;  // a move that the digits already are, while they may become another
    var ghost = null;    // the move that one key has just made: typing it as well changes nothing
    var choices = [];
    var picked = 0;      // the square tapped first
    var notice = "";

    SIDES.forEach(function (side) {
      texts[side] = root.querySelector("[data-text='" + side + "']");
      copies[side] = { moves: movesIn(texts[side].value), at: 0 };
      copies[side].at = copies[side].moves.length;
    });

    function copy() { return copies[active]; }
    function other() { return copies[active === "W" ? "B" : "W"]; }
    function position() { return replay(copy().moves.slice(0, copy().at))[copy().at]; }
    function legal() { return law.legalMoves(position()); }
    function words(name, values) {
      return root.dataset[name].replace(/\{(\w+)\}/g, function (all, key) { return values[key]; });
    }

    // --- what is kept in this browser

    function draftKey() { return "quick-entry:" + root.dataset.game; }

    function save() {
      try {
        window.localStorage.setItem(draftKey(), JSON.stringify({ W: sheetText(copies.W.moves), B: sheetText(copies.B.moves), active: active }));
      } catch (error) { /* a browser that keeps nothing: the form still files */ }
    }

    function forget() {
      try { window.localStorage.removeItem(draftKey()); } catch (error) { /* as above */ }
    }

    function restore() {
      var draft = null;
      try { draft = JSON.parse(window.localStorage.getItem(draftKey())); } catch (error) { draft = null; }
      if (!draft) return;
      SIDES.forEach(function (side) {
        var moves = movesIn(String(draft[side] || ""));
        if (moves.length && sheetText(moves) !== sheetText(copies[side].moves)) {
          copies[side] = { moves: moves, at: moves.length };
          notice = root.dataset.wordsRestored;
        }
      });
      active = draft.active === "B" ? "B" : "W";
    }

    // --- changing a copy

    function remember() {
      past.push({ active: active, W: { moves: copies.W.moves, at: copies.W.at }, B: { moves: copies.B.moves, at: copies.B.at } });
    }

    function undo() {
      typed = "";
      reset();
      var before = past.pop();
      if (before) {
        active = before.active;
        copies = { W: before.W, B: before.B };
        save();
      }
    }

    function reset() { pending = null; choices = []; picked = 0; notice = ""; }

    // Makes a move where the copy stands. Behind it stays what still fits.
    function commit(move) {
      var now = copy();
      remember();
      typed = "";
      ghost = null;
      reset();
      var known = now.moves[now.at];
      if (known && law.isSame(known, move)) {
        copies[active] = { moves: now.moves, at: now.at + 1 };
      } else {
        var moves = now.moves.slice(0, now.at).concat(move);
        var rest = fitting(moves, now.moves.slice(now.at + 1));
        var lost = Math.max(0, now.moves.length - now.at - 1 - rest.length);
        copies[active] = { moves: moves.concat(rest), at: now.at + 1 };
        if (lost) notice = words("wordsLost", { n: lost });
      }
      save();
    }

    function fitting(moves, following) {
      var at = replay(moves)[moves.length];
      var found = [];
      following.every(function (wanted) {
        var move = law.legalMoves(at).filter(function (one) { return law.isSame(one, wanted); })[0];
        if (!move) return false;
        found.push(move);
        at = law.play(at, move);
        return true;
      });
      return found;
    }

    function takeOther(all) {
      var now = copy();
      var wanted = other().moves.slice(now.at, all ? undefined : now.at + 1);
      var found = fitting(now.moves.slice(0, now.at), wanted);
      if (!found.length) { notice = root.dataset.wordsNothing; return; }
      if (!all) { commit(found[0]); return; }
      remember();
      typed = "";
      ghost = null;
      reset();
      copies[active] = { moves: now.moves.slice(0, now.at).concat(found), at: now.at + found.length };
      save();
    }

    function turnTo(side) {
      typed = "";
      ghost = null;
      reset();
      active = side;
      save();
    }

    // --- reading what is typed, one sign at a time

    function feed(sign) {
      if (sign === "/") { turnTo(active === "W" ? "B" : "W"); return; }
      if (sign === "+") { takeOther(false); return; }
      if (choices.length) { choose(sign); return; }
      if (/\d/.test(sign)) { typed += sign; read(); return; }
      if (!typed) { if (/\s/.test(sign)) takeOnly(); return; }
      if (typed.slice(-1) === "-") { if (/\s/.test(sign)) enter(); return; }
      typed += "-";
      read();
    }

    function read() {
      var moves = legal();
      var complete = moves.filter(function (move) { return isComplete(move, typed); });
      var begun = moves.filter(function (move) { return !isComplete(move, typed) && isBegun(move, typed); });
      if (complete.length && !begun.length) { settle(complete); return; }
      if (complete.length === 1) pending = { move: complete[0], length: typed.length };
      if (complete.length || begun.length) return;
      if (ghost && isComplete(ghost, typed)) { typed = ""; ghost = null; return; }
      if (ghost && isBegun(ghost, typed)) return;
      if (!pending) return;
      var rest = typed.slice(pending.length);
      commit(pending.move);
      rest.split("").forEach(feed);
    }

    function settle(moves) {
      if (moves.length === 1) { commit(moves[0]); return; }
      pending = null;
      choices = moves;
      typed = "";
    }

    // Of several captures one is chosen by its letter or by a square that only it takes.
    function choose(sign) {
      if (/[a-z]/i.test(sign)) {
        var named = choices[sign.toLowerCase().charCodeAt(0) - 97];
        if (named) commit(named);
        return;
      }
      if (!/\d/.test(sign)) return;
      typed += sign;
      if (typed.length < 2) return;
      var square = Number(typed);
      var taking = choices.filter(function (move) { return move.taken.indexOf(square) >= 0 || move.to === square; });
      typed = "";
      if (taking.length === 1) commit(taking[0]);
      else if (taking.length) choices = taking;
    }

    // One key where one move is possible.
    function takeOnly() {
      var moves = legal();
      if (moves.length !== 1) return false;
      commit(moves[0]);
      ghost = moves[0];
      return true;
    }

    function enter() {
      if (choices.length) return false;
      if (!typed) return takeOnly();
      var moves = legal();
      var complete = moves.filter(function (move) { return isComplete(move, typed); });
      var meant = complete.length ? complete : moves.filter(function (move) { return isBegun(move, typed); });
      if (!meant.length) return false;
      if (meant.length > 1 && !complete.length) return false;
      settle(meant);
      return true;
    }

    function isWrong() {
      if (!typed || choices.length) return false;
      var fits = function (move) { return isComplete(move, typed) || isBegun(move, typed); };
      return !legal().some(fits) && !(ghost && fits(ghost));
    }

    // --- showing

    function plyWords(index) { return Math.floor(index / 2) + 1 + (index % 2 ? "…" : "."); }

    function showStatus() {
      var now = position();
      var moves = legal();
      var side = now.white ? root.dataset.wordsWhite : root.dataset.wordsBlack;
      var said = [plyWords(copy().at) + " " + words("wordsToMove", { side: side })];
      if (!moves.length) said = [words("wordsOver", { side: side })];
      if (choices.length) said = [root.dataset.wordsWhich];
      if (isWrong()) said = [words("wordsWrong", { typed: typed, n: plyWords(copy().at) })];
      if (notice) said.push(notice);
      var status = root.querySelector("[data-status]");
      status.textContent = said.join(" ");
      status.classList.toggle("error", isWrong());
      keys.setAttribute("aria-invalid", isWrong() ? "true" : "false");
    }

    function button(text, act) {
      var made = document.createElement("button");
      made.type = "button";
      made.className = "button small";
      made.textContent = text;
      made.addEventListener("click", function () { act(); show(); keys.focus({ preventScroll: true }); });
      return made;
    }

    function showChoices() {
      var list = root.querySelector("[data-choices]");
      list.textContent = "";
      var moves = legal();
      var offered = choices.length ? choices : moves.length === 1 ? moves : [];
      if (picked && !choices.length) offered = moves.filter(function (move) { return move.from === picked; });
      offered.forEach(function (move, index) {
        var text = law.write(move, moves);
        if (choices.length) {
          text = String.fromCharCode(97 + index) + ") " + move.from + "x" + move.to + ": " + words("wordsTakes", { squares: move.taken.join(", ") });
        } else if (!picked) {
          text = words("wordsOnly", { move: text });
        }
        var item = document.createElement("li");
        item.appendChild(button(text, function () { commit(move); }));
        list.appendChild(item);
      });
    }

    function showBoard() {
      var now = copy();
      var before = now.at ? now.moves[now.at - 1] : null;
      var marked = picked ? [picked] : before ? [before.from, before.to] : [];
      var taken = [];
      choices.forEach(function (move) { taken = taken.concat(move.taken); });
      board.drawPieces(svg, position().signs, flipped);
      board.drawMarks(svg, marked, taken, flipped);
    }

    function cellOf(side, ply, written) {
      var made = document.createElement("td");
      var text = written[side][ply];
      if (text === undefined && ply !== copies[side].at) return made;
      var link = document.createElement("button");
      link.type = "button";
      link.className = "quick-move";
      link.textContent = text === undefined ? "·" : text;
      link.setAttribute("aria-label", words(side === "W" ? "wordsCellWhite" : "wordsCellBlack", { n: plyWords(ply), move: text || "–" }));
      if (side === active && ply === copies[side].at) link.setAttribute("aria-current", "true");
      link.addEventListener("click", function () {
        turnTo(side);
        copies[side] = { moves: copies[side].moves, at: ply };
        show();
        keys.focus({ preventScroll: true });
      });
      made.appendChild(link);
      return made;
    }

    function firstDifference(written) {
      var both = Math.min(written.W.length, written.B.length);
      for (var ply = 0; ply < both; ply += 1) if (written.W[ply] !== written.B[ply]) return ply;
      return -1;
    }

    function showCopies() {
      var written = { W: textsOf(copies.W.moves), B: textsOf(copies.B.moves) };
      var differs = firstDifference(written);
      var body = root.querySelector("[data-moves]");
      var rows = document.createDocumentFragment();
      var last = Math.max(written.W.length, written.B.length, copies.W.at, copies.B.at);
      for (var row = 0; row <= last / 2; row += 1) {
        var line = document.createElement("tr");
        var head = document.createElement("th");
        head.scope = "row";
        head.className = "num";
        head.textContent = row + 1 + ".";
        line.appendChild(head);
        SIDES.forEach(function (side) {
          for (var half = 0; half < 2; half += 1) {
            var made = cellOf(side, 2 * row + half, written);
            if (2 * row + half === differs) made.className = "differs";
            line.appendChild(made);
          }
        });
        rows.appendChild(line);
      }
      body.textContent = "";
      body.appendChild(rows);
      root.querySelector("[data-difference]").textContent = differs < 0 ? "" : words("wordsDiffer", { n: plyWords(differs) });
      root.querySelectorAll("[data-turn]").forEach(function (element) {
        element.setAttribute("aria-pressed", element.dataset.turn === active ? "true" : "false");
      });
      scrollTo(body.querySelector("[aria-current]"));
    }

    function scrollTo(current) {
      var box = root.querySelector("[data-moves-box]");
      if (!current || box.scrollHeight <= box.clientHeight) return;
      var row = current.closest("tr");
      box.scrollTop = row.offsetTop - box.clientHeight / 2;
    }

    function show() {
      if (keys.value !== typed) keys.value = typed;
      showStatus();
      showChoices();
      showBoard();
      showCopies();
      SIDES.forEach(function (side) { texts[side].value = sheetText(copies[side].moves); });
      root.querySelector("[data-act='undo']").disabled = !past.length;
      root.querySelector("[data-act='same']").disabled = other().moves.length <= copy().at;
    }

    // --- keys, taps, the board

    keys.addEventListener("input", function (event) {
      if (event.isComposing) return;
      var value = keys.value.normalize("NFKC").replace(/\d+\s*\.(?!\d)/g, "").replace(/\s+/g, " ");
      var added = value.indexOf(typed) === 0 && !choices.length ? value.slice(typed.length) : null;
      if (added === null) { if (!choices.length) { typed = ""; pending = null; } else value = value.slice(typed.length); added = value; }
      added.slice(0, 4000).split("").forEach(feed);
      if (typed.length > LONGEST) typed = typed.slice(0, LONGEST);
      show();
    });

    keys.addEventListener("keydown", function (event) {
      if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.key === "Enter" || (event.key === "Tab" && !event.shiftKey)) {
        var made = enter();
        if (made || event.key === "Enter") event.preventDefault();
        if (!made) return;
      } else if (event.key === "Backspace" && !keys.value) {
        event.preventDefault();
        undo();
      } else if (event.key === "Escape") {
        typed = "";
        reset();
      } else {
        return;
      }
      show();
    });

    svg.addEventListener("click", function (event) {
      var square = board.squareAt(svg, event, flipped);
      var moves = choices.length ? choices : legal();
      var onto = moves.filter(function (move) { return move.to === square && (!picked || move.from === picked); });
      var from = moves.filter(function (move) { return move.from === square; });
      if (choices.length) {
        var taking = moves.filter(function (move) { return move.taken.indexOf(square) >= 0; });
        if (taking.length === 1) commit(taking[0]);
      } else if (onto.length && (picked || onto.length === 1)) {
        settle(onto);
      } else {
        picked = from.length ? square : 0;
      }
      show();
    });

    root.querySelectorAll("[data-turn]").forEach(function (element) {
      element.addEventListener("click", function () { turnTo(element.dataset.turn); show(); keys.focus({ preventScroll: true }); });
    });

    var acts = {
      undo: undo,
      same: function () { takeOther(true); },
      flip: function () { flipped = !flipped; board.drawNumbers(svg, flipped); },
      discard: function () { forget(); past = []; SIDES.forEach(clear); turnTo("W"); forget(); }
    };

    function clear(side) {
      var moves = movesIn(texts[side].defaultValue);
      copies[side] = { moves: moves, at: moves.length };
    }

    root.querySelectorAll("[data-act]").forEach(function (element) {
      element.addEventListener("click", function () { acts[element.dataset.act](); show(); keys.focus({ preventScroll: true }); });
    });

    form.addEventListener("submit", function () {
      SIDES.forEach(function (side) { texts[side].value = sheetText(copies[side].moves); });
    });

    if (root.dataset.filed) forget(); else restore();
    root.querySelectorAll("[data-scripted]").forEach(function (element) { element.hidden = false; });
    root.querySelectorAll("[data-unscripted]").forEach(function (element) { element.hidden = true; });
    show();
    keys.focus({ preventScroll: true });
  }

  document.querySelectorAll("[data-quick]").forEach(setUp);
})();
