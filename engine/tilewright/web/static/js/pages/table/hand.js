// The own hand: tiles in order, the drawn one apart; which may be chosen, by mouse, touch and keys. `usePlay` knows what is
// asked and what is chosen so far; it is what the buttons above the hand work with.

import { oneIn } from "../../elements.js";
import { html, useEffect, useMemo, useRef, useState } from "../../html.js";
import { language, listed, named, t } from "../../text.js";
import { prefs } from "../../prefs.js";
import { useStore } from "../../store.js";
import { Tile, tileName } from "../../tiles.js";
import { announce } from "../../ui.js";
import { Melds, Stacks } from "./felt.js";
import { arrived, exchangeOf, useGiven } from "./exchange.js";
import { handOf } from "./places.js";
import { isValued } from "./pond.js";
import { entriesOf, isClaim, isPick, mayPick, partsOf, pickMove, refusalsOf } from "./asking.js";
import { LONG, goToOffers, useDwell } from "./pointing.js";

/** @type {ReturnType<typeof entriesOf>} */
const NONE = { entries: [], pass: null };

/** @param {Session} session */
export function usePlay(session) {
  const { view, about, answered, claim } = session.now;
  const { confirm } = useStore(prefs);
  const { tiles, arrange } = useOrder(session);
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

  /** @param {Move} move */
  const answer = (move) => {
    setReason("");
    give(codes.filter((code) => Object.values(move).some((text) => text.split(" ").includes(code))));
    session.answer(move);
  };

  /** @param {number} index */
  const act = (index) => {
    const tile = tiles[index];
    if (!tile || !mode) return false;
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
      else if (only) answer(only);
      return true;
    }
    toggle(tile, mode);
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
  const sendPick = () => mode?.kind === "pick" && canPick && answer(pickMove(mode, picked));
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
  const use = () => (claims ? take() : act(at));
  const keys = {
    ArrowLeft: { label: t(claims ? "questions.pass" : "table.key_left"), do: move(-1) },
    ArrowRight: { label: t(claims ? "questions.pass" : "table.key_right"), do: move(1) },
    a: { do: move(-1) },
    d: { do: move(1) },
    ...(arrange ? { "Shift ←": { label: t("table.key_move"), do: () => false } } : {}),
    Home: { label: t("table.key_first"), do: () => tiles.length > 0 && (setCursor(0), true) },
    End: { label: t("table.key_last"), do: () => tiles.length > 0 && (setCursor(tiles.length - 1), true) },
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
// and as one has arranged them since.
/** @param {Session} session */
function useOrder(session) {
  useStore(prefs);
  const { view, about } = session.now;
  const kept = useRef(/** @type {Code[]} */ ([]));
  const [, again] = useState(0);
  const codes = view.seat ? handOf(view).filter((code) => code !== null) : [];
  const sorter = about.buttons.find((button) => button.sorts === "hand");
  const sorts = !sorter || session.on.has(sorter.id);
  const claimed = view.discarder && view.discarder !== view.seat; // nothing was drawn since
  const drawn = view.turn === view.seat && !claimed ? view.drawn : null;
  const order = sorts ? drawnLast(codes, drawn) : asTheyCame(kept.current, codes);
  kept.current = order;
  const counts = new Map();
  const tiles = order.map((code, at) => {
    const number = (counts.get(code) || 0) + 1;
    counts.set(code, number);
    return { code, key: `${code} ${number}`, drawn: drawn === code && at === order.length - 1 };
  });
  /** @param {number} from @param {number} to */
  const arrange = (from, to) => {
    const next = [...order];
    next.splice(to, 0, ...next.splice(from, 1));
    kept.current = next;
    again((count) => count + 1);
  };
  return { tiles, arrange: sorts ? null : arrange };
}

/** @param {Code[]} codes @param {Seen} drawn @returns {Code[]} */
function drawnLast(codes, drawn) {
  const at = drawn ? codes.lastIndexOf(drawn) : -1;
  return at < 0 || drawn === null ? codes : [...codes.slice(0, at), ...codes.slice(at + 1), drawn];
}

/** @param {Code[]} before @param {Code[]} codes */
function asTheyCame(before, codes) {
  const left = [...codes];
  const stay = before.filter((code) => {
    const at = left.indexOf(code);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
  return [...stay, ...left];
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
  return html`<div class=${`hand-row ${left ? "melds-left" : ""}`}>
    <div class="hand" role="group" aria-label=${t("table.hand")} ref=${box}>
      ${play.tiles.map((tile, at) => html`<${HandTile} key=${tile.key} tile=${tile} at=${at} play=${play} session=${session} hinted=${hinted.has(tile.code)} />`)}
    </div>
    <div class="aside">
      <${Melds} session=${session} seat=${view.seat} />
      <${OwnZones} session=${session} />
    </div>
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
/** @param {{ now: Knows }} one */
export function roomOf({ now: { view, about } }) {
  const held = handOf(view).length;
  const melds = (view.melds[view.seat ?? ""] || []).reduce((sum, meld) => sum + meld.tiles.length * LYING + ACROSS, 0);
  const others = ownZones(about).reduce(
    (sum, zone) => sum + widthIn(zone, view.zones[zone.id]?.[view.seat ?? ""] || []) * SMALLER,
    0,
  );
  const standing = held > MANY ? CLOSE : STANDING;
  return Math.max(LEAST_ROOM, held * standing + APART + (melds || others ? 2 * APART + melds + others : 0));
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

/** @param {About} about */
const ownZones = (about) =>
  about.zones.filter((zone) => zone.of === "seat" && !zone.claimable && !["hand", "melds"].includes(zone.id));

// Other zones of the own seat that hold something: bonus tiles and the like.
/** @param {{ session: Session }} props */
function OwnZones({ session }) {
  const { about, view } = session.now;
  return ownZones(about).map((zone) => {
    const codes = view.zones[zone.id]?.[view.seat ?? ""] || [];
    if (!codes.length) return null;
    return html`<div class="own-zone" data-zone=${zone.id} title=${named(zone.name, zone.id)}>
      ${codes.every((code) => !code) ? (zone.stacked ? html`<${Stacks} zone=${zone} count=${codes.length} about=${about} />` : html`<${Tile} code=${null} about=${about} /><b class="number">${codes.length}</b>`) : codes.map((code, at) => html`<${Tile} key=${at} code=${code} about=${about} />`)}
    </div>`;
  });
}
