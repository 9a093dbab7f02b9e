// Setting a table up: presets as cards, then who sits, options, mods and times, each folded under what it says now; the
// button that opens the table is always in reach.

import { BOTS } from "../../bots.js";
import { html, useEffect, useState } from "../../html.js";
import { langOf, listed, named, number, t } from "../../text.js";
import { loadStyle } from "../../main.js";
import { setPrefs, useHelp } from "../../prefs.js";
import { api } from "../../net.js";
import { Button, Choice, Field, Fold, Problems, Tick, Waiting, useLoaded } from "../../ui.js";
import { fetchRuleset } from "../../rulesets.js";
import { Profile, Strip, useStrips } from "../../strips.js";
import { Options, valueText } from "./options.js";
import { ME, OPEN, seatsOf, setupOf } from "./seating.js";

const MOST_HANDS = 1000; // as the server has it
const TOLD = 4; // changed options that a folded part names

/** @param {{ ruleset: Outline } & Record<string, unknown>} props */
export default function Setup({ ruleset, ...rest }) {
  const { value, error, again } = useLoaded(ruleset.id, () => fetchRuleset(ruleset.id));
  useEffect(() => void loadStyle("setup"), []);
  if (error)
    return html`<div class="page"><div class="note-box bad row" role="alert"><span class="grow">${error.message}</span><${Button} onClick=${again}>${t("lobby.again")}<//></div></div>`;
  return value
    ? html`<${Form} key=${value.id} ruleset=${value} ...${rest} />`
    : html`<div class="page"><${Waiting} /></div>`;
}

/**
 * @param {{ ruleset: Offered, busy: boolean, problems: Problem[], friends: boolean, onBack: () => void,
 *   onOpen: (spec: Protocol.Spec, setup: Protocol.Setup) => void }} props
 */
