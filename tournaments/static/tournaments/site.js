// Small helps for every page. Everything works without them.
(function () {
  "use strict";

  var root = document.documentElement;

  function remember(key, value) {
    try {
      window.localStorage.setItem(key, value);
    } catch (error) {
      // Nothing is kept; the page works all the same.
    }
  }

  function setUpTheme() {
    document.querySelectorAll("[data-theme-switch]").forEach(function (button) {
      button.hidden = false;
      button.addEventListener("click", function () {
        var systemDark = window.matchMedia("(prefers-color-scheme: dark)").matches;
        var dark = root.dataset.theme ? root.dataset.theme === "dark" : systemDark;
        root.dataset.theme = dark ? "light" : "dark";
        remember("theme", root.dataset.theme);
      });
    });
  }

  // <time datetime data-relative>13:40</time> gets "in 12 min" beside it.
  function tellRelativeTimes() {
    if (!window.Intl || !Intl.RelativeTimeFormat) return;
    var format = new Intl.RelativeTimeFormat(root.lang || "en", { numeric: "auto", style: "short" });
    document.querySelectorAll("time[data-relative]").forEach(function (element) {
      var minutes = Math.round((new Date(element.dateTime).getTime() - Date.now()) / 60000);
      var text = "";
      if (Math.abs(minutes) < 60) text = format.format(minutes, "minute");
      else if (Math.abs(minutes) < 24 * 60) text = format.format(Math.round(minutes / 60), "hour");
      // On its own, "in 12 min" takes the place of the time.
      if (element.dataset.relative === "plain") {
        element.textContent = text || format.format(Math.round(minutes / 60 / 24), "day");
        return;
      }
      var beside = element.nextElementSibling;
      if (!beside || !beside.classList.contains("relative")) {
        beside = document.createElement("span");
        beside.className = "relative";
        element.after(beside);
      }
      beside.textContent = text ? " (" + text + ")" : "";
    });
  }

  function stampPrintTime() {
    var now = new Date();
    document.querySelectorAll("[data-print-time]").forEach(function (element) {
      element.textContent = now.toLocaleString(root.lang || undefined, { dateStyle: "medium", timeStyle: "short" });
    });
  }

  // Runs again on what htmx swaps in.
  function setUp(part) {
    part.querySelectorAll("[data-print]").forEach(function (button) {
      button.hidden = false;
      button.addEventListener("click", function () { window.print(); });
    });
    part.querySelectorAll("[data-opens]").forEach(function (button) {
      button.addEventListener("click", function (event) {
        var dialog = document.getElementById(button.dataset.opens);
        if (!dialog || !dialog.showModal) return;
        event.preventDefault();
        dialog.showModal();
      });
    });
    part.querySelectorAll("dialog [data-closes]").forEach(function (button) {
      button.addEventListener("click", function () { button.closest("dialog").close(); });
    });
    // A destructive form: its button opens when the asked-for word is typed.
    part.querySelectorAll("form[data-type-to-confirm]").forEach(function (form) {
      var input = form.querySelector("[data-confirm-word]");
      var button = form.querySelector("[data-confirmed]");
      if (!input || !button) return;
      function check() { button.disabled = input.value.trim() !== form.dataset.typeToConfirm; }
      input.addEventListener("input", check);
      check();
    });
    part.querySelectorAll("select[data-go]").forEach(function (select) {
      select.addEventListener("change", function () { select.form.submit(); });
    });
    part.querySelectorAll("[data-leaves-with-script]").forEach(function (element) { element.hidden = true; });
  }

  // A rank of rounds that is wider than the screen begins at the round that is shown.
  function showCurrentRound() {
    document.querySelectorAll(".rounds [aria-current]").forEach(function (square) {
      var rank = square.parentElement;
      rank.scrollLeft = square.offsetLeft - rank.offsetLeft - (rank.clientWidth - square.offsetWidth) / 2;
    });
  }

  // The page's address to whatever this device shares by, else to the clipboard.
  function setUpShare() {
    if (!navigator.share && !navigator.clipboard) return;
    document.querySelectorAll("[data-share]").forEach(function (button) {
      button.hidden = false;
      button.addEventListener("click", function () {
        var link = document.querySelector('link[rel="canonical"]');
        var address = link ? link.href : window.location.href;
        if (navigator.share) navigator.share({ title: document.title, url: address }).catch(function () {});
        else navigator.clipboard.writeText(address);
      });
    });
  }

  setUpTheme();
  setUpShare();
  showCurrentRound();
  setUp(document);
  tellRelativeTimes();
  window.setInterval(tellRelativeTimes, 30000);
  stampPrintTime();
  window.addEventListener("beforeprint", stampPrintTime);
  document.addEventListener("htmx:load", function (event) {
    if (event.target !== document.body) setUp(event.target);
    tellRelativeTimes();
  });
})();
