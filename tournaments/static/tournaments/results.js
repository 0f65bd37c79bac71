// The results grid by keyboard and thumb: each choice is sent at once and its board's row comes back with what became of
// it. Without this file the grid is a plain form with one button.
(function () {
  "use strict";

  var grid = document.getElementById("grid");
  if (!grid || !window.fetch) return;
  document.querySelectorAll("[data-shows-with-script]").forEach(function (element) { element.hidden = false; });

  function rows() { return Array.prototype.slice.call(grid.querySelectorAll("[data-row]")); }
  function rowOf(element) { return element && element.closest ? element.closest("[data-row]") : null; }
  function isOpen(row) { return !row.classList.contains("has-result"); }
  function radios(row) {
    return Array.prototype.slice.call(row.querySelectorAll("input[type=radio]")).filter(function (radio) {
      var details = radio.closest("details");
      return !details || details.open;
    });
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

  function body(row) {
    var data = new URLSearchParams();
    row.querySelectorAll("input").forEach(function (input) {
      if ((input.type === "radio" || input.type === "checkbox") && !input.checked) return;
      data.append(input.name, input.value);
    });
    data.append("csrfmiddlewaretoken", grid.querySelector("[name=csrfmiddlewaretoken]").value);
    var reason = document.getElementById("reason");
    if (reason) data.append("reason", reason.value);
    return data;
  }

  function tell(row, text) {
    var state = row.querySelector(".state");
    state.textContent = "";
    var words = document.createElement("span");
    words.className = text === grid.dataset.lost ? "failed" : "muted";
    words.textContent = text;
    state.appendChild(words);
  }

  function swap(row, html) {
    var holder = document.createElement("template");
    holder.innerHTML = html.trim();
    var fresh = holder.content.firstElementChild;
    if (!fresh || !fresh.dataset || !fresh.dataset.row) throw new Error("not a row");
    row.replaceWith(fresh);
    setUp(fresh);
    return fresh;
  }

  function settle(fresh, ok, hadFocus, moves) {
    if (!hadFocus) return;
    var confirm = fresh.querySelector("[name^=confirm-]");
    if (confirm) { confirm.focus(); return; }
    var reason = document.getElementById("reason");
    if (!ok && reason && !reason.value) { reason.focus(); return; }
    focusRow(ok && moves ? nextOpen(fresh) || fresh : fresh);
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
      fetch(grid.dataset.changes, { credentials: "same-origin" }).then(function (answer) {
        return answer.ok ? answer.text() : "";
      }).then(function (html) {
        var place = document.getElementById("changes");
        if (!html || !place || mine < shown) return;
        shown = mine;
        place.outerHTML = html;
      }).catch(function () {});
    }, 300);
  }

  function send(row, method) {
    if (row.dataset.sending) return;
    row.dataset.sending = "1";
    var options = { method: method, credentials: "same-origin" };
    if (method === "POST") options.body = body(row);
    tell(row, grid.dataset.saving);
    fetch(row.dataset.row, options).then(function (answer) {
      return answer.text().then(function (html) {
        var hadFocus = row.contains(document.activeElement) || document.activeElement === document.body;
        settle(swap(row, html), answer.ok, hadFocus, method === "POST");
        if (answer.ok && method === "POST") refreshChanges();
      });
    }).catch(function () {
      delete row.dataset.sending;
      tell(row, grid.dataset.lost);
    });
  }

  function choose(row, radio) {
    if (!radio) return;
    radio.checked = true;
    send(row, "POST");
  }

  function setUp(row) {
    row.addEventListener("change", function (event) {
      if (event.target.type === "radio" || event.target.name.indexOf("confirm-") === 0) send(row, "POST");
    });
    var keep = row.querySelector("[data-keeps]");
    if (keep) {
      keep.hidden = false;
      keep.addEventListener("click", function () { send(row, "GET"); });
    }
  }

  function walk(row, step) {
    var inputs = radios(row);
    var at = inputs.indexOf(document.activeElement);
    var next = inputs[at + step];
    if (next) next.focus();
  }

  grid.addEventListener("keydown", function (event) {
    var row = rowOf(event.target);
    if (!row || event.ctrlKey || event.altKey || event.metaKey) return;
    var all = rows();
    var at = all.indexOf(row);
    var confirms = event.target.name && event.target.name.indexOf("confirm-") === 0;
    switch (event.key) {
      case "ArrowDown": focusRow(all[at + 1]); break;
      case "ArrowUp": focusRow(all[at - 1]); break;
      case "ArrowLeft": walk(row, -1); break;
      case "ArrowRight": walk(row, 1); break;
      case "Escape": send(row, "GET"); break;
      case "Enter":
        if (confirms) { event.target.checked = true; send(row, "POST"); }
        else if (event.target.type === "radio") choose(row, event.target);
        else return;
        break;
      default:
        if (!/^[0-9]$/.test(event.key)) return;
        choose(row, row.querySelector('input[data-key="' + event.key + '"]'));
    }
    event.preventDefault();
  });

  // The form as a whole is sent by nobody here: Enter in the reason's field goes to the boards.
  grid.addEventListener("submit", function (event) {
    event.preventDefault();
    focusRow(rows().filter(isOpen)[0] || rows()[0]);
  });

  rows().forEach(setUp);
  var reason = document.getElementById("reason");
  if (!window.location.hash) focusRow((!reason || reason.value) && rows().filter(isOpen)[0]);
})();
