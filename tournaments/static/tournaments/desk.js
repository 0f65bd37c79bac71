// Copies a text that stands on the page; without a clipboard the button stays away.
(function () {
  "use strict";
  if (!navigator.clipboard) return;
  document.querySelectorAll("[data-copies]").forEach(function (button) {
    var source = document.getElementById(button.dataset.copies);
    if (!source) return;
    button.hidden = false;
    button.addEventListener("click", function () {
      navigator.clipboard.writeText(source.textContent).then(function () {
        button.textContent = "✓ " + button.dataset.copied;
      });
    });
  });
})();
