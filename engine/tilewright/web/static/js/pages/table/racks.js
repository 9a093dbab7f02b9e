// The racks of who builds several hands: which tile stands on which, as one arranges them. Until it is laid down a tile
// belongs to no hand, so racks are for the eye only. Knows no screen.

// `before`: what stood on each rack; `hands`: how many tiles each has laid down, and whether it is still open; `chosen`: the
// places, counted over all racks, of tiles that leave before others like them. What is held no longer goes; what has come
// fills the open racks in turn, up to an equal share.
/** @param {Code[][]} before @param {Code[]} codes @param {RackHand[]} hands @param {number[]} [chosen] @returns {Code[][]} */
export function onRacks(before, codes, hands, chosen = []) {
  const left = [...codes];
  const stood = before.flatMap((rack, at) => rack.map((code) => ({ code, at })));
  const isChosen = stood.map((_, place) => chosen.includes(place));
  const inTurn = [...stood.filter((_, place) => !isChosen[place]), ...stood.filter((_, place) => isChosen[place])];
  const stay = new Set(inTurn.filter(({ code, at }) => hands[at]?.open && takenFrom(left, code)));
  const racks = hands.map((_, at) => stood.filter((one) => one.at === at && stay.has(one)).map(({ code }) => code));
  const open = hands.flatMap((hand, at) => (hand.open ? [at] : []));
  const laid = open.reduce((sum, at) => sum + hands[at].laid, 0);
  const share = Math.ceil((codes.length + laid) / open.length);
  for (const at of open) racks[at].push(...left.splice(0, Math.max(0, share - hands[at].laid - racks[at].length)));
  racks[open.at(-1) ?? 0].push(...left);
  return racks;
}

// Whether a tile was there, which is taken out.
/** @param {Code[]} codes @param {Code} code */
function takenFrom(codes, code) {
  const at = codes.indexOf(code);
  if (at >= 0) codes.splice(at, 1);
  return at >= 0;
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
