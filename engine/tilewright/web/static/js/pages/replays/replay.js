// One replay: the felt as somebody saw it, stepped by keys, buttons and a slider; what happened in words; hands and points.

import { html, useEffect, useMemo, useRef, useState } from "../../html.js";
import { language, listed, named, number, signed, t, unitOf } from "../../text.js";
import { OwnMark, rulesTitle } from "../../own-rules.js";
import { prefs } from "../../prefs.js";
import { useStore } from "../../store.js";
import { api } from "../../net.js";
import { Tile, indexStyle, useFaces } from "../../tiles.js";
import { Button, Choice, Tabs, Waiting, announce, toast, useKeys, useWide } from "../../ui.js";
import { Felt } from "../table/felt.js";
import { Chart } from "../table/chart.js";
import { ResultPanel } from "../table/result.js";
import { Line, lineText, linesOf } from "../table/line.js";
import { level } from "../table/names.js";
import { handOf } from "../table/places.js";
import { watched } from "../table/watched.js";
import { nameOf } from "./list.js";

/** @typedef {{ key: string | null, steps: Recorded[] | null, error: Failure | null, busy?: boolean }} LoadedHand */
/** @typedef {(hand: number, eye: string) => Promise<{ steps: Recorded[] }>} StepsOf */

const OPEN = "open";
const ALL = "all";
const SPEEDS = [0.5, 1, 2, 4]; // moments a second
const LONGER = 4; // times as long is a result looked at

/** @param {{ code: string }} props */
export function Replay({ code }) {
  const [index, setIndex] = useState(/** @type {ReplayIndex | null} */ (null));
  const [failed, setFailed] = useState(/** @type {Failure | null} */ (null));
  useStore(language);
  useEffect(() => {
    let here = true;
    /** @type {Promise<ReplayIndex>} */ (api("GET", `/api/replays/${encodeURIComponent(code)}`)).then(
      (found) => here && setIndex(found),
      (error) => here && setFailed(error),
    );
    return () => (here = false);
  }, [code]);
  useFaces(index?.about, code);
  if (failed) {
    return html`<div class="page stack"><h1>${t("replay.none")}</h1><p>${failed.message}</p>
      <p><${Button} href="/replays">${t("replay.back")}<//></p></div>`;
  }
  /** @type {StepsOf} */
  const stepsOf = (hand, eye) =>
    api("GET", `/api/replays/${encodeURIComponent(code)}/hands/${hand + 1}?eye=${encodeURIComponent(eye)}`);
  return index
    ? html`<${Shown} code=${code} index=${index} stepsOf=${stepsOf} />`
    : html`<div class="page"><${Waiting} text=${t("replay.loading")} /></div>`;
}

// --- where one is

// The moment that the address names, and whose eye: #12 and ?eye=0.
/** @param {ReplayIndex} index */
function fromAddress(index) {
  const eye = new URLSearchParams(location.search).get("eye") ?? "";
  const n = Math.min(Math.max(0, Number.parseInt(location.hash.slice(1), 10) || 0), index.steps - 1);
  const eyes = eyesOf(index).map(([id]) => id);
  return { ...placeOf(index, n), eye: eyes.includes(eye) ? eye : index.me === null ? OPEN : String(index.me) };
}

/** @param {ReplayIndex} index @param {number} n */
function placeOf(index, n) {
  const hand = Math.max(
    0,
    index.hands.findLastIndex((one) => one.first <= n),
  );
  return { hand, at: Math.max(0, n - (index.hands[hand]?.first ?? 0)) };
}

/** @param {ReplayIndex} index @returns {Eye[]} */
function eyesOf(index) {
  return (
    index.eyes || [
      [OPEN, t("replay.eye_open")],
      ...index.players.map((_, player) => /** @type {Eye} */ ([String(player), nameOf(index, player)])),
      [ALL, t("replay.eye_all")],
    ]
  );
}

