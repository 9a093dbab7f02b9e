// Who pays whom, how much and why: the formula with the numbers of this hand, what the line is called, and its reasons.

import { html } from "../../html.js";
import { listed, named, number, t } from "../../text.js";
import { isNamed } from "./names.js";
import { Disc } from "./players.js";

/** @param {{ session: Session, payments: Payment[] }} props */
export function Payments({ session, payments }) {
  if (!payments.length) return null;
  return html`<div class="box">
    <h3>${t("table.payments")}</h3>
    <ul class="payments">
      ${payments.map(
        (one) => html`<li class=${session.me !== null && [one.from, one.to].includes(session.me) ? "mine" : ""}>
        <span class="ways" aria-hidden="true"><${Disc} people=${session} player=${one.from} /><span class="arrow">→</span><${Disc} people=${session} player=${one.to} /></span>
        <span class="why"><span class="unseen">${whoText(session, one.from)} → ${whoText(session, one.to)} </span><${Formula} session=${session} payment=${one} /></span>
        <b class="amount number">${number(one.amount)}</b>
      </li>`,
      )}
    </ul>
  </div>`;
}

/** @param {People} people @param {number | null} player */
function whoText(people, player) {
  return player === null ? t("table.pot") : people.nameOf(player);
}

/** @param {{ session: Session, payment: Payment }} props */
function Formula({ session, payment }) {
  const { formula, name, reasons } = payment;
  const why = listed([name && named(name), ...reasons.map((one) => named(one))]);
  const plain = formula.length < 2; // the amount says it
  const between = !plain && why ? t("base.comma") : "";
  return html`${!plain && html`<b class="formula number">${formula.map((part, at) => html`<${Part} part=${part} about=${session.now.about} first=${at === 0 || formula[at - 1] === "("} last=${part === ")"} />`)}</b>`}${between}${why}`;
}

// A sign, a number, or a number with what it is; a measure that is no total is named.
/** @param {{ part: FormulaPart | string | number, about: About, first: boolean, last: boolean }} props */
function Part({ part, about, first, last }) {
  const space = first || last ? "" : " ";
  if (typeof part === "string") return `${space}${part}`;
  if (typeof part === "number") return `${space}${number(part)}`;
  const inner = part.measure && part.measure !== about.unit && isNamed(about.measures?.[part.measure], part.measure);
  return html`${space}${inner && html`<span class="measure">${named(about.measures[part.measure ?? ""])} </span>`}<span title=${named(part.names)}>${number(part.number)}</span>`;
}
