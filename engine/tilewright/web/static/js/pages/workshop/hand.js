// One hand scored by the rules as they are now: its tiles typed or tapped, its score line by line, and why not more.

import { html, useEffect, useMemo, useRef, useState } from "../../html.js";
import { langOf, named, number, signed, t, unitOf } from "../../text.js";
import { Button, Choice, Field, Tick, Waiting } from "../../ui.js";
import { Tile, Tiles } from "../../tiles.js";
import { Mistake, langOfProblems } from "../../mistakes.js";
import * as asking from "./asking.js";
import { cases, useAnswer } from "./asking.js";
import { Choosing } from "./choosing.js";
import { Unready, useAbout } from "./meaning.js";

const PAUSE = 350; // ms without typing
/** @type {HandForm} */
const EMPTY = {
  hand: "",
  melds: "",
  win_tile: "",
  bonus: "",
  self_draw: false,
  seat_wind: "",
  round_wind: "",
  discarder: "",
  flags: [],
  marks: {},
};
/** @type {("hand" | "win_tile" | "bonus" | "melds")[]} */
const OF_TILES = ["hand", "win_tile", "bonus", "melds"];
const LONG = ["hand", "melds"];

/** @param {{ id: string, state: BenchState }} props */
export function Hand({ id, state }) {
  const [form, setForm] = useState(() => formOf(cases.get(id)));
  const [field, setField] = useState(OF_TILES[0]);
  const { value: about } = useAbout(state);
  const given = cases.get(id);
  const seen = useRef(given);
  useEffect(() => {
    if (given && given !== seen.current) setForm(formOf(given));
    seen.current = given;
  }, [given]);
  const asks = state.tried.value?.asks;
  const wish = state.asked && form.hand.trim() ? JSON.stringify({ ...state.asked, case: caseOf(form) }) : null;
  const found = useAnswer(wish, asking.score, PAUSE);
  /** @param {keyof HandForm} key @param {HandForm[keyof HandForm]} value */
  const set = (key, value) => {
    const next = { ...form, [key]: value };
    setForm(next);
    cases.set(id, (seen.current = caseOf(next)));
  };
  if (!state.good) return html`<${Unready} state=${state} />`;
  /** @param {string} code */
  const add = (code) => {
    const before = form[field].trim();
    set(
      field,
      field === "win_tile"
        ? code
        : before && !/[,]\s*$/.test(form[field])
          ? `${before} ${code}`
          : `${form[field]}${code}`,
    );
  };
  return html`<div class="hand-form stack">
    <form class="stack" onSubmit=${(event) => event.preventDefault()}>
      <div class="form-grid">
        ${OF_TILES.map(
          (
            key,
          ) => html`<div class=${LONG.includes(key) ? "whole" : ""}><${Field} label=${t(`workshop.hand_${key}`)} note=${t(`workshop.hand_${key}_note`)}>
          <input value=${form[key]} spellcheck=${false} autocapitalize="off" autocomplete="off" class=${field === key ? "chosen" : ""} data-field=${key}
            onFocus=${() => setField(key)} onInput=${(event) => set(key, event.currentTarget.value)} />
        <//></div>`,
        )}
      </div>
      ${about && html`<${Palette} about=${about} field=${field} onPick=${add} onUndo=${() => set(field, withoutLast(form[field]))} />`}
      ${
        asks &&
        html`<details class="circumstances" open=${isSaid(form)}><summary>${t("workshop.circumstances")}</summary><div class="form-grid">
        <${Tick} label=${t("workshop.self_draw")} checked=${form.self_draw} onChange=${(/** @type {boolean} */ yes) => set("self_draw", yes)} />
        ${
          asks.winds.length > 0 &&
          html`<${Choice} label=${t("workshop.seat_wind")} value=${form.seat_wind} options=${withNone(asks.winds)} onChange=${(/** @type {string} */ one) => set("seat_wind", one)} />
        <${Choice} label=${t("workshop.round_wind")} value=${form.round_wind} options=${withNone(asks.winds)} onChange=${(/** @type {string} */ one) => set("round_wind", one)} />`
        }
        ${!form.self_draw && html`<${Choice} label=${t("workshop.discarder")} value=${form.discarder} options=${withNone(asks.seats)} onChange=${(/** @type {string} */ one) => set("discarder", one)} />`}
        ${asks.marks.map(
          (
            one,
          ) => html`<${Field} key=${one.id} label=${langOf(one.name) ? html`<code>${one.id}</code>` : named(one.name)}>
          <input value=${form.marks[one.id] ?? ""} spellcheck=${false} autocapitalize="off" autocomplete="off" data-mark=${one.id}
            onInput=${(event) => set("marks", { ...form.marks, [one.id]: event.currentTarget.value })} />
        <//>`,
        )}
      </div>
      ${
        asks.flags.length > 0 &&
        html`<fieldset class="flags"><legend class="small soft">${t("workshop.flags")}</legend>
        ${asks.flags.map(
          (one) => html`<${Tick} label=${html`<code>${one}</code>`} checked=${form.flags.includes(one)}
          onChange=${(/** @type {boolean} */ yes) => set("flags", yes ? [...form.flags, one] : form.flags.filter((other) => other !== one))} />`,
        )}
      </fieldset>`
      }</details>`
      }
    </form>
    <${Choosing} state=${state} />
    <${Scored} found=${found} wish=${wish} about=${about} />
    <${Evaluated} wish=${wish} />
  </div>`;
}