// The moments of a hand as an eye saw them; asked once. `stepsOf`: where they come from.
/** @param {StepsOf} stepsOf @param {number} hand @param {string} eye */
function useHand(stepsOf, hand, eye) {
  const kept = useRef(/** @type {Map<string, Promise<{ steps: Recorded[] }>>} */ (new Map()));
  const [state, set] = useState(/** @type {LoadedHand} */ ({ key: null, steps: null, error: null }));
  const key = `${hand}.${eye}`;
  /** @param {number} which */
  const load = (which) => {
    const name = `${which}.${eye}`;
    const known = kept.current.get(name);
    if (known) return known;
    const asked = stepsOf(which, eye);
    asked.catch(() => kept.current.delete(name));
    kept.current.set(name, asked);
    return asked;
  };
  useEffect(() => {
    let here = true;
    load(hand).then(
      (found) => here && set({ key, steps: found.steps, error: null }),
      (error) => here && set({ key, steps: null, error }),
    );
    return () => (here = false);
  }, [key]);
  return state.key === key ? state : { key: null, steps: state.error ? null : state.steps, error: null, busy: true };
}

// What happened, in words, each line with the step that it belongs to.
/** @param {Recorded[]} steps */
function toldIn(steps) {
  return steps.flatMap((step, at) => linesOf(step.events).map((line) => ({ ...line, at })));
}

// --- the page

