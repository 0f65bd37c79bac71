// The hall's screens: turns the pages that the server made, counts down to the start, and shows the event's own time. The
// newest state comes by follow.js; when the connection is lost the last state stays, with its time.
(function () {
  "use strict";

  var body = document.body;
  var main = document.getElementById("content");
  var stamp = document.querySelector("[data-stamp]");
  var marks = document.querySelector("[data-page]");
  var lang = document.documentElement.lang;
  var zone = body.dataset.zone || undefined;
  var updated = new Date();
  var lost = false;
  var current = 0;
  var timer;

  function time(date, seconds) {
    var shape = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: zone };
    if (seconds) shape.second = "2-digit";
    return date.toLocaleTimeString(lang, shape);
  }

  function tellState() {
    stamp.textContent = (lost ? body.dataset.lost : body.dataset.fresh) + " " + time(updated, true);
    stamp.classList.toggle("lost", lost);
  }

  function slides() { return Array.prototype.slice.call(main.querySelectorAll(".slide")); }

  function show() {
    var pages = slides();
    if (!pages.length) return;
    current = current % pages.length;
    pages.forEach(function (page, index) { page.hidden = index !== current; });
    marks.textContent = "";
    if (pages.length < 2) return;
    pages.forEach(function (page, index) {
      var mark = document.createElement("i");
      if (index === current) mark.className = "on";
      marks.appendChild(mark);
    });
  }

  function turn() {
    window.clearTimeout(timer);
    var shown = slides()[current];
    var seconds = Number(shown && shown.dataset.seconds) || 15;
    timer = window.setTimeout(function () {
      current += 1;
      show();
      turn();
    }, seconds * 1000);
  }

  function span(seconds) {
    var minutes = Math.floor(seconds / 60);
    var hours = Math.floor(minutes / 60);
    var tail = String(minutes % 60).padStart(hours ? 2 : 1, "0");
    return hours ? hours + ":" + tail + ":" + String(seconds % 60).padStart(2, "0") : tail + ":" + String(seconds % 60).padStart(2, "0");
  }

  function tick() {
    var now = new Date();
    document.querySelectorAll("[data-clock]").forEach(function (clock) { clock.textContent = time(now, false); });
    document.querySelectorAll("[data-starts]").forEach(function (start) {
      var target = start.querySelector("[data-countdown]");
      var seconds = Math.round((new Date(start.dataset.starts).getTime() - now.getTime()) / 1000);
      if (!target) return;
      if (Math.abs(seconds) > 12 * 3600) target.textContent = "";
      else target.textContent = " · " + (seconds > 0 ? body.dataset.startsIn : body.dataset.running) + " " + span(Math.abs(seconds));
    });
  }

  document.addEventListener("follow:swapped", function () { show(); tick(); });
  document.addEventListener("follow:heard", function () {
    updated = new Date();
    lost = false;
    tellState();
  });
  document.addEventListener("follow:lost", function () {
    lost = true;
    tellState();
  });

  show();
  tick();
  tellState();
  turn();
  window.setInterval(tick, 1000);
})();