// An expression in this hand: each part of it with its value.
/** @param {{ wish: string | null }} props */
function Evaluated({ wish }) {
  const [text, setText] = useState("");
  const asked = wish && text.trim() ? JSON.stringify({ ...JSON.parse(wish), expression: text }) : null;
  const { value, error } = useAnswer(asked, asking.evaluate, PAUSE);
  return html`<section class="evaluated stack">
    <${Field} label=${t("workshop.expression")} note=${t("workshop.expression_note")}>
      <input value=${text} spellcheck=${false} autocapitalize="off" autocomplete="off" class="code" data-field="expression" onInput=${(event) => setText(event.currentTarget.value)} />
    <//>
    ${asked && error && !value && html`<p class="note-box bad">${error.message}</p>`}
    ${asked && value?.problems && html`<${Mistakes} problems=${value.problems} />`}
    ${
      asked &&
      value?.readings &&
      html`<div role="status" aria-label=${t("workshop.expression")}>${different(value.readings).map(
        ({ reading, form, whole }) => html`<section class="reading">
      ${reading.length > 0 && html`<h3><code>${reading.join(" ")}</code> <code class="soft small">${form}</code></h3>`}
      <ul class="parts"><${Part} part=${whole} /></ul>
    </section>`,
      )}</div>`
    }
  </section>`;
}

// The readings in which some part has another value.
/** @param {NonNullable<EvaluatedHand["readings"]>} readings */
function different(readings) {
  const seen = new Set();
  return readings.filter(({ whole }) => {
    const text = JSON.stringify(whole);
    return !seen.has(text) && seen.add(text);
  });
}

/** @param {{ part: ExpressionPart }} props */
function Part({ part }) {
  return html`<li><code>${part.text}</code> <b class=${part.value === "yes" ? "fine" : part.value === "no" ? "bad" : ""}>${VALUES[part.value] ? t(VALUES[part.value]) : part.value}</b>
    ${part.parts.length > 0 && html`<ul>${part.parts.map((one, at) => html`<${Part} key=${at} part=${one} />`)}</ul>`}
  </li>`;
}

/** @type {Record<string, string>} */
const VALUES = {
  yes: "workshop.value_yes",
  no: "workshop.value_no",
  none: "workshop.value_none",
  nobody: "workshop.value_nobody",
};

/** @param {{ problems: DocumentFault[] }} props */
function Mistakes({ problems }) {
  return html`<div class="note-box warm" role="status">${problems.map((one) => html`<p><${Mistake} problem=${one} area="workshop" />${one.hint && html`<br /><span class="soft small" lang=${langOfProblems()}>${one.hint}</span>`}</p>`)}</div>`;
}

// Whether the hand has fields other than its tiles when first shown.
/** @param {HandForm} form */
function isSaid(form) {
  return Boolean(
    form.self_draw ||
      form.seat_wind ||
      form.round_wind ||
      form.discarder ||
      form.flags.length ||
      Object.keys(form.marks).length,
  );
}

