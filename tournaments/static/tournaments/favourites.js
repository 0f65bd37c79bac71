// "My favourites": players starred on their pages are marked on every list and named above it. Kept in this browser only.
(function () {
  "use strict";

  var KEY = "favourites";
  var MOST = 200; // the oldest give way

  function kept() {
    try {
      var found = JSON.parse(window.localStorage.getItem(KEY) || "[]");
      return Array.isArray(found) ? found.filter(function (path) { return typeof path === "string"; }) : [];
    } catch (error) {
      return [];
    }
  }

  function keep(paths) {
    try {
      window.localStorage.setItem(KEY, JSON.stringify(paths.slice(-MOST)));
      return true;
    } catch (error) {
      return false; // Nothing can be kept here, so no star is shown as set.
    }
  }

  function setUpStar(button) {
    var path = window.location.pathname;
    function tell() {
      var starred = kept().indexOf(path) !== -1;
      button.setAttribute("aria-pressed", String(starred));
      button.querySelector("[data-sign]").textContent = starred ? "★" : "☆";
    }
    button.hidden = false;
    button.addEventListener("click", function () {
      var paths = kept();
      var others = paths.filter(function (other) { return other !== path; });
      keep(others.length < paths.length ? others : others.concat(path));
      tell();
    });
    tell();
  }

  // The rows of starred players; a board belongs to both of its sides.
  function mark() {
    var paths = kept();
    var names = document.querySelector("[data-favourites]");
    var list = names && names.querySelector("ul");
    if (list) list.textContent = "";
    document.querySelectorAll("[data-keys]").forEach(function (row) {
      var seen = {}; // a row may link a player twice, for phones and for wide screens: the first link carries the star
      var links = Array.prototype.filter.call(row.querySelectorAll("a[href]"), function (link) {
        var starred = paths.indexOf(link.pathname) !== -1 && !seen[link.pathname];
        if (starred) seen[link.pathname] = true;
        nameIn(link).classList.toggle("starred", starred);
        return starred;
      });
      row.classList.toggle("favourite", links.length > 0);
      if (list) links.forEach(function (link) { list.appendChild(entryOf(row, link)); });
    });
    if (names) names.hidden = !list.children.length;
  }

  function nameIn(link) {
    return link.querySelector(".nm") || link;
  }

  function entryOf(row, link) {
    var item = document.createElement("li");
    var button = document.createElement("button");
    button.type = "button";
    button.className = "button small";
    button.textContent = nameIn(link).textContent.trim();
    button.addEventListener("click", function () { row.scrollIntoView({ block: "center" }); });
    item.appendChild(button);
    return item;
  }

  document.querySelectorAll("[data-star]").forEach(setUpStar);
  mark();
  document.addEventListener("htmx:load", mark);
})();