// `onClose`: where the replay is shown over something else, without an address of its own.
/** @param {{ code: string, index: ReplayIndex, stepsOf: StepsOf, onClose?: () => void }} props */
export function Shown({ code, index, stepsOf, onClose }) {
  const [place, setPlace] = useState(() =>
    onClose ? { hand: 0, at: 0, eye: eyesOf(index)[0][0] } : fromAddress(index),
  );
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(1);
  const [tab, setTab] = useState("story");
  const [looked, look] = useState(/** @type {number | null} */ (null)); // the result that was closed
  const { index: corners } = useStore(prefs);
  const wide = useWide(900);
  const { hand, eye } = place;
  const { steps, error, busy } = useHand(stepsOf, hand, eye);
  const last = index.hands.length - 1;
  const count = index.hands[hand]?.steps ?? 1;
  const at = Math.min(place.at, count - 1);
  const n = (index.hands[hand]?.first ?? 0) + at;
  useStore(language);
  /** @type {People} */
  const people = { me: null, nameOf: (player) => nameOf(index, player) };
  const told = useMemo(() => (steps ? toldIn(steps) : []), [steps]);
  const lines = told.filter((line) => line.at <= at);
  const step = steps?.[Math.min(at, steps.length - 1)];
  const atEnd = hand === last && at === count - 1;

  /** @param {{ hand?: number, at?: number, eye?: string }} next */
  const go = (next) => {
    const wanted = { ...place, ...next };
    wanted.hand = Math.min(Math.max(0, wanted.hand), last);
    const most = index.hands[wanted.hand].steps - 1;
    wanted.at = wanted.at < 0 ? 0 : Math.min(wanted.at, most);
    look(null);
    setPlace(wanted);
  };
  const forward = () => {
    if (at < count - 1) go({ at: at + 1 });
    else if (hand < last) go({ hand: hand + 1, at: 0 });
    else setPlaying(false);
  };
  const back = () =>
    at > 0 ? go({ at: at - 1 }) : hand > 0 && go({ hand: hand - 1, at: index.hands[hand - 1].steps - 1 });
  /** @param {number} which */
  const jump = (which) => go({ hand: which, at: 0 });
  const toggle = () => {
    if (!playing && atEnd) go({ hand: 0, at: 0 });
    setPlaying(!playing);
  };

  useEffect(() => {
    if (!onClose) history.replaceState(null, "", `${location.pathname}?eye=${encodeURIComponent(eye)}#${n}`);
  }, [n, eye]);
  useEffect(
    () => void (onClose || (document.title = `${t("replay.of", { name: titleOf(index) })} · Tilewright`)),
    [code, language.value],
  );
  useEffect(() => {
    const news = told.filter((line) => line.at === at);
    if (!playing || speed <= 1) news.forEach((line) => announce(lineText(line, people, index.about)));
  }, [at, hand, told]);
  useEffect(() => {
    if (!playing || busy || !step) return undefined;
    const timer = setTimeout(forward, ((step.ends ? LONGER : 1) * 1000) / speed);
    return () => clearTimeout(timer);
  }, [playing, place, busy, speed, step]);

  const eyes = eyesOf(index);
  useKeys(t("replay.keys"), {
    ArrowRight: { label: t("replay.next"), do: forward },
    ArrowLeft: { label: t("replay.previous"), do: back },
    ArrowDown: { label: t("replay.next_hand"), do: () => (hand < last ? jump(hand + 1) : go({ at: count - 1 })) },
    ArrowUp: { label: t("replay.previous_hand"), do: () => jump(at > 0 ? hand : hand - 1) },
    Home: { label: t("replay.first"), do: () => jump(0) },
    End: { label: t("replay.last"), do: () => go({ hand: last, at: index.hands[last].steps - 1 }) },
    " ": { label: t("replay.play"), do: toggle },
    ...(onClose ? { Escape: { label: t("base.close"), do: () => (onClose(), true) } } : {}),
    e: {
      label: t("replay.next_eye"),
      do: () => go({ eye: eyes[(eyes.findIndex(([id]) => id === eye) + 1) % eyes.length][0] }),
    },
  });

  const points = index.hands.flatMap(({ hand, result }) => (result ? [{ hand, scores: result.scores }] : []));
  const done = points.filter((one) => one.hand <= hand + (step?.ends ? 1 : 0));
  const reached = !onClose && step?.ends && looked !== n ? index.hands[hand].result : null;
  const result = step && reached && { ...reached, table: step.view };
  const session =
    step &&
    watched({
      code,
      about: index.about,
      view: step.view,
      lines,
      asked: step.asked,
      points: done,
      result,
      played: step.ends ? index.hands[hand].result?.played : null,
      players: index.players.map((seat, player) => ({
        player,
        kind: seat.kind,
        bot: seat.bot,
        name: nameOf(index, player),
      })),
      info: { scores: index.scores, spec: index.spec, own: index.own },
      onSeen: () => (playing || !atEnd ? forward() : look(n)),
    });

  async function copy() {
    const done = await navigator.clipboard?.writeText(location.href).then(
      () => true,
      () => false,
    );
    toast(done ? t("replay.copied") : location.href, { seconds: done ? 4 : 10 });
  }

  const story = html`<${Story} lines=${lines} people=${people} about=${index.about} />`;
  const results = html`<${Hands} index=${index} hand=${hand} onJump=${jump} onEnd=${(/** @type {number} */ which) => go({ hand: which, at: endOf(index, which) })} points=${points} />`;
  return html`<div class=${`replay ${wide ? "wide" : "narrow"}`} style=${indexStyle(index.about, corners)}>
    <header class="replay-head">
      ${onClose ? html`<${Button} quiet onClick=${onClose} data-do="close">← ${t("table.back_to_result")}<//>` : html`<a class="button quiet" href="/replays" aria-label=${t("replay.back")}>←</a>`}
      <h1>${titleOf(index)} <${OwnMark} info=${index} /></h1>
      ${
        !onClose &&
        html`<div class="end row">
        <${Choice} label=${t("replay.eye")} value=${eye} options=${eyes} onChange=${(/** @type {string} */ id) => go({ eye: id })} />
        <${Button} quiet onClick=${copy}>${t("replay.copy")}<//>
        <a class="button quiet" href=${`/api/replays/${encodeURIComponent(code)}/log`} download=${`${code}.jsonl`} title=${t("replay.log")}>${t(wide ? "replay.log" : "replay.log_short")}</a>
      </div>`
      }
    </header>
    <div class="replay-body">
      <div class="stage">
        <section class="felt-box" aria-label=${t("replay.table")}>
          ${error && html`<p class="note-box bad">${error.message}</p>`}
          ${session ? html`<${Felt} session=${session} />` : !error && html`<${Waiting} />`}
          ${result && html`<${ResultPanel} session=${session} last=${hand === last} />`}
        </section>
        ${step?.view.seat && html`<${Own} view=${step.view} about=${index.about} session=${session} />`}
        <${Controls} ...${{ hand, at, count, last, playing, speed, index }} onBack=${back} onForward=${forward} onToggle=${toggle} onSpeed=${setSpeed}
          onJump=${jump} onAt=${(/** @type {number} */ to) => go({ at: to })} />
      </div>
      <aside class="replay-side">
        ${html`<${Tabs} tabs=${[["story", t("replay.story")], ["hands", t("replay.hands")]]} value=${tab} onChange=${setTab} label=${t("replay.parts")} />`}
        <div class="side-body" tabindex="0" role="region" aria-label=${t(`replay.${tab}`)}>${tab === "story" ? story : results}</div>
      </aside>
    </div>
  </div>`;
}

/** @param {ReplayIndex} index @param {number} hand */
function endOf(index, hand) {
  const steps = index.hands[hand].steps - 1;
  return hand === index.hands.length - 1 ? Math.max(0, steps - 1) : steps;
}

/** @param {ReplayIndex} index */
function titleOf(index) {
  return index.name || rulesTitle(index, named(index.about.name, index.about.id));
}

// The hand of the seat whose eye it is, with its groups; the drawn tile apart.
/** @param {{ view: View, about: About, session: Session }} props */
function Own({ view, about, session }) {
  const codes = handOf(view);
  const drawn = view.drawn ? codes.lastIndexOf(view.drawn) : -1;
  const rest = codes.filter((_, at) => at !== drawn);
  return html`<section class="own-row" aria-label=${t("replay.own_hand", { who: session.names(view.seat ?? "") })}>
    <span class="tiles">${rest.map((code, at) => html`<${Tile} key=${at} code=${code} about=${about} />`)}
      ${drawn >= 0 && html`<${Tile} code=${view.drawn} about=${about} class="apart" />`}</span>
    ${(view.melds[view.seat ?? ""] || []).map(
      (meld, at) => html`<span class="tiles meld" key=${at}>
      ${meld.tiles.map((code, place) => html`<${Tile} key=${place} code=${code} about=${about} stands=${code && meld.stands_for?.[code] !== code ? meld.stands_for?.[code] : null} />`)}</span>`,
    )}
  </section>`;
}

/**
 * @param {{ hand: number, at: number, count: number, last: number, playing: boolean, speed: number,
 *   index: ReplayIndex, onBack: () => void, onForward: () => void, onToggle: () => void, onSpeed: (speed: number) => void,
 *   onJump: (hand: number) => void, onAt: (at: number) => void }} props
 */
function Controls({
  hand,
  at,
  count,
  last,
  playing,
  speed,
  index,
  onBack,
  onForward,
  onToggle,
  onSpeed,
  onJump,
  onAt,
}) {
  const name = level(index.about, "hand");
  return html`<div class="controls" role="group" aria-label=${t("replay.controls")}>
    <input type="range" min="0" max=${count - 1} value=${at} aria-label=${t("replay.moment")} aria-valuetext=${t("replay.moment_of", { at: at + 1, count })}
      onInput=${(event) => onAt(Number(event.currentTarget.value))} />
    <div class="row">
      <${Button} icon onClick=${() => onJump(at > 0 ? hand : hand - 1)} disabled=${hand === 0 && at === 0} aria-label=${t("replay.previous_hand")} title=${t("replay.previous_hand")}><${Glyph} of="start" /><//>
      <${Button} icon onClick=${onBack} disabled=${hand === 0 && at === 0} aria-label=${t("replay.previous")} title="←"><${Glyph} of="back" /><//>
      <${Button} main class="play-button" onClick=${onToggle} aria-pressed=${String(playing)}>${t(playing ? "replay.pause" : "replay.play")}<//>
      <${Button} icon onClick=${onForward} disabled=${hand === last && at === count - 1} aria-label=${t("replay.next")} title="→"><${Glyph} of="on" /><//>
      <${Button} icon onClick=${() => onJump(hand + 1)} disabled=${hand === last} aria-label=${t("replay.next_hand")} title=${t("replay.next_hand")}><${Glyph} of="end" /><//>
      <label class="speed"><span class="unseen">${t("replay.speed")}</span>
        <select value=${String(speed)} onChange=${(event) => onSpeed(Number(event.currentTarget.value))}>
          ${SPEEDS.map((one) => html`<option value=${String(one)} selected=${one === speed}>${`${number(one)}×`}</option>`)}
        </select></label>
      <span class="where small number" role="status">${t("replay.where", { name, hand: hand + 1, hands: last + 1, at: at + 1, count })}</span>
    </div>
  </div>`;
}

/** @type {Record<string, string>} */
const GLYPHS = {
  start: "M6 5v14M19 5 9 12l10 7z",
  back: "M16 5 6 12l10 7z",
  on: "M8 5l10 7-10 7z",
  end: "M18 5v14M5 5l10 7-10 7z",
};
/** @param {{ of: string }} props */
function Glyph({ of }) {
  return html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d=${GLYPHS[of]} fill="currentColor" stroke="currentColor" stroke-width="2" stroke-linejoin="round" /></svg>`;
}