function Form({ ruleset, busy, problems, friends, onBack, onOpen }) {
  const [options, setOptions] = useState(/** @returns {Record<string, OptionValue>} */ () => cardAsked(ruleset));
  const [mods, setMods] = useState(/** @type {Record<string, Record<string, OptionValue>>} */ ({})); // id -> its options
  const [who, setWho] = useState([ME]);
  const [how, setHow] = useState({
    hands: "",
    claim: "",
    move: "",
    public: false,
    spectators: true,
    help: true,
    chat: true,
    name: "",
    seed: "",
  });
  const { value: cards } = useLoaded("cards", ownCards);
  const strips = useStrips();
  const count = seatsOf(ruleset, options);
  const seats = Array.from({ length: count }, (_, at) => who[at] || (friends ? OPEN : "fast"));
  const name = named(ruleset.name, ruleset.id);

  const alone = !seats.includes(OPEN) && !how.public;

  /** @param {Happening} event */
  const open = async (event) => {
    event.preventDefault();
    const spec = {
      ruleset: { id: ruleset.id },
      mods: Object.entries(mods).map(([id, chosen]) => ({ id, options: chosen })),
      options: await cardsIn(options, cards),
      hands: how.hands ? Number(how.hands) : null,
      ...(how.seed !== "" && alone ? { seed: Number(how.seed) } : {}),
    };
    onOpen(
      spec,
      setupOf(seats, {
        public: how.public,
        name: how.name.trim(),
        claim_seconds: how.claim ? Number(how.claim) : null,
        move_seconds: how.move ? Number(how.move) : null,
        help: how.help,
        spectators: how.spectators,
        chat: how.chat,
      }),
    );
  };

  return html`<form class="page setup" onSubmit=${open}>
    <div class="head">
      <${Button} quiet onClick=${onBack}>← ${t("lobby.back")}<//>
      <div class="variant">
        <${Strip} codes=${strips?.strips[ruleset.id]} about=${strips} />
        <div class="say"><h1>${name}</h1><${Profile} ruleset=${ruleset} />
          <a href=${`/rules/${ruleset.id}`}>${t("lobby.rules")}</a></div>
      </div>
    </div>
    <${Presets} ruleset=${ruleset} options=${options} mods=${mods} onChoose=${(/** @type {Preset} */ one) => (setOptions(one.options || {}), setMods(modsOf(one)))} />
    <${Fold} title=${t("lobby.who")} told=${seatsTold(seats)} open>
      <div class="seats-grid" style=${`--columns:${seats.length > 4 ? 3 : seats.length}`}>
        ${seats.map(
          (one, at) => html`<${Choice} label=${t("lobby.seat", { number: at + 1 })} value=${one}
          options=${at === 0 ? [[ME, t("lobby.me")]] : [[OPEN, t("lobby.person")], ...BOTS.map((bot) => [bot, t(`lobby.bot_${bot}`)])]}
          onChange=${(/** @type {string} */ id) => setWho(seats.map((old, place) => (place === at ? id : old)))} />`,
        )}
      </div>
    <//>
    ${
      ruleset.options?.length > 0 &&
      html`<${Fold} title=${t("lobby.options")} told=${optionsTold(ruleset, options, cards)}>
      <div class="form-grid"><${Options} options=${ruleset.options} values=${options} onChange=${setOptions} cards=${cards} /></div>
    <//>`
    }
    <${Mods} mods=${ruleset.mods || []} chosen=${mods} onChange=${setMods} />
    <${How} how=${how} profile=${ruleset.profile} seats=${seats} alone=${alone} onChange=${(part) => setHow({ ...how, ...part })} />
    <${Problems} problems=${problems} />
    <div class="submit">
      <${Button} type="submit" main class="big" disabled=${busy}>${t(busy ? "lobby.opening" : seats.includes(OPEN) ? "lobby.open_table" : "lobby.play")}<//>
    </div>
  </form>`;
}

// --- presets

/** @param {Partial<Preset>} preset */
const modsOf = (preset) => Object.fromEntries((preset.mods || []).map((mod) => [mod.id, mod.options || {}]));

/**
 * @param {{ ruleset: Offered, options: Record<string, OptionValue>, mods: Record<string, object>, onChoose: (preset:
 *   Preset) => void }} props
 */
function Presets({ ruleset, options, mods, onChoose }) {
  if (!ruleset.presets?.length) return null;
  const usual = { id: "", name: t("lobby.usual"), about: t("lobby.usual_text"), options: {}, mods: [] };
  const chosen = JSON.stringify([changed(ruleset, options), mods]);
  /** @param {Preset} one */
  const isOn = (one) => JSON.stringify([changed(ruleset, one.options), modsOf(one)]) === chosen;
  /** @param {Preset} one */
  const isUsual = (one) => !changed(ruleset, one.options).length && !one.mods?.length;
  const all = ruleset.presets.some(isUsual) ? ruleset.presets : [usual, ...ruleset.presets];
  return html`<section class="presets" aria-labelledby="presets">
    <h2 id="presets">${t("lobby.presets")}</h2>
    <div class="cards">
      ${all.map(
        (
          one,
        ) => html`<button type="button" key=${one.id} class="preset" aria-pressed=${String(isOn(one))} onClick=${() => onChoose(one)}>
        <strong>${named(one.name, one.id)}</strong>
        <span class="small soft" lang=${one.id ? langOf(one.about) : null}>${named(one.about) || presetTold(ruleset, one)}</span>
      </button>`,
      )}
    </div>
  </section>`;
}

// What a preset changes, where it does not say so itself.
/** @param {Offered} ruleset @param {Preset} one */
function presetTold(ruleset, one) {
  const mods = (one.mods || []).map(({ id }) => named(ruleset.mods?.find((mod) => mod.id === id)?.name, id));
  return listed([...mods, changed(ruleset, one.options || {}).length > 0 && optionsTold(ruleset, one.options)]);
}

// Options that are not as usual, in the ruleset's order.
/** @param {Offered} ruleset @param {Record<string, OptionValue>} options */
function changed(ruleset, options) {
  return ruleset.options
    .filter((one) => one.id in options && String(options[one.id]) !== String(one.default))
    .map((one) => [one.id, String(options[one.id])]);
}

/** @param {Offered} ruleset @param {Record<string, OptionValue>} options @param {OwnCard[] | null} [cards] */
function optionsTold(ruleset, options, cards) {
  const news = changed(ruleset, options).flatMap(([id]) => {
    const one = ruleset.options.find((option) => option.id === id);
    return one ? [`${named(one.label, id)}: ${valueText(one, options[id], cards)}`] : [];
  });
  if (!news.length) return t("lobby.as_usual");
  return news.slice(0, TOLD).join(" · ") + (news.length > TOLD ? " …" : "");
}

/** @param {string[]} seats */
function seatsTold(seats) {
  const counts = [...BOTS, OPEN]
    .map((kind) => [kind, seats.filter((one) => one === kind).length])
    .filter(([, count]) => count);
  return listed([t("lobby.me"), ...counts.map(([kind, count]) => t(`lobby.told_${kind}`, { count }))]);
}

// --- times, length, who may see it

/**
 * @param {{ how: HowToPlay, profile: Profile, seats: string[], alone: boolean, onChange: (part: Partial<HowToPlay>) =>
 *   void }} props
 */
function How({ how, profile, seats, alone, onChange }) {
  const hints = useHelp(profile);
  /** @param {string} one */
  const seconds = (one) => t("lobby.seconds", { count: number(Number(one)) });
  const told = [
    how.hands === "" ? t("lobby.match") : t("lobby.hands", { count: Number(how.hands) }),
    how.move && `${t("lobby.move")}: ${seconds(how.move)}`,
    how.public && t("lobby.public"),
  ];
  return html`<${Fold} title=${t("lobby.how")} told=${told.filter(Boolean).join(" · ")}>
    <div class="form-grid">
      <${Field} label=${t("lobby.length")} note=${t("lobby.length_note")}>
        <input type="number" min="1" max=${MOST_HANDS} step="1" value=${how.hands} placeholder=${t("lobby.match")} onInput=${(event) => onChange({ hands: event.currentTarget.value })} />
      <//>
      <${Choice} label=${t("lobby.claim")} value=${how.claim} onChange=${(/** @type {string} */ claim) => onChange({ claim })} note=${t("lobby.claim_note")}
        options=${[["", t(seats.includes(OPEN) ? "lobby.claim_usual" : "lobby.claim_none")], ...["0", "1", "1.5", "3", "5"].map((one) => [one, seconds(one)])]} />
      <${Choice} label=${t("lobby.move")} value=${how.move} onChange=${(/** @type {string} */ move) => onChange({ move })}
        options=${[["", t("lobby.no_limit")], ...["10", "20", "30", "60"].map((one) => [one, seconds(one)])]} />
      ${
        alone &&
        html`<${Field} label=${t("lobby.seed")} note=${t("lobby.seed_note")}>
        <input type="number" min="0" max=${Number.MAX_SAFE_INTEGER} step="1" value=${how.seed} onInput=${(event) => onChange({ seed: event.currentTarget.value })} />
      <//>`
      }
      <${Field} label=${t("lobby.table_name")}>
        <input value=${how.name} maxlength="40" onInput=${(event) => onChange({ name: event.currentTarget.value })} />
      <//>
    </div>
    <div class="ticks">
      <${Tick} label=${t("lobby.public")} checked=${how.public} onChange=${(/** @type {boolean} */ yes) => onChange({ public: yes })} />
      <${Tick} label=${t("lobby.spectators")} checked=${how.spectators} onChange=${(/** @type {boolean} */ yes) => onChange({ spectators: yes })} />
      ${seats.includes(OPEN) && html`<${Tick} label=${t("lobby.chat")} checked=${how.chat} onChange=${(/** @type {boolean} */ yes) => onChange({ chat: yes })} />`}
      <${Tick} label=${t("lobby.help")} checked=${how.help} onChange=${(/** @type {boolean} */ yes) => onChange({ help: yes })} />
      ${how.help && html`<${Tick} label=${t("lobby.hints")} checked=${hints === "on"} onChange=${(/** @type {boolean} */ yes) => setPrefs({ help: yes ? "on" : "demand" })} />`}
    </div>
  <//>`;
}

