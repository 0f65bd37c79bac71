// Keeps an open page up to date: every few seconds it asks for the version of the whole event, a few bytes, and when this
// page's has changed it fetches the page and puts its content in place. A page that hears nothing says so.
(function () {
  "use strict";

  var meta = document.querySelector('meta[name="follow"]');
  var main = document.getElementById("content");
  if (!meta || !main || !window.fetch || !window.DOMParser) return;

  var EVERY = 4000;
  var SELDOM = 15000; // after half an hour without a change and without a touch
  var QUIET = 30 * 60 * 1000;
  var MISSED = 2; // questions in a row without an answer that make a connection lost
  var section = meta.dataset.section;
  var version = meta.dataset.version;
  var lang = document.documentElement.lang;
  var stirred = Date.now();
  var heard = Date.now();
  var missed = 0;
  var timer;
  var asking = false;
  var banner = null;

  function tell(name) { document.dispatchEvent(new CustomEvent(name)); }

  function pause() {
    if (missed) return Math.min(EVERY * Math.pow(1.6, missed - 1), SELDOM);
    var every = Date.now() - stirred > QUIET ? SELDOM : EVERY;
    return every * (0.9 + 0.2 * Math.random()); // so that a hall's phones do not ask in step
  }

  function later() {
    window.clearTimeout(timer);
    if (!document.hidden) timer = window.setTimeout(ask, pause());
  }

  function within(promise, milliseconds, stop) {
    var end = window.setTimeout(function () { if (stop) stop.abort(); }, milliseconds);
    return promise.finally(function () { window.clearTimeout(end); });
  }
  function get(address) {
    var stop = window.AbortController ? new AbortController() : null;
    var options = { credentials: "same-origin", cache: "no-cache", signal: stop ? stop.signal : undefined };
    return within(window.fetch(address, options).then(function (answer) {
      if (!answer.ok) throw new Error(String(answer.status));
      return answer.text();
    }), 10000, stop);
  }

  function ask() {
    if (asking) return;
    asking = true;
    get(meta.content).then(function (text) {
      var found = JSON.parse(text);
      var now = section ? found.sections[section] : found.event;
      if (!now || now === version) return null;
      return get(window.location.href.split("#")[0]).then(function (page) { swap(page, now); });
    }).then(onHeard, onMissed).then(function () {
      asking = false;
      later();
    });
  }

  function onHeard() {
    missed = 0;
    heard = Date.now();
    if (banner) {
      banner.remove();
      banner = null;
    }
    tell("follow:heard");
  }

  function onMissed() {
    missed += 1;
    if (missed < MISSED) return;
    tell("follow:lost");
    if (document.body.classList.contains("screen")) return;
    if (!banner) {
      banner = document.createElement("p");
      banner.className = "note warn follow-lost";
      banner.setAttribute("role", "status");
      main.parentNode.insertBefore(banner, main);
    }
    banner.textContent = meta.dataset.lost + " " + new Date(heard).toLocaleTimeString(lang, { hour12: false });
  }

  // What was typed or opened stays, and so does the focus.
  function swap(text, now) {
    var page = new DOMParser().parseFromString(text, "text/html");
    var fresh = page.getElementById("content");
    if (!fresh) throw new Error("no content");
    var told = page.querySelector('meta[name="follow"]');
    version = told ? told.dataset.version : now;
    stirred = Date.now();
    if (fresh.innerHTML === before) return;
    before = fresh.innerHTML;
    var typed = {};
    main.querySelectorAll("input[id], select[id], textarea[id]").forEach(function (field) {
      typed[field.id] = field.value;
    });
    var opened = Array.prototype.map.call(main.querySelectorAll("details"), function (each) { return each.open; });
    var focus = main.contains(document.activeElement) ? document.activeElement.id : "";
    var finder = main.querySelector("form[data-find]"); // its script holds on to it
    main.innerHTML = before;
    var place = main.querySelector("form[data-find]");
    if (finder && place) place.replaceWith(finder);
    Object.keys(typed).forEach(function (id) {
      var field = document.getElementById(id);
      if (field && field.value !== typed[id]) field.value = typed[id];
    });
    main.querySelectorAll("details").forEach(function (each, index) {
      if (opened[index]) each.open = true;
    });
    if (focus && document.getElementById(focus)) document.getElementById(focus).focus({ preventScroll: true });
    if (page.title) document.title = page.title;
    main.dispatchEvent(new CustomEvent("htmx:load", { bubbles: true, detail: { elt: main } }));
    tell("follow:swapped");
  }

  function wake() {
    stirred = Date.now();
    if (!document.hidden) {
      window.clearTimeout(timer);
      ask();
    }
  }

  var before = main.innerHTML;
  document.addEventListener("visibilitychange", wake);
  window.addEventListener("online", wake);
  window.addEventListener("pageshow", function (event) { if (event.persisted) wake(); });
  document.addEventListener("pointerdown", function () { stirred = Date.now(); }, { passive: true });
  later();
})();
