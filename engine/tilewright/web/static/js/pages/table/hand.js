// The own hand: tiles in order, the drawn one apart; which may be chosen, by mouse, touch and keys. `usePlay` knows what is
// asked and what is chosen so far; it is what the buttons above the hand work with.

import { oneIn } from "../../elements.js";
import { html, useEffect, useMemo, useRef, useState } from "../../html.js";
import { language, listed, named, number, t } from "../../text.js";
import { prefs } from "../../prefs.js";
import { useStore } from "../../store.js";
import { Tile, tileName } from "../../tiles.js";
import { Button, announce } from "../../ui.js";
import { Melds, Stacks } from "./felt.js";
import { arrived, exchangeOf, useGiven } from "./exchange.js";
import { handNumber, handOf, handsOf } from "./places.js";
import { isValued } from "./pond.js";
import { entriesOf, isClaim, isPick, mayPick, partsOf, pickMove, refusalsOf } from "./asking.js";
import { LONG, goToOffers, useDwell } from "./pointing.js";
import { movedTo, onRacks, placeOf } from "./racks.js";

/** @type {ReturnType<typeof entriesOf>} */
const NONE = { entries: [], pass: null };

/** @param {Session} session */
export function usePlay(session) {
  const { view, about, answered, claim } = session.now;
  const { confirm } = useStore(prefs);
  const { tiles, racks, arrange, toRack, leave } = useOrder(session);
  const [arranging, setArranging] = useState(false); // whether a click moves tiles between racks
  const codes = tiles.map((tile) => tile.code);
  const question = session.isAsked && session.me !== null ? view.question : null;
  const exchange = view.seat ? exchangeOf(view, about) : null;
  const { given, came, give } = useGiven(view, exchange);
  const lang = useStore(language);
  const asked = useMemo(
    () => (question ? entriesOf(question, about, codes) : NONE),
    [question, about, codes.join(" "), lang],
  );
  const refused = useMemo(() => refusalsOf(view, asked.entries), [view, asked]);
  const choosers = asked.entries.filter((entry) => entry.kind !== "ways");
  const [modeAt, setMode] = useState(0);
  const [cursor, setCursor] = useState(-1);
  const [dwelt, point] = useDwell();
  const [chosen, setChosen] = useState(/** @type {string[]} */ ([])); // keys of tiles
  const [opened, setOpened] = useState(/** @type {string | null} */ (null)); // the offer whose ways are shown
  const [reason, setReason] = useState("");
  const signature = question
    ? JSON.stringify([question.phase, question.name, asked.entries.map((one) => [one.does, one.kind, one.name])])
    : "";
  useEffect(() => {
    setMode(0);
    setChosen([]);
    setOpened(null);
    setReason("");
  }, [signature, session.now.seq]);
  const mode = choosers[Math.min(modeAt, choosers.length - 1)] || null;
  const at = cursor >= tiles.length ? tiles.length - 1 : cursor;

  const picked = tiles.filter((tile) => chosen.includes(tile.key)).map((tile) => tile.code);

  /** @param {HandTile} tile */
  const stateOf = (tile) => {
    if (!mode) return { legal: true };
    if (mode.kind === "hand")
      return mode.byCode.has(tile.code)
        ? { legal: true }
        : { legal: false, reason: refused.tiles.get(`${mode.does}:${tile.code}`) || t("table.not_this") };
    if (!mode.tiles.includes(tile.code))
      return { legal: false, reason: refused.tiles.get(`${mode.does}:${tile.code}`) || t("table.not_this") };
    if (chosen.includes(tile.key) || picked.length >= mode.most || mayPick(mode, [...picked, tile.code]))
      return { legal: true };
    return { legal: false, reason: t(picked.length ? "table.not_together" : "table.not_this") };
  };

  // `keys`: of the tiles that were chosen one by one.
  /** @param {Move} move @param {string[]} [keys] */
  const answer = (move, keys = []) => {
    setReason("");
    leave(tiles.flatMap((tile, place) => (keys.includes(tile.key) ? [place] : [])));
    give(codes.filter((code) => Object.values(move).some((text) => text.split(" ").includes(code))));
    session.answer(move);
  };

  /** @param {number} index */
  const act = (index) => {
    const tile = tiles[index];
    if (!tile) return false;
    if (toRack && (arranging || !mode)) return stand(index);
    if (!mode) return false;
    setCursor(index);
    const { legal, reason: why } = stateOf(tile);
    if (!legal) {
      setReason(why);
      announce(why);
      return true;
    }
    if (mode.kind === "hand") {
      const only = mode.byCode.get(tile.code);
      if (confirm && !chosen.includes(tile.key)) setChosen([tile.key]);
      else if (only) answer(only, [tile.key]);
      return true;
    }
    toggle(tile, mode);
    return true;
  };

  // Onto the next rack that takes tiles.
  /** @param {number} index */
  const stand = (index) => {
    const tile = tiles[index];
    if (!tile || !toRack) return false;
    const to = toRack(index);
    announce(t("table.on_rack", { tile: tileName(about, tile.code), rack: to + 1 }));
    return true;
  };

  /** @param {HandTile} tile @param {PickEntry} pick */
  const toggle = (tile, pick) => {
    const next = chosen.includes(tile.key) ? chosen.filter((key) => key !== tile.key) : [...chosen, tile.key];
    if (next.length > pick.most) return setReason(t("table.at_most", { count: pick.most }));
    setReason("");
    setChosen(next);
    announce(t("table.chosen", { count: next.length, most: pick.most }));
  };

  const canPick = mode?.kind === "pick" && isPick(mode, picked);
  const sendPick = () => mode?.kind === "pick" && canPick && answer(pickMove(mode, picked), chosen);
  const canPass = Boolean(
    asked.pass || (claim && !claim.passed && session.me !== null && !answered && view.discarder !== view.seat),
  );
  const pass = () => {
    if (asked.pass) answer(asked.pass);
    else if (canPass) session.ready();
    else return false;
    return true;
  };

  // The tile one points at, where it may be chosen alone.
  const pointed = mode?.kind === "hand" ? tiles.find((tile) => tile.key === dwelt && stateOf(tile).legal) : null;

  // A tile of somebody else is offered, and nothing else is asked.
  const claims = Boolean(question && !mode && asked.pass && isClaim(view, about));
  const ways = asked.entries.filter((entry) => entry.kind === "ways").filter((entry) => !entry.rare);

  // Claims the tile, or leads to the offers where it can be claimed in several ways.
  const take = () => {
    const moves = ways.flatMap((entry) => entry.moves);
    return moves.length === 1 ? (answer(moves[0]), true) : goToOffers();
  };

  // On the own turn: the one group that can be declared with this tile, or the win; the offers, where there are several.
  /** @param {number} index */
  const declare = (index) => {
    if (claims || !ways.length) return false;
    const code = tiles[index]?.code;
    const moves = ways.flatMap((entry) =>
      entry.moves.map((move) => ({ move, wins: entry.wins, codes: codesOf(move, about) })),
    );
    const withTile = moves.filter(({ codes: found }) => found.includes(code));
    const wins = moves.filter((one) => one.wins);
    const meant = withTile.length ? withTile : wins.length ? wins : moves.filter((one) => one.codes.length);
    if (!meant.length) return false;
    return meant.length === 1 ? (answer(meant[0].move), true) : goToOffers();
  };

  // The next tile; with shift the tile itself goes there, where one sorts by hand.
  /** @param {number} step */
  const move = (step) => (/** @type {KeyboardEvent} */ event) => {
    if (claims) return pass();
    if (!tiles.length) return false;
    setReason("");
    if (event.shiftKey && arrange && at >= 0) arrange(at, (at + step + tiles.length) % tiles.length);
    setCursor(at < 0 ? (step > 0 ? 0 : tiles.length - 1) : (at + step + tiles.length) % tiles.length);
    return true;
  };
  // The first or the last tile that may be chosen.
  /** @param {-1 | 0} end */
  const jump = (end) => () => {
    const legal = tiles.flatMap((tile, place) => (stateOf(tile).legal ? [place] : []));
    const place = legal.at(end);
    return place !== undefined && (setCursor(place), true);
  };
  const use = () => (claims ? take() : act(at));
  const keys = {
    ArrowLeft: { label: t(claims ? "questions.pass" : "table.key_left"), do: move(-1) },
    ArrowRight: { label: t(claims ? "questions.pass" : "table.key_right"), do: move(1) },
    a: { do: move(-1) },
    d: { do: move(1) },
    ...(arrange ? { "Shift ←": { label: t("table.key_move"), do: () => false } } : {}),
    Home: { label: t("table.key_first"), do: jump(0) },
    End: { label: t("table.key_last"), do: jump(-1) },
    ...(toRack ? { t: { label: t("table.key_rack"), do: () => stand(at) } } : {}),
    " ": { label: t(claims ? "table.key_claim" : "table.key_use"), do: use },
    ArrowUp: { label: t(claims ? "table.key_claim" : "table.key_use"), do: use },
    w: { do: use },
    Enter: { label: t("table.key_enter"), do: () => (mode?.kind === "pick" && canPick ? (sendPick(), true) : use()) },
    ArrowDown: { label: t("table.key_declare"), do: () => declare(at) },
    s: { do: () => declare(at) },
    p: { label: t("questions.pass"), do: pass },
    0: { do: pass },
    Escape: {
      do: () => {
        if (opened === null && !chosen.length && !reason) return false;
        setOpened(null);
        setChosen([]);
        setReason("");
        return true;
      },
    },
  };
  return {
    tiles,
    racks,
    arranging,
    setArranging: toRack && setArranging,
    asked,
    refused,
    mode,
    modeAt,
    setMode,
    choosers,
    cursor: at,
    setCursor,
    chosen,
    picked,
    canPick,
    sendPick,
    canPass,
    pass,
    act,
    exchange,
    given,
    came: arrived(tiles, came),
    clear: () => setChosen([]),
    stateOf,
    answer,
    arrange,
    toRack,
    opened,
    setOpened,
    reason,
    setReason,
    keys,
    question,
    claims,
    take,
    declare,
    pointed,
    point,
  };
}

