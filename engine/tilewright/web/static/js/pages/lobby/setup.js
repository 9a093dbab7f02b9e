// Setting a table up: options, mods and presets as a form made from the ruleset's data; who sits; how it is played.

import { html, useState } from "../../html.js";
import { langOf, listed, named, number, t } from "../../text.js";
import { api } from "../../net.js";
import { Button, Choice, Field, Panel, Problems, Tick, useLoaded } from "../../ui.js";

const BOTS = ["fast", "careful", "random"];
const ME = "me";
const OPEN = "open";

// Against fast bots, nobody else invited.
export function quickSetup(ruleset) {
  const count = seatsOf(ruleset, {});
  return setupOf([ME, ...Array(count - 1).fill("fast")], {});
}

function setupOf(who, more) {
  const seats = who.map((one) => (BOTS.includes(one) ? { kind: "bot", bot: one } : { kind: "person" }));
  return { seats, public: false, name: "", claim_seconds: 1.5, bot_seconds: 0.4, away_seconds: 60, help: true, spectators: true, ...more };
}

// How many seats the ruleset has with these options.
function seatsOf(ruleset, options) {
  const [, most] = ruleset.seats || [4, 4];
  const option = ruleset.seats_option;
  if (!option) return most;
  return Number(options[option] ?? ruleset.options.find((one) => one.id === option)?.default ?? most);
}

export function Setup({ ruleset, busy, problems, onBack, onOpen }) {
  const [options, setOptions] = useState(() => cardAsked(ruleset));
  const [mods, setMods] = useState({}); // id -> its options
  const [who, setWho] = useState([ME]);
  const [how, setHow] = useState({ hands: "", claim: "1.5", move: "", public: false, spectators: true, help: true, name: "" });
  const { value: cards } = useLoaded("cards", ownCards);
  const count = seatsOf(ruleset, options);
  const seats = Array.from({ length: count }, (_, at) => who[at] || "fast");

  const open = async (event) => {
    event.preventDefault();
    const spec = {
      ruleset: { id: ruleset.id },
      mods: Object.entries(mods).map(([id, chosen]) => ({ id, options: chosen })),
      options: await cardsIn(options, cards),
      hands: how.hands ? Number(how.hands) : null,
    };
    onOpen(spec, setupOf(seats, {
      public: how.public,
      name: how.name.trim(),
      claim_seconds: Number(how.claim),
      move_seconds: how.move ? Number(how.move) : null,
      help: how.help,
      spectators: how.spectators,
    }));
  };

  const preset = (one) => {
    setOptions(one.options || {});
    setMods(Object.fromEntries((one.mods || []).map((mod) => (typeof mod === "string" ? [mod, {}] : [mod.id, mod.options || {}]))));
  };

  return html`<form class="setup stack" onSubmit=${open}>
    <div class="row">
      <${Button} quiet onClick=${onBack}>← ${t("lobby.back")}<//>
    </div>
    <div>
      <h2>${named(ruleset.name, ruleset.id)}</h2>
      <p class="soft"><span lang=${langOf(ruleset.about)}>${named(ruleset.about)}</span> <a href=${`/rules/${ruleset.id}`}>${t("lobby.rules")}</a></p>
    </div>
    ${ruleset.presets?.length > 0 &&
    html`<div class="row" role="group" aria-label=${t("lobby.presets")}>
      <span class="soft">${t("lobby.presets")}</span>
      ${ruleset.presets.map((one) => html`<${Button} title=${named(one.about)} onClick=${() => preset(one)}>${named(one.name, one.id)}<//>`)}
    </div>`}
    ${ruleset.options?.length > 0 &&
    html`<${Panel} title=${t("lobby.options")}>
      <div class="form-grid"><${Options} options=${ruleset.options} values=${options} onChange=${setOptions} cards=${cards} /></div>
    <//>`}
    <${Mods} mods=${ruleset.mods || []} chosen=${mods} onChange=${setMods} />
    <${Panel} title=${t("lobby.who")}>
      <div class="form-grid">
        ${seats.map((one, at) => html`<${Choice} label=${t("lobby.seat", { number: at + 1 })} value=${one}
          options=${[...(at === 0 || one === ME ? [[ME, t("lobby.me")]] : []), ...(at === 0 ? [] : [[OPEN, t("lobby.person")]]),
            ...BOTS.map((bot) => [bot, t(`lobby.bot_${bot}`)])].filter(([id]) => at !== 0 || id === ME)}
          onChange=${(id) => setWho(seats.map((old, place) => (place === at ? id : old)))} />`)}
      </div>
    <//>
    <${Panel} title=${t("lobby.how")}>
      <div class="form-grid">
        <${Choice} label=${t("lobby.length")} value=${how.hands} onChange=${(hands) => setHow({ ...how, hands })}
          options=${[["", t("lobby.match")], ["1", t("lobby.one_hand")], ["4", t("lobby.hands", { count: 4 })]]} />
        <${Choice} label=${t("lobby.claim")} value=${how.claim} onChange=${(claim) => setHow({ ...how, claim })} note=${t("lobby.claim_note")}
          options=${["0", "1", "1.5", "3", "5"].map((one) => [one, t("lobby.seconds", { count: number(Number(one)) })])} />
        <${Choice} label=${t("lobby.move")} value=${how.move} onChange=${(move) => setHow({ ...how, move })}
          options=${[["", t("lobby.no_limit")], ...["10", "20", "30", "60"].map((one) => [one, t("lobby.seconds", { count: one })])]} />
        <${Field} label=${t("lobby.table_name")}>
          <input value=${how.name} maxlength="40" onInput=${(event) => setHow({ ...how, name: event.currentTarget.value })} />
        <//>
      </div>
      <div class="ticks">
        <${Tick} label=${t("lobby.public")} checked=${how.public} onChange=${(yes) => setHow({ ...how, public: yes })} />
        <${Tick} label=${t("lobby.spectators")} checked=${how.spectators} onChange=${(yes) => setHow({ ...how, spectators: yes })} />
        <${Tick} label=${t("lobby.help")} checked=${how.help} onChange=${(yes) => setHow({ ...how, help: yes })} />
      </div>
    <//>
    <${Problems} problems=${problems} />
    <div class="row submit">
      <${Button} type="submit" main disabled=${busy}>${t(busy ? "lobby.opening" : seats.includes(OPEN) ? "lobby.open_table" : "lobby.play")}<//>
    </div>
  </form>`;
}

// --- options

export function Options({ options, values, onChange, cards, disabled }) {
  const set = (id, value) => onChange({ ...values, [id]: value });
  const isTick = (one) => one.kind === "flag";
  const inOrder = [...options.filter((one) => !isTick(one)), ...options.filter(isTick)];
  return inOrder.map((one) => html`<${Option} one=${one} value=${values[one.id] ?? one.default} cards=${cards} disabled=${disabled} onChange=${(value) => set(one.id, value)} />`);
}

function Option({ one, value, cards, disabled, onChange }) {
  const label = named(one.label, one.id);
  const note = one.note && named(one.note);
  if (one.kind === "flag") return html`<${Tick} label=${label} note=${note} checked=${Boolean(value)} disabled=${disabled} onChange=${onChange} />`;
  if (one.kind === "number") {
    return html`<${Field} label=${label} note=${note || rangeOf(one)}>
      <input type="number" value=${value} min=${one.from} max=${one.to} step=${one.step || "any"} disabled=${disabled} required
        onInput=${(event) => event.currentTarget.value !== "" && onChange(Number(event.currentTarget.value))} />
    <//>`;
  }
  const choices = (one.choices || []).map((choice) => [String(choice.id), upFirst(named(choice.label, choice.id))]);
  const own = one.kind === "card" ? (cards || []).map((card) => [`own:${card.id}`, t("lobby.own_card", { name: card.name })]) : [];
  return html`<${Choice} label=${label} note=${note} value=${String(value)} disabled=${disabled} options=${[...choices, ...own]} onChange=${onChange} />`;
}

