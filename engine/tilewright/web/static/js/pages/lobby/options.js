// Options of a ruleset or a mod as fields of a form: those with a value first, then what is ticked.

import { html } from "../../html.js";
import { named, number, t } from "../../text.js";
import { Choice, Field, Tick } from "../../ui.js";

/**
 * @param {{ options: Option[], values: Record<string, OptionValue>, onChange: (values: Record<string, OptionValue>)
 *   => void, cards: OwnCard[] | null, disabled: boolean }} props
 */
export function Options({ options, values, onChange, cards, disabled }) {
  /** @param {string} id @param {OptionValue} value */
  const set = (id, value) => onChange({ ...values, [id]: value });
  /** @param {Option} one */
  const isTick = (one) => one.kind === "flag";
  const inOrder = [...options.filter((one) => !isTick(one)), ...options.filter(isTick)];
  return inOrder.map(
    (one) =>
      html`<${Option} one=${one} value=${values[one.id] ?? one.default} cards=${cards} disabled=${disabled} onChange=${(/** @type {OptionValue} */ value) => set(one.id, value)} />`,
  );
}

/**
 * @param {{ one: Option, value: OptionValue, cards: OwnCard[] | null, disabled: boolean, onChange: (value:
 *   OptionValue) => void }} props
 */
function Option({ one, value, cards, disabled, onChange }) {
  const label = named(one.label, one.id);
  const note = one.note && named(one.note);
  if (one.kind === "flag")
    return html`<${Tick} label=${label} note=${note} checked=${Boolean(value)} disabled=${disabled} onChange=${onChange} />`;
  if (one.kind === "number") {
    return html`<${Field} label=${label} note=${note || rangeOf(one)}>
      <input type="number" value=${value} min=${one.from} max=${one.to} step=${one.step || "any"} disabled=${disabled} required
        onInput=${(event) => event.currentTarget.value !== "" && onChange(Number(event.currentTarget.value))} />
    <//>`;
  }
  return html`<${Choice} label=${label} note=${note} value=${String(value)} disabled=${disabled} options=${choicesOf(one, cards)} onChange=${onChange} />`;
}

// What may be chosen, with the person's own cards: [value, in words].
/** @param {Option} one @param {OwnCard[] | null} [cards] */
function choicesOf(one, cards) {
  const choices = (one.choices || []).map((choice) => [String(choice.id), upFirst(named(choice.label, choice.id))]);
  const own =
    one.kind === "card"
      ? (cards || []).map((card) => [`own:${card.id}`, t("lobby.own_card", { name: card.name })])
      : [];
  return [...choices, ...own];
}

// A value in words.
/** @param {Option} one @param {OptionValue} value @param {OwnCard[] | null} [cards] */
export function valueText(one, value, cards) {
  if (one.kind === "flag") return t(value ? "lobby.yes" : "lobby.no");
  if (String(value).startsWith("own:"))
    return choicesOf(one, cards).find(([id]) => id === value)?.[1] ?? t("lobby.own_unnamed");
  const choice = one.choices?.find((choice) => String(choice.id) === String(value));
  return choice ? named(choice.label, choice.id) : number(value);
}

/** @param {string} text */
function upFirst(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** @param {Option} one */
function rangeOf(one) {
  if (one.from === undefined || one.to === undefined || one.from === null || one.to === null) return null;
  return t("lobby.range", { from: number(one.from), to: number(one.to) });
}