/** @param {string[]} values */
function withNone(values) {
  return [["", "–"], ...values.map((one) => [one, one])];
}

/** @param {string} text */
function withoutLast(text) {
  return text.trim().replace(/\s*\S+$/, "");
}

/** @param {Case | undefined} one @returns {HandForm} */
function formOf(one) {
  if (!one) return EMPTY;
  const melds = (one.melds || []).map((meld) =>
    typeof meld === "string" ? meld : `${meld.kind ? `${meld.kind}:` : ""}${meld.tiles}`,
  );
  /** @param {string | number | string[] | undefined} value */
  const text = (value) => (Array.isArray(value) ? value.join(" ") : String(value ?? ""));
  return {
    ...EMPTY,
    ...one,
    hand: text(one.hand),
    bonus: text(one.bonus),
    melds: melds.join(", "),
    win_tile: text(one.win_tile ?? one.win),
    flags: Array.isArray(one.flags) ? one.flags : one.flags ? [one.flags] : [],
    self_draw: one.self_draw === true,
    seat_wind: one.seat_wind || "",
    round_wind: one.round_wind || "",
    discarder: one.discarder || "",
    marks: Object.fromEntries(Object.entries(one.marks || {}).map(([name, value]) => [name, text(value)])),
  };
}

// The form as a case; what is left open is left out.
/** @param {HandForm} form @returns {Case} */
function caseOf(form) {
  const melds = form.melds
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean)
    .map((one) => {
      const [kind, tiles] = one.includes(":") ? one.split(":").map((part) => part.trim()) : [null, one];
      return kind ? { kind, tiles } : tiles;
    });
  const said = {
    hand: form.hand.trim(),
    melds,
    win_tile: form.win_tile.trim(),
    bonus: form.bonus.trim(),
    seat_wind: form.seat_wind,
    round_wind: form.round_wind,
    discarder: form.self_draw ? "" : form.discarder,
    flags: form.flags,
  };
  const marks = Object.entries(form.marks)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => [name, /^\d+$/.test(value) ? Number(value) : value]);
  const given = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (form));
  const more = Object.fromEntries(
    ["zones", "others", "winner"]
      .map((key) => [key, given[key]])
      .filter(([, value]) => value !== undefined && value !== null),
  );
  return {
    ...more,
    ...Object.fromEntries(Object.entries(said).filter(([, value]) => value.length)),
    ...(marks.length ? { marks: Object.fromEntries(marks) } : {}),
    self_draw: form.self_draw,
  };
}

/** @param {{ about: About, field: string, onPick: (code: Code) => void, onUndo: () => void }} props */
function Palette({ about, field, onPick, onUndo }) {
  const rows = useMemo(() => {
    /** @type {Map<string, TileKind[]>} */
    const found = new Map();
    for (const tile of about.tiles) found.set(tile.family, [...(found.get(tile.family) || []), tile]);
    return [...found.values()];
  }, [about.digest]);
  return html`<details class="palette">
    <summary>${t("workshop.palette", { field: t(`workshop.hand_${field}`) })}</summary>
    <div class="palette-rows">
      ${rows.map(
        (tiles) => html`<div class="palette-row">
        ${tiles.map((tile) => html`<button type="button" class="tile-button" onClick=${() => onPick(tile.code)}><${Tile} code=${tile.code} about=${about} size="2rem" /></button>`)}
      </div>`,
      )}
    </div>
    <${Button} quiet onClick=${onUndo}>${t("workshop.take_back")}<//>
  </details>`;
}