// The tiles that a move is about.
/** @param {Move} move @param {About} about */
function codesOf(move, about) {
  return partsOf(move, about, (seat) => seat).flatMap((part) => (part.tiles || []).map((tile) => tile.code));
}

// The tiles of the hand, each with a key that stays: sorted as the view tells them with the drawn one last, or as they came
// and as one has arranged them since; rack by rack, where one builds several hands.
/** @param {Session} session */
function useOrder(session) {
  useStore(prefs);
  const { view, about } = session.now;
  const kept = useRef(/** @type {Code[][]} */ ([]));
  const leaving = useRef(/** @type {number[]} */ ([])); // places of tiles that were chosen in the last answer
  const [, again] = useState(0);
  const codes = view.seat ? handOf(view).filter((code) => code !== null) : [];
  const sorter = about.buttons.find((button) => button.sorts === "hand");
  const sorts = !sorter || session.on.has(sorter.id);
  const claimed = view.discarder && view.discarder !== view.seat; // nothing was drawn since
  const drawn = view.turn === view.seat && !claimed ? view.drawn : null;
  const melds = view.melds[view.seat ?? ""] || [];
  const hands = handsOf(view).map(({ hand, state }) => ({
    open: state === "open",
    laid: melds.reduce((sum, meld) => sum + (handNumber(meld) === hand ? meld.tiles.length : 0), 0),
  }));
  const came = onRacks(kept.current, drawnLast(codes, drawn), hands, leaving.current);
  if (codes.length < kept.current.flat().length) leaving.current = []; // they have left
  const racks = sorts ? came.map((rack) => drawnLast(asSorted(rack, codes), drawn)) : came;
  kept.current = racks;
  const counts = new Map();
  const last = racks.findLastIndex((rack) => rack.at(-1) === drawn);
  const tiles = racks.flatMap((rack, number) =>
    rack.map((code, at) => {
      const nth = (counts.get(code) || 0) + 1;
      counts.set(code, nth);
      const isDrawn = drawn === code && at === rack.length - 1 && number === last;
      return { code, key: `${code} ${nth}`, drawn: isDrawn, rack: number };
    }),
  );
  /** @param {Code[][]} next */
  const keep = (next) => {
    kept.current = next;
    leaving.current = [];
    again((count) => count + 1);
  };
  /** @param {number} from @param {number} to */
  const arrange = (from, to) => keep(movedTo(racks, from, placeOf(racks, to).rack, to));
  const open = hands.flatMap((hand, at) => (hand.open ? [at] : []));
  /** @param {number} from @param {number} [rack] */
  const toRack = (from, rack = open[(open.indexOf(placeOf(racks, from).rack) + 1) % open.length]) => {
    keep(movedTo(racks, from, rack));
    return rack;
  };
  /** @param {number[]} places */
  const leave = (places) => {
    leaving.current = places;
  };
  return {
    tiles,
    racks,
    arrange: sorts && open.length < 2 ? null : arrange,
    toRack: open.length < 2 ? null : toRack,
    leave,
  };
}