// --- cards

// The person's own cards, where there are any.
async function ownCards() {
  try {
    const { own } = await /** @type {Promise<{ own: OwnCard[] }>} */ (api("GET", "/api/cards"));
    return own.filter((card) => card.name);
  } catch {
    return [];
  }
}

// Options as the server takes them: a card of one's own goes along as its text.
/** @param {Record<string, OptionValue>} options @param {OwnCard[] | null} cards */
async function cardsIn(options, cards) {
  /** @type {Record<string, OptionValue | Protocol.SpecDocument>} */
  const found = {};
  for (const [id, value] of Object.entries(options)) {
    const own = String(value).startsWith("own:") && (cards || []).find((card) => `own:${card.id}` === value);
    found[id] = own ? { name: own.name, text: own.text ?? (await textOf(own.id)) } : value;
  }
  return found;
}

/** @param {string} id */
async function textOf(id) {
  const { text } = await /** @type {Promise<{ text: string }>} */ (api("GET", `/api/cards/${id}`));
  return text;
}

// The option for the card that the address names, as the card editor does: `?card=ID`, `?card=bundled-ID`.
/** @param {Offered} ruleset */
function cardAsked(ruleset) {
  const id = new URLSearchParams(location.search).get("card");
  const option = id && ruleset.options?.find((one) => one.kind === "card");
  return option ? { [option.id]: id.startsWith("bundled-") ? id.slice("bundled-".length) : `own:${id}` } : {};
}