/** @param {{ lines: Told[], people: People, about: About }} props */
function Story({ lines, people, about }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const around = box.current?.parentElement;
    if (around) around.scrollTop = around.scrollHeight;
  }, [lines.length]);
  return html`<ol class="story" ref=${box}>
    ${lines.map((line, at) => html`<li key=${at} class=${at === lines.length - 1 ? "newest" : ""}><${Line} line=${line} people=${people} about=${about} /></li>`)}
  </ol>`;
}

/**
 * @param {{ index: ReplayIndex, hand: number, onJump: (hand: number) => void, onEnd: (hand: number) => void,
 *   points: PointsOfHand[] }} props
 */
function Hands({ index, hand, onJump, onEnd, points }) {
  const names = index.players.map((_, player) => nameOf(index, player));
  const same = index.start.every((score) => score === index.start[0]);
  return html`<div class="hands stack">
    ${points.length > 0 && html`<${Chart} points=${points} start=${same ? index.start[0] : null} names=${names} />`}
    <ol>
      ${index.hands.map(
        (one, at) => html`<li key=${at} class=${at === hand ? "now" : ""}>
        <button type="button" class="jump" aria-current=${at === hand ? "true" : null} onClick=${() => onJump(at)}>
          <strong>${t("table.level_number", { level: level(index.about, "hand"), number: one.hand })}</strong>
          <span>${one.result ? ended(one.result, index, names) : ""}</span>
          ${one.result && html`<span class="number small soft">${listed(one.result.gains.map((gain, player) => gain !== 0 && `${names[player]} ${signed(gain)}`))}</span>`}
        </button>
        ${one.result && html`<${Button} quiet onClick=${() => onEnd(at)} aria-label=${t("replay.result_of", { hand: one.hand })}>${t("replay.result")}<//>`}
      </li>`,
      )}
    </ol>
  </div>`;
}

/** @param {HandResult} result @param {ReplayIndex} index @param {string[]} names */
function ended(result, index, names) {
  const how = result.told[0]?.slots.ended;
  if (!result.winners.length) return typeof how === "object" && "names" in how ? named(how.names) : "";
  /** @param {EndedHand} won */
  const unit = (won) =>
    [unitOf(index.about, won.unit ?? "", won.total ?? 0), named(won.score?.called)].filter(Boolean).join(" · ");
  return result.winners
    .map((won) => t("replay.won", { who: names[won.player], total: number(won.total), unit: unit(won) }))
    .join(t("base.semicolon"));
}