// As the whole hand is sorted.
/** @param {Code[]} rack @param {Code[]} codes */
function asSorted(rack, codes) {
  return [...rack].sort((one, other) => codes.indexOf(one) - codes.indexOf(other));
}

/** @param {Code[]} codes @param {Seen} drawn @returns {Code[]} */
function drawnLast(codes, drawn) {
  const at = drawn ? codes.lastIndexOf(drawn) : -1;
  return at < 0 || drawn === null ? codes : [...codes.slice(0, at), ...codes.slice(at + 1), drawn];
}

/** @param {{ session: Session, play: Play }} props */
export function Hand({ session, play }) {
  const { about, view, help } = session.now;
  const hint = help.hint?.found?.move;
  const hinted =
    hint && play.mode
      ? new Set(
          Object.entries(hint)
            .filter(([name]) => name === play.mode.name)
            .flatMap(([, value]) => value.split(" ")),
        )
      : new Set();
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const focused = box.current && oneIn(box.current, `[data-at="${play.cursor}"]`);
    if (focused && (document.activeElement === document.body || box.current?.contains(document.activeElement)))
      focused.focus({ preventScroll: true });
  }, [play.cursor]);
  const left = about.zones.find((zone) => zone.id === "melds")?.side === "left";
  const hands = handsOf(view);
  /** @param {number} rack */
  const tilesOn = (rack) =>
    play.tiles.map((tile, at) =>
      tile.rack === rack
        ? html`<${HandTile} key=${tile.key} tile=${tile} at=${at} play=${play} session=${session} hinted=${hinted.has(tile.code)} />`
        : null,
    );
  if (hands.length > 1)
    return html`<div class=${`hand-row racks ${left ? "melds-left" : ""}`} ref=${box}>
      ${hands.map((hand, rack) => html`<${Rack} key=${rack} rack=${rack} hand=${hand} play=${play} session=${session}>${tilesOn(rack)}<//>`)}
      <div class="aside">
        <${OwnZones} session=${session} />
        ${play.setArranging && html`<${Button} quiet pressed=${play.arranging} onClick=${() => play.setArranging?.(!play.arranging)} title=${t("table.arrange_about")}>${t("table.arrange")}<//>`}
      </div>
    </div>`;
  return html`<div class=${`hand-row ${left ? "melds-left" : ""}`}>
    <div class="hand" role="group" aria-label=${t("table.hand")} ref=${box}>${tilesOn(0)}</div>
    <div class="aside">
      <${Melds} session=${session} seat=${view.seat} />
      <${OwnZones} session=${session} />
    </div>
  </div>`;
}

// One of several hands: what stands on its rack, and what is laid down of it. A tile that is dropped there stays there.
/** @param {{ rack: number, hand: MadeHand, play: Play, session: Session, children: Child }} props */
function Rack({ rack, hand, play, session, children }) {
  const { about, view } = session.now;
  const { toRack } = play;
  const drop = toRack &&
    hand.state === "open" && {
      onDragOver: (/** @type {DragEvent} */ event) => event.preventDefault(),
      onDrop: (/** @type {DragEvent} */ event) => {
        event.preventDefault();
        const from = Number(event.dataTransfer?.getData("text/plain"));
        if (play.tiles[from]) toRack(from, rack);
      },
    };
  const name = t(`table.hand_${hand.state}`, { number: hand.hand, total: hand.total ?? 0 });
  return html`<div class=${`rack ${hand.state}`} ...${drop || {}} title=${name}>
    <b class="rack-number" aria-hidden="true">${hand.hand}</b>
    <div class="hand" role="group" aria-label=${name}>${children}</div>
    ${
      hand.state === "won"
        ? html`<div class="melds">
          ${wonOf(hand).map((codes, at) => html`<span class="meld" key=${at}>${codes.map((code, place) => html`<${Tile} key=${place} code=${code} about=${about} />`)}</span>`)}
          <b class="number">${number(hand.total ?? 0)}</b>
        </div>`
        : html`<${Melds} session=${session} seat=${view.seat} hand=${hand.hand} />`
    }
  </div>`;
}

const LEAST_ROOM = 14.6; // a hand of fourteen with the drawn one apart
const STANDING = 1.017; // a tile with the gap after it
const CLOSE = 1.04; // the same in a long hand, where the gap is a whole pixel of a small tile
const MANY = 20; // tiles
const APART = 0.35; // what is apart
const LYING = 0.72; // the width of a tile that lies beside the hand
const ACROSS = 0.45; // more, of a group with a tile across and the gap after it
const SMALLER = 0.5; // of one in another zone

// How much room the hand and what lies beside it take, in widths of a tile of the hand.
/** @param {{ now: Knows }} one @param {Code[][]} racks */
export function roomOf({ now: { view, about } }, racks) {
  const melds = view.melds[view.seat ?? ""] || [];
  const others = ownZones(view, about).reduce((sum, { zone, codes }) => sum + widthIn(zone, codes) * SMALLER, 0);
  const hands = handsOf(view);
  const rooms = racks.map((rack, at) => {
    const laid = [
      ...melds.filter((meld) => handNumber(meld) === at + 1).map(({ tiles }) => tiles),
      ...wonOf(hands[at]),
    ];
    const width = laid.reduce((sum, tiles) => sum + tiles.length * LYING + ACROSS, 0);
    return (
      rack.length * (rack.length > MANY ? CLOSE : STANDING) + APART + (width || others ? 2 * APART + width + others : 0)
    );
  });
  return Math.max(LEAST_ROOM, ...rooms);
}

// Of another zone, in tiles: hidden ones lie in stacks, or are one with their number.
/** @param {{ stacked: number }} one @param {Seen[]} codes */
function widthIn({ stacked }, codes) {
  if (codes.some(Boolean)) return codes.length;
  return stacked ? Math.ceil(codes.length / stacked) : Math.min(codes.length, 2);
}

/** @param {{ tile: HandTile, at: number, play: Play, session: Session, hinted: boolean }} props */
function HandTile({ tile, at, play, session, hinted }) {
  const { about, view } = session.now;
  const { legal, reason } = play.stateOf(tile);
  const selected = play.chosen.includes(tile.key);
  const came = play.came.has(tile.key);
  const name = tileName(about, tile.code);
  const timer = useRef(0);
  const held = useRef(false); // the click that ends a long press is none
  const look = () => {
    if (!play.declare(at)) play.setReason(reason ? `${name}: ${reason}` : name);
  };
  /** @param {{ button: number }} one */
  const press = ({ button }) => {
    held.current = false;
    if (button === 0) timer.current = setTimeout(() => ((held.current = true), look()), LONG);
  };
  /** @param {Happening} event */
  const menu = (event) => {
    event.preventDefault();
    release();
    if (!held.current) look();
    held.current = event.pointerType === "touch";
  };
  const release = () => clearTimeout(timer.current);
  /** @param {{ currentTarget: HTMLElement }} one */
  const focus = ({ currentTarget }) => {
    if (currentTarget.matches(":focus-visible, :active")) play.point(tile.key); // not where the page moves the focus, as after a click on a claim
    if (play.cursor !== at) play.setCursor(at);
  };
  const drag = play.arrange
    ? {
        draggable: true,
        onDragStart: (/** @type {DragEvent} */ event) => event.dataTransfer?.setData("text/plain", String(at)),
        onDragOver: (/** @type {DragEvent} */ event) => event.preventDefault(),
        onDrop: (/** @type {DragEvent} */ event) => {
          event.preventDefault();
          event.stopPropagation();
          const from = Number(event.dataTransfer?.getData("text/plain"));
          if (play.tiles[from]) play.arrange?.(from, at);
        },
      }
    : {};
  const label = listed([
    name,
    tile.drawn && t("table.drawn"),
    came && t("table.came"),
    selected && t("table.selected"),
    hinted && t("table.hinted"),
    !legal && reason,
  ]);
  const states = [
    legal ? "" : "illegal",
    selected ? "selected" : "",
    tile.drawn ? "drawn" : "",
    hinted ? "hinted" : "",
    came ? "came" : "",
    selected && play.exchange ? "on-tray" : "",
    play.cursor === at ? "cursor" : "",
  ];
  return html`<button type="button" class=${`hand-tile ${states.join(" ")}`} ...${drag} data-at=${at} data-keys data-code=${tile.code}
    tabindex=${play.cursor === at || (play.cursor < 0 && at === 0) ? 0 : -1}
    aria-label=${label} aria-disabled=${String(!legal || !play.mode)} aria-pressed=${play.mode?.kind === "pick" ? String(selected) : null}
    title=${legal ? name : `${name}: ${reason}`}
    onClick=${() => held.current || play.act(at)} onFocus=${focus} onBlur=${() => play.point(null)}
    onPointerDown=${press} onPointerUp=${release} onPointerLeave=${() => (release(), play.point(null))} onPointerEnter=${(event) => event.pointerType === "mouse" && play.point(tile.key)}
    onKeyUp=${(event) => event.key === " " && event.preventDefault()}
    onContextMenu=${menu}>
    <${Tile} code=${tile.code} about=${about} state=${`stand ${isValued(view, tile.code) ? "dora" : ""}`} silent title="" />
  </button>`;
}

// The groups of a hand that was won, and its other tiles.
/** @param {MadeHand} hand */
const wonOf = ({ melds = [], tiles = [] }) => [...melds, tiles].filter((codes) => codes.length > 0);

// Other zones of the own seat that hold something: bonus tiles and the like. Hands that were won lie beside their racks.
/** @param {View} view @param {About} about */
function ownZones(view, about) {
  const won = handsOf(view).flatMap(wonOf).flat().sort().join();
  return about.zones
    .filter((zone) => zone.of === "seat" && !zone.claimable && !["hand", "melds"].includes(zone.id))
    .map((zone) => ({ zone, codes: view.zones[zone.id]?.[view.seat ?? ""] || [] }))
    .filter(({ codes }) => codes.length > 0 && [...codes].sort().join() !== won);
}

/** @param {{ session: Session }} props */
function OwnZones({ session }) {
  const { about, view } = session.now;
  return ownZones(view, about).map(
    ({ zone, codes }) => html`<div class="own-zone" data-zone=${zone.id} title=${named(zone.name, zone.id)}>
      ${codes.every((code) => !code) ? (zone.stacked ? html`<${Stacks} zone=${zone} count=${codes.length} about=${about} />` : html`<${Tile} code=${null} about=${about} /><b class="number">${codes.length}</b>`) : codes.map((code, at) => html`<${Tile} key=${at} code=${code} about=${about} />`)}
    </div>`,
  );
}
