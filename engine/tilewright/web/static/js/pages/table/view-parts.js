// View parts: the server sends of a view only the parts that have changed, by path: {"zones/hand/E": [...], "turn": "S"}.

// The view with these parts; a view that is shown is not changed.
/** @param {View | null} view @param {Record<string, unknown>} parts @returns {View} */
export function withParts(view, parts) {
  /** @type {Record<string, unknown>} */
  const found = { ...view };
  const own = new Set();
  for (const [path, part] of Object.entries(parts)) {
    const names = path.split("/");
    const last = names.pop() ?? "";
    let at = found;
    let so = "";
    for (const name of names) {
      so += `${name}/`;
      if (!own.has(so)) at[name] = { .../** @type {object} */ (at[name]) };
      own.add(so);
      at = /** @type {Record<string, unknown>} */ (at[name]);
    }
    at[last] = part;
  }
  return /** @type {View} */ (/** @type {unknown} */ (found));
}