// --- mods

/**
 * @param {{ mods: Mod[], chosen: Record<string, Record<string, OptionValue>>, onChange: (chosen: Record<string,
 *   Record<string, OptionValue>>) => void }} props
 */
function Mods({ mods, chosen, onChange }) {
  if (!mods.length) return null;
  const byId = new Map(mods.map((mod) => [mod.id, mod]));
  /** @param {string} id */
  const nameOf = (id) => named(byId.get(id)?.name, id);
  /** @param {Mod} mod */
  const against = (mod) =>
    Object.keys(chosen).filter(
      (id) => id !== mod.id && (mod.conflicts?.includes(id) || byId.get(id)?.conflicts?.includes(mod.id)),
    );
  /** @param {Mod} mod */
  const missing = (mod) => (mod.needs || []).filter((id) => !(id in chosen));
  /** @param {Mod} mod @param {boolean} yes */
  const toggle = (mod, yes) => {
    if (!yes) {
      const { [mod.id]: _, ...rest } = chosen;
      return onChange(rest);
    }
    const needed = Object.fromEntries(missing(mod).map((id) => [id, {}]));
    return onChange({ ...chosen, ...needed, [mod.id]: {} });
  };
  const told = listed(Object.keys(chosen).map(nameOf));
  return html`<${Fold} title=${t("lobby.mods")} told=${told || t("lobby.no_mods")}>
    <ul class="mods">
      ${mods.map((mod) => {
        const conflicts = against(mod);
        const isOn = mod.id in chosen;
        const blocked = !isOn && conflicts.length > 0;
        return html`<li class=${blocked ? "blocked" : ""}>
          <${Tick} label=${named(mod.name, mod.id)} checked=${isOn} disabled=${blocked} onChange=${(/** @type {boolean} */ yes) => toggle(mod, yes)} />
          <p class="small soft" lang=${langOf(mod.about)}>${named(mod.about)}</p>
          ${conflicts.length > 0 && html`<p class="small wrong">${t("lobby.conflict", { names: listed(conflicts.map(nameOf)) })}</p>`}
          ${!isOn && missing(mod).length > 0 && html`<p class="small soft">${t("lobby.needs", { names: listed(missing(mod).map(nameOf)) })}</p>`}
          ${
            isOn &&
            mod.options?.length > 0 &&
            html`<div class="form-grid">
            <${Options} options=${mod.options} values=${chosen[mod.id]} onChange=${(/** @type {Record<string, OptionValue>} */ values) => onChange({ ...chosen, [mod.id]: values })} />
          </div>`
          }
        </li>`;
      })}
    </ul>
  <//>`;
}
