// The projector: cuts each list into pages that fill the wall, turns them, counts down to the start, and fetches the
// newest state. When the connection is lost the last state stays, with its time.
(function () {
  "use strict";

  var body = document.body;
  var main = document.getElementById("content");
  var stamp = document.querySelector("[data-stamp]");
  var pageMark = document.querySelector("[data-page]");
  var clock = document.querySelector("[data-clock]");
  var TURN = Number(body.dataset.turn || 12) * 1000;
  var lang = document.documentElement.lang;
  var updated = new Date();
  var lost = false;
  var pages = [];
  var current = 0;

  function time(date) {
    return date.toLocaleTimeString(lang, { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false });
  }

  function tellState() {
    stamp.textContent = (lost ? body.dataset.lost : body.dataset.fresh) + " " + time(updated);
    stamp.classList.toggle("lost", lost);
  }

  // A page is a slide with the first and last row that it shows.
  function cut() {
    pages = [];
    main.querySelectorAll(".slide").forEach(function (slide) {
      var rows = Array.prototype.slice.call(slide.querySelectorAll("tbody tr"));
      if (!rows.length) {
        pages.push({ slide: slide, rows: [], first: 0, last: 0 });
        return;
      }
      slide.hidden = false;
      rows.forEach(function (row) { row.hidden = false; });
      var height = Math.max.apply(null, rows.map(function (row) { return row.offsetHeight; })) || 40;
      var room = window.innerHeight - rows[0].getBoundingClientRect().top - window.scrollY - 60;
      var size = Math.max(1, Math.floor(room / height));
      for (var first = 0; first < rows.length; first += size) {
        pages.push({ slide: slide, rows: rows, first: first, last: Math.min(first + size, rows.length) });
      }
      slide.hidden = true;
    });
  }

  function show() {
    if (!pages.length) return;
    current = current % pages.length;
    var page = pages[current];
    main.querySelectorAll(".slide").forEach(function (slide) { slide.hidden = slide !== page.slide; });
    page.rows.forEach(function (row, index) { row.hidden = index < page.first || index >= page.last; });
    pageMark.textContent = pages.length > 1 ? current + 1 + " / " + pages.length : "";
  }

  function layOut() {
    main.querySelectorAll(".slide").forEach(function (slide) { slide.hidden = true; });
    cut();
    show();
  }

  function tick() {
    var now = new Date();
    clock.textContent = now.toLocaleTimeString(lang, { hour: "2-digit", minute: "2-digit", hour12: false });
    main.querySelectorAll("[data-starts]").forEach(function (slide) {
      var target = slide.querySelector("[data-countdown]");
      var seconds = Math.round((new Date(slide.dataset.starts).getTime() - now.getTime()) / 1000);
      if (!target) return;
      if (seconds <= 0 || seconds > 24 * 3600) {
        target.textContent = "";
        return;
      }
      var minutes = Math.floor(seconds / 60);
      target.textContent = "(" + body.dataset.startsIn + " " + minutes + ":" + String(seconds % 60).padStart(2, "0") + ")";
    });
  }

  // follow.js asks for the newest state and puts it in place.
  document.addEventListener("follow:swapped", function () { layOut(); });
  document.addEventListener("follow:heard", function () {
    updated = new Date();
    lost = false;
    tellState();
  });
  document.addEventListener("follow:lost", function () {
    lost = true;
    tellState();
  });

  layOut();
  tick();
  tellState();
  window.setInterval(tick, 1000);
  window.setInterval(function () { current += 1; show(); }, TURN);
  window.addEventListener("resize", layOut);
})();