/** @param {{ found: Answered<ScoredHand>, wish: string | null, about: About }} props */
function Scored({ found, wish, about }) {
  const { value, error } = found;
  if (!wish) return html`<p class="soft">${t("workshop.hand_lead")}</p>`;
  if (error && !value) return html`<p class="note-box bad">${error.message}</p>`;
  if (!value) return html`<${Waiting} text=${t("workshop.scoring")} />`;
  if (value.problems) {
    return html`<${Mistakes} problems=${value.problems} />`;
  }
  const { score, readings, tiles } = value;
  const best = readings[0];
  const sums = Object.entries(score.values).filter(([id]) => !value.inner?.includes(id));
  return html`<div class="scored stack" role="status" aria-label=${t("workshop.tab_hand")}>
    <${Shown} tiles=${tiles} about=${about} />
    <p class=${`verdict ${score.win ? "fine" : "warm"}`}>
      ${score.win ? html`<strong class="number">${number(score.total)}</strong> ${unitOf(value, score.unit, score.total)}${score.called && html` · <span class="called">${named(score.called)}</span>`}` : named(value.reasons) || t("workshop.no_win")}
    </p>
    ${
      score.patterns.length > 0 &&
      html`<table class="plain">
      <thead><tr><th>${t("workshop.pattern")}</th><th class="number">${t("workshop.times")}</th><th class="number">${t("workshop.worth")}</th></tr></thead>
      <tbody>
        ${score.patterns.map(
          (
            one,
          ) => html`<tr key=${one.id}><td>${named(value.names[one.id], one.id)}<${Evidence} id=${one.id} reading=${best} /></td>
          <td class="number">${one.times === 1 ? "" : number(one.times)}</td><td class="number">${number(one.worth)}</td></tr>`,
        )}
        <tr class="total"><td>${t("workshop.total")}</td><td></td><td class="number">${number(score.total)}</td></tr>
      </tbody>
    </table>`
    }
    ${sums.length > 1 && html`<p class="small soft number">${sums.map(([id, one]) => `${named(value.measures[id], id)} ${number(one)}`).join(" · ")}</p>`}
    ${
      score.payments &&
      html`<p class="number">${Object.entries(score.payments)
        .map(([seat, one]) => `${seat} ${signed(one)}`)
        .join("   ")}</p>`
    }
    <${Near} readings=${readings} names=${value.names} />
  </div>`;
}

/** @param {{ tiles: ScoredHand["tiles"], about: About }} props */
function Shown({ tiles, about }) {
  const own = tiles.hand.length ? tiles.hand : [];
  return html`<div class="shown-hand row">
    <${Tiles} codes=${[...own, ...(tiles.win.length ? ["|", tiles.win[0]] : [])]} about=${about} size="1.55rem" lit=${tiles.win.length ? [own.length + 1] : []} />
    ${tiles.melds.map((meld, at) => html`<${Tiles} key=${at} codes=${meld} about=${about} size="1.55rem" />`)}
    ${tiles.bonus.length > 0 && html`<${Tiles} codes=${tiles.bonus} about=${about} size="1.35rem" />`}
  </div>`;
}

/** @param {{ id: string, reading: Reading | undefined }} props */
function Evidence({ id, reading }) {
  const found = reading?.patterns.find((one) => one.id === id);
  return found?.evidence ? html`<br /><code class="small soft">${found.evidence}</code>` : null;
}

// What else was looked at: readings, and patterns that hold without counting, or nearly hold.
/** @param {{ readings: Reading[], names: Record<string, Names> }} props */
function Near({ readings, names }) {
  if (!readings.length) return null;
  /** @param {PatternRead} one */
  const told = (one) => (one.counted ? "✓" : one.holds ? "–" : one.near ? "≈" : "✗");
  return html`<details><summary>${t("workshop.why")}</summary>
    ${readings.map(
      (reading, at) => html`<section class="reading" key=${at}>
      <h3><code>${reading.reading.join(" ")}</code> <code class="soft small">${reading.form}</code></h3>
      ${reading.short && html`<p class="warm" lang=${langOfProblems()}>${reading.short}</p>`}
      <ul>${[...reading.patterns]
        .sort((one, other) => rank(one) - rank(other))
        .map(
          (one) => html`<li key=${one.id}>
        <span class="sign">${told(one)}</span> ${named(names[one.id], one.id)} <span class="soft small" lang=${langOfProblems()}>${one.why || one.evidence}</span></li>`,
        )}</ul>
    </section>`,
    )}
  </details>`;
}

/** @param {PatternRead} one */
function rank(one) {
  return one.counted ? 0 : one.holds ? 1 : one.near ? 2 : 3;
}
