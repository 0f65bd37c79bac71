// Sets the chosen theme before the page is drawn, so that nothing flashes. Without a choice the system's theme holds.
(function () {
  "use strict";
  var root = document.documentElement;
  root.classList.add("scripted");
  try {
    var theme = window.localStorage.getItem("theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  } catch (error) {
    // Storage is closed to us: the system's theme holds.
  }
})();
