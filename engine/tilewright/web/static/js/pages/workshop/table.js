// A table by the rules as they are now: who sits there, how long, and off one goes.

import { BOTS } from "../../bots.js";
import { html, useState } from "../../html.js";
import { t } from "../../text.js";
import { make } from "../../net.js";
import { Button, Choice, Tick, Waiting, complain } from "../../ui.js";
import { go } from "../../main.js";
import { keepTable } from "../../own.js";
import { setupOf } from "../lobby/seating.js";
import { Choosing } from "./choosing.js";
import { Unready, useAbout } from "./meaning.js";

const PERSON = "person";

/** @param {{ state: BenchState, name: string }} props */
export function Table({ state, name }) {
  const { value: about, error } = useAbout(state);
  const [who, setWho] = useState(/** @type {string[]} */ ([]));
  const [hands, setHands] = useState("");
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  if (!state.good || !state.spec) return html`<${Unready} state=${state} />`;
  const { spec } = state;
  if (error && !about) return html`<p class="note-box bad">${error.message}</p>`;
  if (!about) return html`<${Waiting} />`;
  if (state.tried.value?.asks && !state.tried.value.asks.playable)
    return html`<p class="note-box">${t("workshop.not_played")}</p>`;
  const others = about.seats.slice(1).map((_, at) => who[at] || "fast");

  /** @param {Happening} event */
  async function play(event) {
    event.preventDefault();
    setBusy(true);
    try {
      const setup = setupOf([PERSON, ...others], { public: open, name: name.slice(0, 40) });
      const made = await make({
        spec: { ...spec, options: state.options, hands: hands ? Number(hands) : null },
        setup,
        sit: 0,
      });
      keepTable(made.info.code, made.token);
      go(`/t/${made.info.code}`);
    } catch (problem) {
      complain(problem);
      setBusy(false);
    }
  }

  return html`<form class="stack" onSubmit=${play}>
    <p class="soft">${t("workshop.table_lead")}</p>
    <div class="form-grid">
      ${others.map(
        (one, at) => html`<${Choice} label=${t("workshop.seat_number", { number: at + 2 })} value=${one}
        options=${[...BOTS.map((bot) => [bot, t(`workshop.bot_${bot}`)]), [PERSON, t("workshop.person")]]}
        onChange=${(/** @type {string} */ id) => setWho(others.map((old, place) => (place === at ? id : old)))} />`,
      )}
      <${Choice} label=${t("workshop.length")} value=${hands} onChange=${setHands} options=${[["", t("workshop.match")], ["1", t("workshop.one_hand")]]} />
    </div>
    <${Choosing} state=${state} />
    <${Tick} label=${t("workshop.public")} checked=${open} onChange=${setOpen} />
    <div><${Button} type="submit" main disabled=${busy}>${t(busy ? "workshop.opening" : "workshop.play")}<//></div>
  </form>`;
}