function upFirst(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function rangeOf(one) {
  if (one.from === undefined || one.to === undefined || one.from === null || one.to === null) return null;
  return t("lobby.range", { from: number(one.from), to: number(one.to) });
}

// The person's own cards, where there are any.
async function ownCards() {
  try {
    return (await api("GET", "/api/cards")).own.filter((card) => card.name);
  } catch {
    return [];
  }
}

// Options as the server takes them: a card of one's own goes along as its text.
async function cardsIn(options, cards) {
  const found = {};
  for (const [id, value] of Object.entries(options)) {
    const own = String(value).startsWith("own:") && (cards || []).find((card) => `own:${card.id}` === value);
    found[id] = own ? { name: own.name, text: own.text ?? (await api("GET", `/api/cards/${own.id}`)).text } : value;
  }
  return found;
}

// The option for the card that the address names, as the card editor does: `?card=ID`, `?card=bundled-ID`.
function cardAsked(ruleset) {
  const id = new URLSearchParams(location.search).get("card");
  const option = id && ruleset.options?.find((one) => one.kind === "card");
  return option ? { [option.id]: id.startsWith("bundled-") ? id.slice("bundled-".length) : `own:${id}` } : {};
}

// --- mods

function Mods({ mods, chosen, onChange }) {
  if (!mods.length) return null;
  const byId = new Map(mods.map((mod) => [mod.id, mod]));
  const nameOf = (id) => named(byId.get(id)?.name, id);
  const against = (mod) =>
    Object.keys(chosen).filter((id) => id !== mod.id && (mod.conflicts?.includes(id) || byId.get(id)?.conflicts?.includes(mod.id)));
  const missing = (mod) => (mod.needs || []).filter((id) => !(id in chosen));
  const toggle = (mod, yes) => {
    if (!yes) {
      const { [mod.id]: _, ...rest } = chosen;
      return onChange(rest);
    }
    const needed = Object.fromEntries(missing(mod).map((id) => [id, {}]));
    return onChange({ ...chosen, ...needed, [mod.id]: {} });
  };
  return html`<${Panel} title=${t("lobby.mods")}>
    <ul class="mods">
      ${mods.map((mod) => {
        const conflicts = against(mod);
        const isOn = mod.id in chosen;
        const blocked = !isOn && conflicts.length > 0;
        return html`<li class=${blocked ? "blocked" : ""}>
          <${Tick} label=${named(mod.name, mod.id)} checked=${isOn} disabled=${blocked} onChange=${(yes) => toggle(mod, yes)} />
          <p class="small soft" lang=${langOf(mod.about)}>${named(mod.about)}</p>
          ${conflicts.length > 0 && html`<p class="small wrong">${t("lobby.conflict", { names: listed(conflicts.map(nameOf)) })}</p>`}
          ${!isOn && missing(mod).length > 0 && html`<p class="small soft">${t("lobby.needs", { names: listed(missing(mod).map(nameOf)) })}</p>`}
          ${isOn && mod.options?.length > 0 && html`<div class="form-grid">
            <${Options} options=${mod.options} values=${chosen[mod.id]} onChange=${(values) => onChange({ ...chosen, [mod.id]: values })} />
          </div>`}
        </li>`;
      })}
    </ul>
  <//>`;
}

