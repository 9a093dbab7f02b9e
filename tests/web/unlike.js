// What axe finds in so many of all things that look alike, have the same parts and are within the same: the others, such
// as most of a thousand tiles, are not there meanwhile.
async (most) => {
  const LOOKS = "color backgroundColor backgroundImage fontSize fontWeight opacity visibility display".split(" ");
  const TOLD = /^(role|type|lang|aria-\w+ed)$/; // whose values say what it is
  const WHOLE = "a, button, label, summary, tr"; // whose parts say together what it is
  const NAMED = "[id], [for]"; // others may be about it
  const known = new Map();
  const id = (...parts) => {
    const text = parts.join("|");
    if (!known.has(text)) known.set(text, known.size);
    return known.get(text);
  };
  const looks = (one) => {
    const style = getComputedStyle(one);
    const states = one.getAttributeNames().map((name) => (TOLD.test(name) ? one.getAttribute(name) : name));
    const words = [...one.childNodes].some((part) => part.nodeType === Node.TEXT_NODE && part.data.trim());
    return id(one.tagName, ...states, words, ...LOOKS.map((name) => style[name]));
  };
  const own = new Map();
  const whole = new Map();
  const weigh = (one) => {
    own.set(one, looks(one));
    whole.set(one, id(own.get(one), ...[...one.children].map(weigh)));
    return whole.get(one);
  };
  const times = new Map();
  const left = [];
  const hide = (one, within) => {
    const kind = id("in", within, whole.get(one));
    times.set(kind, (times.get(kind) ?? 0) + 1);
    if (times.get(kind) > most && !one.matches(NAMED) && !one.querySelector(NAMED)) left.push(one);
    else if (!one.matches(WHOLE)) for (const part of one.children) hide(part, id("within", within, own.get(one)));
  };
  weigh(document.body);
  hide(document.body, 0);
  const places = left.map((one) => {
    const place = document.createComment("alike");
    one.replaceWith(place);
    return place;
  });
  try {
    const { violations } = await axe.run(document, { resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`),
    );
  } finally {
    places.forEach((place, at) => place.replaceWith(left[at]));
  }
};
