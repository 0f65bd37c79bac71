// "Find me" on lists: marks the rows of a name, scrolls to them, and remembers the name for the next round.
// The name is matched as the server does: small letters without accents, spaces and punctuation.
(function () {
  "use strict";

  var form = document.querySelector("form[data-find]");
  if (!form) return;
  var input = form.querySelector('input[type="search"]');
  var count = form.querySelector("[data-count]");
  var KEY = "my-name";
  var at = -1;
  var bar = null;

  function plain(text) {
    return text.toLowerCase().normalize("NFKD").replace(/[^\p{L}\p{N}]/gu, "");
  }

  function stored() {
    try {
      return window.localStorage.getItem(KEY) || "";
    } catch (error) {
      return "";
    }
  }

  function store(value) {
    try {
      if (value) window.localStorage.setItem(KEY, value);
      else window.localStorage.removeItem(KEY);
    } catch (error) {
      // Nothing is kept; the search works all the same.
    }
  }

  function rows() {
    return Array.prototype.slice.call(document.querySelectorAll("[data-keys]"));
  }

  // A board has the keys of both of its sides, a stroke between: the words must all be found on one side.
  function sideOf(row, words) {
    return row.dataset.keys.split(" / ").findIndex(function (side) {
      var keys = side.split(" ");
      return words.every(function (word) {
        var whole = /^\d+$/.test(word);
        return keys.some(function (key) { return whole ? key === word : key.indexOf(word) !== -1; });
      });
    });
  }

  // "My board" above the thumb: board, colour and opponent of the one found, on the list of a round's boards.
  function showBar(row, side) {
    var number = row.querySelector(".bd .sq");
    var names = row.querySelectorAll(".w .nm, .b .nm");
    if (!number || names.length !== 2) return;
    if (!bar) {
      bar = document.createElement("a");
      bar.className = "mybar narrow no-print";
      bar.href = "#boards";
      bar.innerHTML = '<span class="sq"></span><span><span class="pc"></span> <b></b><small></small></span>';
      bar.setAttribute("aria-label", form.dataset.my);
      bar.addEventListener("click", function (event) {
        event.preventDefault();
        var mine = document.querySelector("tr.mine");
        if (mine) show(mine);
      });
      document.body.appendChild(bar);
    }
    bar.hidden = false;
    document.body.classList.add("has-my");
    bar.querySelector(".sq").textContent = number.textContent;
    bar.querySelector(".pc").classList.toggle("b", side === 1);
    bar.querySelector("b").textContent = names[side].textContent + " · " + (side ? form.dataset.black : form.dataset.white);
    bar.querySelector("small").textContent = form.dataset.against + " " + names[1 - side].textContent;
  }

  function hideBar() {
    if (bar) bar.hidden = true;
    document.body.classList.remove("has-my");
  }

  function mark() {
    var words = input.value.split(/\s+/).map(plain).filter(Boolean);
    var found = [];
    rows().forEach(function (row) {
      var side = words.length > 0 ? sideOf(row, words) : -1;
      row.classList.toggle("mine", side !== -1);
      if (side !== -1) found.push(row);
      if (side !== -1 && found.length === 1) showBar(row, side);
    });
    if (found.length !== 1) hideBar(); // one name, one board: of several nobody knows which is the reader's
    if (count) count.textContent = words.length === 0 ? "" : found.length === 0 ? form.dataset.none : String(found.length);
    return found;
  }

  function show(row) {
    var calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    row.scrollIntoView({ block: "center", behavior: calm ? "auto" : "smooth" });
  }

  input.addEventListener("input", function () {
    at = -1;
    store(input.value.trim());
    var found = mark();
    if (found.length) show(found[0]);
  });

  // Enter goes from one found row to the next. A list that was filtered by the server is asked again instead.
  form.addEventListener("submit", function (event) {
    if (new URLSearchParams(window.location.search).get("q")) return;
    var found = mark();
    if (!input.value.trim()) return;
    event.preventDefault();
    if (!found.length) return;
    at = (at + 1) % found.length;
    show(found[at]);
  });

  // Choosing a club asks for the club's list, not for the remembered name within it.
  form.addEventListener("change", function (event) {
    if (event.target.tagName === "SELECT") input.disabled = true;
  }, true);

  if (!input.value) input.value = stored();
  var first = mark();
  if (first.length && !window.location.hash) show(first[0]);
  document.addEventListener("htmx:load", mark);
})();
