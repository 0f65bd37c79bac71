// Says how a time that is being typed will be read: 2:30 charged is two and a half minutes. The server reads it alike.
(function () {
  "use strict";

  function seconds(text, kind) {
    var match = /^([+\-\u2212]?)\s*(\d{1,3})(?:[:\uff1a.](\d{2}))?(?:[:\uff1a.](\d{2}))?$/.exec(text.trim());
    if (!match) return null;
    var parts = [match[2], match[3], match[4]].filter(function (part) { return part !== undefined; }).map(Number);
    if (parts.slice(1).some(function (part) { return part > 59; })) return null;
    var found = parts.reduce(function (sum, part) { return sum * 60 + part; }, 0);
    if (kind === "used" && parts.length < 3) found *= 60;
    if (kind === "blitz" && parts.length < 2) found *= 60;
    return match[1] && match[1] !== "+" ? -found : found;
  }

  function words(found, texts) {
    var left = Math.abs(found);
    var said = [];
    if (left >= 3600) said.push(Math.floor(left / 3600) + " " + texts.hours);
    if (left % 3600 >= 60) said.push(Math.floor((left % 3600) / 60) + " " + texts.minutes);
    if (left % 60 || !said.length) said.push((left % 60) + " " + texts.seconds);
    return (found < 0 ? "\u2212 " : "") + said.join(" ");
  }

  var texts = document.querySelector("[data-time-words]");
  if (!texts) return;
  document.querySelectorAll("input[data-time]").forEach(function (input) {
    var output = document.createElement("output");
    output.className = "help reads";
    input.insertAdjacentElement("afterend", output);
    function show() {
      var found = input.value.trim() ? seconds(input.value, input.dataset.time) : null;
      output.textContent = found === null ? "" : "= " + words(found, texts.dataset);
    }
    input.addEventListener("input", show);
    show();
  });
})();
