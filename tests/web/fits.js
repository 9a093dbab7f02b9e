// What overlaps on the page as it is seen, which texts are cut, and what is too wide.
() => {
  const box = (one) => one.getBoundingClientRect();
  const name = (one) =>
    `${one.tagName.toLowerCase()}.${[...one.classList].join(".")} ${(one.textContent || one.getAttribute("aria-label") || "").trim().slice(0, 30)}`;
  const seen = (one) =>
    one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    box(one).width > 1 &&
    box(one).height > 1;
  // What may be clicked there: itself, or what it is part of or holds.
  const isOnTop = (one) => {
    const { left, top, width, height } = box(one);
    const [x, y] = [left + width / 2, top + height / 2];
    const hit = x >= 0 && y >= 0 && x < innerWidth && y < innerHeight && document.elementFromPoint(x, y);
    return Boolean(hit && (one.contains(hit) || (hit.contains(one) && !hit.matches("body, html, main"))));
  };
  const controls = [
    ...document.querySelectorAll("button, a[href], input, select, textarea, summary, .question, .last-words"),
  ].filter((one) => seen(one) && !one.closest("[inert], .cm-editor") && isOnTop(one));
  // What tells something on the felt, as long as nothing lies over all of it.
  const told =
    document.querySelector(".settlement:not(.aside), .over-felt, .side, .win-panel") && innerWidth < 1180
      ? []
      : [...document.querySelectorAll(".plate, .centre, .nearest-line")].filter(seen);
  told.forEach((one) => controls.includes(one) || controls.push(one));
  // What scrolls beneath a bar that stays.
  const bar = (one) => {
    for (; one; one = one.parentElement) if (["sticky", "fixed"].includes(getComputedStyle(one).position)) return one;
    return null;
  };
  const related = (one, other) =>
    bar(one) !== bar(other) ||
    one.contains(other) ||
    other.contains(one) ||
    (one.closest("label") && one.closest("label") === other.closest("label"));
  const overlaps = [];
  controls.forEach((one, at) => {
    const a = box(one);
    for (const other of controls.slice(at + 1)) {
      const b = box(other);
      const [w, h] = [
        Math.min(a.right, b.right) - Math.max(a.left, b.left),
        Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top),
      ];
      if (w > 2 && h > 2 && !related(one, other)) overlaps.push(`${name(one)} over ${name(other)}`);
    }
  });
  const hides = (style) => ["hidden", "clip"].includes(style.overflowX) || ["hidden", "clip"].includes(style.overflowY);
  const cut = [
    ...document.querySelectorAll(
      "button, a, h1, h2, h3, p, label, td, th, .name, .question-text, .badge, .label, .says, strong",
    ),
  ]
    .filter((one) => {
      if (!seen(one) || !one.textContent.trim() || one.closest(".unseen, [aria-hidden=true], [inert], .cm-editor"))
        return false;
      const style = getComputedStyle(one);
      const [wide, high] = [one.scrollWidth > one.clientWidth + 1, one.scrollHeight > one.clientHeight + 2];
      return style.display !== "inline" && hides(style) && style.textOverflow !== "ellipsis" && (wide || high);
    })
    .map(name);
  const panes = [
    document.documentElement,
    ...document.querySelectorAll(".side-body, .waiting-room .panel, .result-body, .chat-lines"),
  ].filter(seen);
  const sideways = panes
    .filter((one) => one.scrollWidth > one.clientWidth + 1)
    .map((one) => `${name(one)} has ${one.scrollWidth} in ${one.clientWidth}`);
  return { overlaps: [...new Set(overlaps)], cut: [...new Set(cut)], sideways };
};
