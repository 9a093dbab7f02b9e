// A thousand games between bots by the current rules: results are shown while they are played, and the user can stop them.

import { BOTS } from "../../bots.js";
import { html, useEffect, useRef, useState } from "../../html.js";
import { listed, named, number, plain, signed, t, unitOf } from "../../text.js";
import { Button, Choice, announce } from "../../ui.js";
import { nameOf } from "../../mistakes.js";
import { Bars } from "./charts.js";
import { simulate } from "./asking.js";
import { Choosing } from "./choosing.js";
import { Unready } from "./meaning.js";

const COUNTS = ["20", "100", "1000"];
const STANDING_OUT = ["rare_and_cheap", "common_and_dear"];

/** @param {{ state: BenchState }} props */
export function Games({ state }) {
  const [bot, setBot] = useState("fast");
  const [count, setCount] = useState("1000");
  const [found, setFound] = useState(/** @type {GamesTold | null} */ (null));
  const [running, setRunning] = useState(/** @type {ReturnType<typeof simulate> | null} */ (null));
  const [error, setError] = useState(/** @type {string | null} */ (null));
  const [of, setOf] = useState(/** @type {string | null} */ (null)); // the text that was played
  const here = useRef(true);
  const last = useRef(/** @type {ReturnType<typeof simulate> | null} */ (null));
  useEffect(() => () => ((here.current = false), last.current?.stop()), []);

  const { good } = state;
  if (!good) return html`<${Unready} state=${state} />`;
  const { text } = good;

  function start() {
    setError(null);
    setFound(null);
    setOf(text);
    const run = simulate({ ...state.asked, games: Number(count), players: [bot], seed: 1 }, (told) => {
      if (!here.current) return;
      if (told.error) return setError(named(told.error.message));
      if (told.problems)
        return setError(
          [nameOf(told.problems[0], "workshop"), told.problems[0].message, told.problems[0].hint]
            .filter(Boolean)
            .join(" "),
        );
      setFound(told);
    });
    last.current = run;
    setRunning(run);
    run.done
      .catch((problem) => here.current && setError(problem.names ? named(problem.names) : problem.message))
      .finally(() => {
        if (!here.current) return;
        setRunning(null);
        announce(t("workshop.games_done"));
      });
  }

  function stop() {
    running?.stop();
    setRunning(null);
  }

  return html`<div class="games stack">
    <div class="form-grid">
      <${Choice} label=${t("workshop.bot")} value=${bot} disabled=${Boolean(running)} onChange=${setBot} options=${BOTS.map((one) => [one, t(`workshop.bot_${one}`)])} />
      <${Choice} label=${t("workshop.how_many")} value=${count} disabled=${Boolean(running)} onChange=${setCount} options=${COUNTS.map((one) => [one, number(Number(one))])} />
    </div>
    <${Choosing} state=${state} disabled=${Boolean(running)} />
    <div class="row">
      ${running ? html`<${Button} onClick=${stop}>${t("workshop.stop")}<//>` : html`<${Button} main onClick=${start}>${t("workshop.simulate")}<//>`}
      ${
        (running || found) &&
        html`<label class="grow progress-row"><progress class="grow" max=${found?.of || Number(count)} value=${found?.done || 0}></progress>
        <span class="number small" role="status">${number(found?.done || 0)} / ${number(found?.of || Number(count))}</span></label>`
      }
    </div>
    ${error && html`<p class="note-box bad" role="alert">${error}</p>`}
    ${found?.summary && of !== text && html`<p class="note-box warm small">${t("workshop.games_older")}</p>`}
    ${found?.summary && html`<${Summary} one=${found.summary} />`}
    ${!found && !error && !running && html`<p class="soft">${t("workshop.games_lead")}</p>`}
  </div>`;
}

/** @param {{ one: GamesSummary }} props */
function Summary({ one }) {
  /** @param {number} part @param {number} whole */
  const percent = (part, whole) => (whole ? `${number(Math.round((1000 * part) / whole) / 10)} %` : "–");
  /** @param {number} value @param {number} [digits] */
  const round = (value, digits = 1) => number(Math.round(value * 10 ** digits) / 10 ** digits);
  /** @param {Interval} found */
  const points = (found) =>
    found?.low == null
      ? "–"
      : t("report.interval", {
          low: signed(Math.round(found.low * 100) / 100),
          high: signed(Math.round(found.high * 100) / 100),
        });
  /** @param {Interval} found */
  const shares = (found) =>
    found?.low == null ? "" : t("report.interval", { low: percent(found.low, 1), high: percent(found.high, 1) });
  const wins = one.by_seat.map((seat) => ({ label: seat.seat, value: total(seat.wins) }));
  return html`
    <dl class="figures">
      <div><dt>${t("workshop.hands")}</dt><dd class="number">${number(one.hands)}</dd></div>
      <div><dt>${t("workshop.won")}</dt><dd class="number">${percent(one.won, one.hands)} <span class="small soft">${shares(one.report.won)}</span></dd></div>
      <div><dt>${t("workshop.draws")}</dt><dd class="number">${round(one.length.mean)}</dd></div>
      <div><dt>${t("workshop.mean_value")}</dt><dd class="number">${round(one.value.mean, 2)} <span class="small soft">${unitOf(one, one.value.unit, one.value.mean)}</span></dd></div>
      <div><dt>${t("workshop.most_value")}</dt><dd class="number">${one.value.most === null ? "–" : number(one.value.most)}</dd></div>
    </dl>
    ${
      Object.keys(one.problems).length > 0 &&
      html`<div class="note-box bad"><strong>${t("workshop.reported")}</strong>
      <ul>${Object.entries(one.problems).map(([says, count]) => html`<li><span class="number">${number(count)} ×</span> ${says}</li>`)}</ul></div>`
    }
    ${
      one.failures.length > 0 &&
      html`<div class="note-box bad"><strong>${t("workshop.broke_off", { count: one.failed })}</strong>
      <ul>${one.failures.slice(0, 5).map((failure) => html`<li class="small">${failure.error}</li>`)}</ul></div>`
    }
    <h3>${t("workshop.ends")}</h3>
    <${Bars} label=${t("workshop.ends")} rows=${[
      { label: t("workshop.by_self_draw"), value: one.wins.self_draw },
      { label: t("workshop.by_discard"), value: one.wins.discard },
      { label: t("workshop.by_robbing"), value: one.wins.robbed },
      { label: t("workshop.nobody"), value: one.hands - one.won },
    ].filter((row) => row.value)} whole=${one.hands} />
    <h3>${t("workshop.by_seat")}</h3>
    <${Bars} label=${t("workshop.by_seat")} rows=${wins} whole=${one.hands} />
    <table class="plain">
      <thead><tr><th>${t("workshop.seat")}</th><th class="number">${t("workshop.wins")}</th><th class="number">${t("workshop.fed")}</th><th class="number">${t("workshop.points")}</th><th class="number">${t("report.interval_head")}</th></tr></thead>
      <tbody>${one.by_seat.map(
        (
          seat,
          at,
        ) => html`<tr><td>${seat.seat}</td><td class="number">${number(total(seat.wins))}</td><td class="number">${number(seat.fed)}</td>
        <td class="number">${signed(Math.round(seat.points.mean * 100) / 100)}</td><td class="number soft">${points(one.report.seats[at]?.points)}</td></tr>`,
      )}</tbody>
    </table>
    ${STANDING_OUT.map((kind) => html`<${StandingOut} one=${one} kind=${kind} />`)}
    ${
      one.patterns.length > 0 &&
      html`<h3>${t("workshop.patterns")}</h3>
    <table class="plain patterns">
      <thead><tr><th>${t("workshop.pattern")}</th><th></th><th class="number">${t("workshop.of_wins")}</th><th class="number">${t("workshop.worth")}</th></tr></thead>
      <tbody>${one.patterns.map(
        (pattern) => html`<tr><td>${named(one.names[pattern.id], pattern.id)}</td>
        <td class="bar-cell"><svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect width=${Math.max(1, (100 * pattern.hands) / Math.max(1, one.won))} height="10" /></svg></td>
        <td class="number">${percent(pattern.hands, one.won)}</td><td class="number">${round(pattern.worth, 2)}</td></tr>`,
      )}</tbody>
    </table>`
    }
    ${
      one.never.length > 0 &&
      html`<details><summary>${t("workshop.never", { count: one.never.length })}</summary>
      <p>${listed(one.never.map((id) => named(one.names[id], plain(id))))}</p></details>`
    }
  `;
}

// Patterns that are too cheap or too dear for how often they come, and beside how many others.
/** @param {{ one: GamesSummary, kind: string }} props */
function StandingOut({ one, kind }) {
  const found = one.report.standing_out.filter((pattern) => pattern.stands_out === kind);
  return (
    found.length > 0 &&
    html`<h3>${t(`report.${kind}`)}</h3>
    <p class="small soft">${t(`report.${kind}_lead`)}</p>
    <ul>${found.map((pattern) => html`<li>${named(one.names[pattern.id], pattern.id)} <span class="small soft">${t(`report.${kind}_why`, { count: pattern.beside })}</span></li>`)}</ul>`
  );
}

/** @param {Record<string, number>} wins */
function total(wins) {
  return Object.values(wins).reduce((sum, count) => sum + count, 0);
}
