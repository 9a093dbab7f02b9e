// The racks of who builds several hands: which tile stands on which, as one arranges them. Until it is laid down a tile
// belongs to no hand, so racks are for the eye only. Knows no screen.

// `before`: what stood on each rack; `hands`: how many tiles each has laid down, and whether it is still open. What is held
// no longer goes; what has come fills the open racks in turn, up to an equal share.
/** @param {Code[][]} before @param {Code[]} codes @param {RackHand[]} hands @returns {Code[][]} */
export function onRacks(before, codes, hands) {
  const left = [...codes];
  const racks = hands.map(({ open }, at) => (open ? staying(before[at] || [], left) : []));
  const open = hands.flatMap((hand, at) => (hand.open ? [at] : []));
  const laid = open.reduce((sum, at) => sum + hands[at].laid, 0);
  const share = Math.ceil((codes.length + laid) / open.length);
  for (const at of open) racks[at].push(...left.splice(0, Math.max(0, share - hands[at].laid - racks[at].length)));
  racks[open.at(-1) ?? 0].push(...left);
  return racks;
}

// Those that are still held, in their order, which are taken out of `left`.
/** @param {Code[]} before @param {Code[]} left */
export function staying(before, left) {
  return before.filter((code) => {
    const at = left.indexOf(code);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

// With the tile at `from`, counted over all racks, on `rack`: before the tile at `to`, or at the end.
/** @param {Code[][]} racks @param {number} from @param {number} rack @param {number} [to] */
export function movedTo(racks, from, rack, to = Infinity) {
  const next = racks.map((codes) => [...codes]);
  const taken = placeOf(racks, from);
  const place = Number.isFinite(to) ? placeOf(racks, to).place : Infinity;
  const [code] = next[taken.rack].splice(taken.place, 1);
  next[rack].splice(place, 0, code);
  return next;
}

// Which rack, and where on it.
/** @param {Code[][]} racks @param {number} at */
export function placeOf(racks, at) {
  let rack = 0;
  while (rack < racks.length - 1 && at >= racks[rack].length) at -= racks[rack++].length;
  return { rack, place: at };
}
