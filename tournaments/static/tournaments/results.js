// The results grid by keyboard and thumb. A choice shows at once and the next board is ready; a queue saves one choice
// after the other in the background. It is kept in the browser until the server has it: a bad network, a reload or a
// closed window lose nothing. Without this file the grid is a plain form with one button.
(function () {
  "use strict";

  var grid = document.getElementById("grid");
  if (!grid || !window.fetch) return;
  var words = grid.dataset;
  var bar = document.getElementById("queue");
  var askTemplate = document.getElementById("ask");
  document.querySelectorAll("[data-shows-with-script]").forEach(function (element) { element.hidden = false; });

  // --- the rows

  function rows() { return Array.prototype.slice.call(grid.querySelectorAll("[data-row]")); }
  function rowOf(element) { return element && element.closest ? element.closest("[data-row]") : null; }
  function rowFor(pk) { return grid.querySelector('[data-row][data-pk="' + pk + '"]'); }
  function boardOf(row) { return row.id.replace("board-", ""); }
  function field(row, name) { return row.querySelector('[name="' + name + "-" + row.dataset.pk + '"]'); }
  function hasResult(row) { return row.classList.contains("has-result"); }
  function isOpen(row) { return !hasResult(row) && !pendingFor(row.dataset.pk); }
  function fill(text, values) {
    return text.replace(/\{(\w+)\}/g, function (whole, name) { return name in values ? values[name] : whole; });
  }

  function radios(row) {
    return Array.prototype.slice.call(row.querySelectorAll("input[type=radio]")).filter(function (radio) {
      var details = radio.closest("details");
      return !details || details.open;
    });
  }
  function radioOf(row, value) {
    return Array.prototype.filter.call(row.querySelectorAll("input[type=radio]"), function (radio) {
      return radio.value === value;
    })[0];
  }
  function check(row, value) {
    row.querySelectorAll("input[type=radio]").forEach(function (radio) { radio.checked = radio.value === value; });
    var radio = radioOf(row, value);
    var details = radio && radio.closest("details");
    if (details) details.open = true;
  }
  function labelOf(row, value) {
    var radio = radioOf(row, value);
    return radio ? radio.dataset.label : value;
  }

  function focusRow(row) {
    if (!row) return;
    var inputs = radios(row);
    var target = inputs.filter(function (radio) { return radio.checked; })[0] || inputs[0];
    if (target) target.focus();
  }
  function nextOpen(row) {
    var all = rows();
    var at = all.indexOf(row);
    return all.slice(at + 1).concat(all.slice(0, at)).filter(isOpen)[0];
  }

  function mark(row, name, text) {
    ["saved", "saving", "queued", "failed", "stale", "confirm"].forEach(function (each) {
      row.classList.toggle(each, each === name);
    });
    var state = row.querySelector(".state");
    state.textContent = "";
    if (!text) return;
    var span = document.createElement("span");
    span.className = name === "failed" ? "failed" : "muted";
    span.textContent = text;
    state.appendChild(span);
  }

  function swap(row, html) {
    var holder = document.createElement("template");
    holder.innerHTML = html.trim();
    var fresh = holder.content.firstElementChild;
    if (!fresh || !fresh.dataset || !fresh.dataset.row) return null;
    if (!row) return fresh;
    var active = row.contains(document.activeElement) ? document.activeElement : null;
    row.replaceWith(fresh);
    setUp(fresh);
    if (active) focusRow(fresh);
    return fresh;
  }

  // --- what is kept in the browser: the queue, and what an earlier page left behind and was not yet decided about

  var KEY = "results:" + words.user + ":" + window.location.pathname;
  var queue = [];
  var left = [];

  function keep() {
    try {
      var all = left.concat(queue);
      if (all.length) window.localStorage.setItem(KEY, JSON.stringify(all));
      else window.localStorage.removeItem(KEY);
    } catch (error) {
      // Nothing can be kept; the page asks before it is left.
    }
  }
  function kept() {
    try {
      var found = JSON.parse(window.localStorage.getItem(KEY) || "[]");
      return Array.isArray(found) ? found.filter(function (item) { return item && item.pk && item.address; }) : [];
    } catch (error) {
      return [];
    }
  }

  // --- the queue: one after the other, in order; it stops at what the server refuses and waits out a bad network

  var underWay = null;
  var stoppedAt = null;
  var tries = 0;
  var retry;

  function pendingFor(pk) {
    return queue.filter(function (item) { return item.pk === pk; }).pop();
  }

  function add(row, value, more) {
    var pk = row.dataset.pk;
    var before = pendingFor(pk);
    var item = {
      pk: pk, board: boardOf(row), address: row.dataset.row, value: value, label: labelOf(row, value),
      version: field(row, "version").value, was: field(row, "was").value,
      confirm: Boolean(more.confirm), reason: more.reason || "",
    };
    if (before && before !== underWay) {
      item.version = before.version;
      item.was = before.was;
      item.confirm = item.confirm || before.confirm;
      item.reason = item.reason || before.reason;
      queue[queue.indexOf(before)] = item;
    } else if (stoppedAt && stoppedAt.pk === pk) {
      queue.unshift(item);
    } else {
      item.follows = before === underWay && Boolean(before);
      queue.push(item);
    }
    if (stoppedAt && stoppedAt.pk === pk) stoppedAt = null;
    check(row, value);
    mark(row, "queued", words.queued);
    keep();
    run();
  }

  function drop(item) {
    queue = queue.filter(function (each) { return each !== item; });
    keep();
  }

  function body(item) {
    var data = new URLSearchParams();
    data.append("csrfmiddlewaretoken", grid.querySelector("[name=csrfmiddlewaretoken]").value);
    data.append("version-" + item.pk, item.version);
    data.append("was-" + item.pk, item.was);
    data.append("outcome-" + item.pk, item.value);
    if (item.confirm) data.append("confirm-" + item.pk, "1");
    data.append("reason", item.reason);
    return data;
  }

  function send(item) {
    var stop = window.AbortController ? new AbortController() : null;
    var timer = stop && window.setTimeout(function () { stop.abort(); }, 20000);
    return fetch(item.address, {
      method: "POST", credentials: "same-origin", body: body(item), signal: stop ? stop.signal : undefined,
    }).then(function (answer) {
      return answer.text().then(function (html) { return { answer: answer, html: html }; });
    }).finally(function () { window.clearTimeout(timer); });
  }

  function run() {
    show();
    if (underWay || stoppedAt || !queue.length) return;
    window.clearTimeout(retry);
    var item = queue[0];
    underWay = item;
    var row = rowFor(item.pk);
    if (row && pendingFor(item.pk) === item) mark(row, "saving", words.saving);
    show();
    send(item).then(function (found) {
      underWay = null;
      if (found.answer.status >= 500 || found.answer.status === 429) wait(item);
      else settle(item, found.answer, found.html);
    }, function () {
      underWay = null;
      wait(item);
    });
  }

  // No answer, or none that decides anything: the choice stays first in the queue and is sent again.
  function wait(item) {
    var row = rowFor(item.pk);
    if (row && pendingFor(item.pk) === item) mark(row, "queued", words.lost);
    tries += 1;
    bar.dataset.lost = "1";
    show();
    retry = window.setTimeout(run, Math.min(500 * Math.pow(2, tries), 8000));
  }

  function settle(item, answer, html) {
    tries = 0;
    delete bar.dataset.lost;
    var row = rowFor(item.pk);
    var holder = document.createElement("template");
    holder.innerHTML = html.trim();
    var fresh = holder.content.firstElementChild;
    if (!fresh || !fresh.dataset || !fresh.dataset.row) {
      // Logged out, or the page is too old: nothing is lost, but the queue cannot go on from here.
      stop(item, row, words.gone);
      return;
    }
    drop(item);
    var later = pendingFor(item.pk);
    if (answer.ok) {
      if (later) {
        later.version = field(fresh, "version").value;
        later.was = field(fresh, "was").value;
        later.confirm = true;
        if (row) {
          field(row, "version").value = later.version;
          field(row, "was").value = later.was;
        }
        keep();
      } else if (row) swap(row, html);
      refreshChanges();
      run();
      return;
    }
    queue = queue.filter(function (each) { return each.pk !== item.pk; });
    keep();
    row = row ? swap(row, html) : null;
    stop(item, row, "");
    if (row && row.dataset.refusal === "reason") ask(row, item.value, row.querySelector(".state").textContent.trim(), false);
  }

  function stop(item, row, text) {
    stoppedAt = item;
    if (row && text) mark(row, "failed", text);
    alarm();
    show();
  }

  function alarm() {
    document.dispatchEvent(new CustomEvent("results:refused"));
    try {
      var Sound = window.AudioContext || window.webkitAudioContext;
      var context = new Sound();
      [0, 0.18].forEach(function (at) {
        var tone = context.createOscillator();
        tone.frequency.value = 330;
        tone.connect(context.destination);
        tone.start(context.currentTime + at);
        tone.stop(context.currentTime + at + 0.12);
      });
      window.setTimeout(function () { context.close(); }, 1000);
    } catch (error) {
      // Without sound the mark tells.
    }
  }

  // --- the line that says how the queue is

  function show() {
    bar.textContent = "";
    bar.className = stoppedAt ? "notice error" : bar.dataset.lost ? "notice warning" : "muted";
    bar.hidden = !(queue.length || stoppedAt || left.length);
    if (left.length) {
      bar.className = "notice warning";
      say(fill(words.left, { n: left.length, boards: left.map(told).join(", ") }));
      offer(words.sendLeft, sendLeft);
      offer(words.dropLeft, function () { left = []; keep(); show(); });
      return;
    }
    if (stoppedAt) {
      say(fill(words.stopped, { board: stoppedAt.board, n: queue.length }));
      if (queue.length) offer(words.goOn, goOn);
      return;
    }
    say(fill(bar.dataset.lost ? words.offline : words.pending, { n: queue.length }));
  }
  function told(item) { return item.board + ": " + item.label; }
  function say(text) {
    var span = document.createElement("span");
    span.textContent = text + " ";
    bar.appendChild(span);
  }
  function offer(text, action) {
    var button = document.createElement("button");
    button.type = "button";
    button.className = "button small";
    button.textContent = text;
    button.addEventListener("click", action);
    bar.appendChild(button);
  }
  function goOn() {
    stoppedAt = null;
    run();
  }
  function sendLeft() {
    queue = left.concat(queue);
    left = [];
    queue.forEach(function (item) {
      var row = rowFor(item.pk);
      if (row) { check(row, item.value); mark(row, "queued", words.queued); }
    });
    keep();
    run();
  }

  // --- choosing

  function choose(row, radio, moves) {
    if (!radio || radio.disabled) return;
    var value = radio.value;
    var pending = pendingFor(row.dataset.pk);
    var shown = field(row, "was").value;
    if (!pending && value === (shown || "UNPLAYED")) {
      check(row, value);
      mark(row, "", "");
      if (stoppedAt && stoppedAt.pk === row.dataset.pk) goOn();
      if (moves) focusRow(nextOpen(row) || row);
      return;
    }
    if (!pending && (hasResult(row) || words.needsReason)) {
      var note = hasResult(row) ? fill(value === "UNPLAYED" ? words.takeBack : words.replace, {
        was: labelOf(row, shown), new: labelOf(row, value),
      }) : labelOf(row, value);
      ask(row, value, note, true);
      return;
    }
    add(row, value, {});
    if (moves) focusRow(nextOpen(row) || row);
  }

  // Overwriting asks in the row itself, with the reason where one is needed; the buttons send the waiting choice or leave it.
  function ask(row, value, note, moves) {
    check(row, value);
    mark(row, "confirm", "");
    var needsReason = Boolean(words.needsReason) || row.dataset.refusal === "reason";
    var part = askTemplate.content.cloneNode(true);
    part.querySelector("[data-note]").textContent = note;
    var reason = part.querySelector("input");
    var yes = part.querySelector("[data-sends]");
    reason.closest("label").hidden = !needsReason;
    yes.addEventListener("click", function () {
      if (needsReason && !reason.value.trim()) { reason.focus(); return; }
      add(row, value, { confirm: true, reason: reason.value.trim() });
      if (moves) focusRow(nextOpen(row) || row);
      else focusRow(row);
    });
    reason.addEventListener("keydown", function (event) {
      if (event.key === "Enter") { event.preventDefault(); yes.click(); }
    });
    part.querySelector("[data-keeps]").addEventListener("click", function () { leave(row); });
    row.querySelector(".state").appendChild(part);
    (needsReason ? reason : yes).focus();
  }

  // Back to what the server has; an unsent choice of this board is given up.
  function leave(row) {
    var pending = pendingFor(row.dataset.pk);
    if (pending && pending !== underWay) drop(pending);
    if (pending && pending === underWay) return;
    if (stoppedAt && stoppedAt.pk === row.dataset.pk) stoppedAt = null;
    check(row, field(row, "was").value || "UNPLAYED");
    mark(row, "", "");
    focusRow(row);
    fetch(row.dataset.row, { credentials: "same-origin" }).then(function (answer) {
      return answer.ok ? answer.text() : "";
    }).then(function (html) {
      if (html && row.isConnected && !pendingFor(row.dataset.pk) && !row.classList.contains("confirm")) swap(row, html);
    }).catch(function () {});
    run();
  }

  // Of two questions on their way the answer to the first may come last: it no longer counts.
  var waiting;
  var asked = 0;
  var shown = 0;
  function refreshChanges() {
    window.clearTimeout(waiting);
    waiting = window.setTimeout(function () {
      asked += 1;
      var mine = asked;
      fetch(words.changes, { credentials: "same-origin" }).then(function (answer) {
        return answer.ok ? answer.text() : "";
      }).then(function (html) {
        var place = document.getElementById("changes");
        if (!html || !place || mine < shown) return;
        shown = mine;
        place.outerHTML = html;
      }).catch(function () {});
    }, 300);
  }

  function setUp(row) {
    row.addEventListener("change", function (event) {
      if (event.target.type === "radio") choose(row, event.target, false);
    });
  }

  function walk(row, step) {
    var inputs = radios(row);
    var at = inputs.indexOf(document.activeElement);
    var next = inputs[at + step];
    if (next) next.focus();
  }

  // A row being asked about takes its keys itself; Escape leaves it.
  function isAnswering(target) { return target.matches(".state *"); }

  grid.addEventListener("keydown", function (event) {
    var row = rowOf(event.target);
    if (!row || event.ctrlKey || event.altKey || event.metaKey) return;
    if (isAnswering(event.target) && event.key !== "Escape") return;
    var all = rows();
    var at = all.indexOf(row);
    switch (event.key) {
      case "ArrowDown": focusRow(all[at + 1]); break;
      case "ArrowUp": focusRow(all[at - 1]); break;
      case "ArrowLeft": walk(row, -1); break;
      case "ArrowRight": walk(row, 1); break;
      case "Escape": leave(row); break;
      case "Enter":
        if (event.target.type !== "radio") return;
        choose(row, event.target, true);
        break;
      default:
        if (!/^[0-9]$/.test(event.key)) return;
        choose(row, row.querySelector('input[data-key="' + event.key + '"]'), true);
    }
    event.preventDefault();
  });

  // The form as a whole is sent by nobody here.
  grid.addEventListener("submit", function (event) {
    event.preventDefault();
    focusRow(rows().filter(isOpen)[0] || rows()[0]);
  });
  window.addEventListener("beforeunload", function (event) {
    if (!queue.length) return;
    event.preventDefault();
    event.returnValue = "";
  });
  window.addEventListener("online", function () { tries = 0; run(); });

  rows().forEach(setUp);
  left = kept().filter(function (item) {
    var row = rowFor(item.pk);
    return !row || field(row, "was").value !== item.value;
  });
  keep();
  show();
  if (!window.location.hash) focusRow(rows().filter(isOpen)[0]);
})();
