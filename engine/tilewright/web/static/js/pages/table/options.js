// How a table looks and sounds; its links, its deal and its seats.

import { html } from "../../html.js";
import { language, t, useLanguages } from "../../text.js";
import { hasOwnRules } from "../../own-rules.js";
import { prefs, setPrefs } from "../../prefs.js";
import { useStore } from "../../store.js";
import { indexWish } from "../../tiles.js";
import { Button, Choice, Field, Tick } from "../../ui.js";
import { InviteCode, Spectators } from "./host.js";
import { CopyLine, SeatList } from "./waiting.js";

/** @param {{ session: Session, info: TableInfo }} props */
export function OptionsTab({ session, info }) {
  const { sound, tiles, cloth, index, motion, confirm } = useStore(prefs);
  const link = session.now.token && `${location.origin}/t/${info.code}#seat=${session.now.token}`;
  return html`<div class="stack">
    <${Field} label=${t("table.sound")}><input type="range" min="0" max="1" step="0.1" value=${sound} onChange=${(event) => setPrefs({ sound: Number(event.currentTarget.value) })} /><//>
    <${Choice} label=${t("base.language")} value=${useStore(language)} onChange=${(/** @type {string} */ value) => setPrefs({ lang: value })} options=${useLanguages()} />
    <${Choice} label=${t("table.faces")} value=${tiles} onChange=${(/** @type {string} */ value) => setPrefs({ tiles: value })} options=${["plain", "modern", "four", "contrast"].map((one) => [one, t(`table.faces_${one}`)])} />
    <${Choice} label=${t("table.cloth")} value=${cloth} onChange=${(/** @type {string} */ value) => setPrefs({ cloth: value })} options=${["green", "blue", "red"].map((one) => [one, t(`table.cloth_${one}`)])} />
    <${Choice} label=${t("table.index")} value=${indexWish(index)} onChange=${(/** @type {string} */ value) => setPrefs({ index: value })} options=${["auto", "on", "off"].map((one) => [one, t(`table.index_${one}`)])} />
    <${Tick} label=${t("table.confirm")} checked=${confirm} onChange=${(/** @type {boolean} */ yes) => setPrefs({ confirm: yes })} />
    <${Tick} label=${t("table.motion")} checked=${motion !== "off"} onChange=${(/** @type {boolean} */ yes) => setPrefs({ motion: yes ? "auto" : "off" })} />
    ${link && html`<${Field} label=${t("table.seat_link")} note=${t("table.seat_link_note")}><${CopyLine} text=${link} label=${t("table.seat_link")} /><//>`}
    ${info.state === "playing" && html`<${Deal} session=${session} />`}
    ${info.state === "playing" && html`<${Seats} session=${session} />`}
    <p class="row"><${Button} href="/">${t("base.to_lobby")}<//><${Button} href=${`/r/${info.code}`}>${t("table.replay")}<//></p>
  </div>`;
}

// What was published about the deal of this hand, to be compared with its seed when the hand is over.
/** @param {{ session: Session }} props */
function Deal({ session }) {
  const { info, view } = session.now;
  if (view && !view.deal) return html`<p class="small">${t("table.seed_chosen")}</p>`;
  const hash = view?.deal && session.hashOf(view.deal.hand);
  return (
    hash &&
    html`${hasOwnRules(info) && html`<p class="small">${t("table.own_deal")}</p>`}<${Field} label=${t("table.deal_hash")} note=${t("table.deal_hash_note")}><${CopyLine} text=${hash} label=${t("table.deal_hash")} /><//>`
  );
}

// Who leaves for good gives the seat to a bot; the host invites somebody to it.
/** @param {{ session: Session }} props */
function Seats({ session }) {
  const { info } = session.now;
  const sits = info.me !== null && info.me !== undefined;
  const stand = () => confirm(t("table.stand_sure")) && session.stand();
  return html`<section class="stack">
    <h2 class="part-title">${t("table.seats")}</h2>
    <${SeatList} session=${session} />
    ${info.host && html`<p class="soft small">${t("table.seats_note")}</p>`}
    ${info.host && info.seats.some((seat) => !seat.taken) && html`<${InviteCode} session=${session} />`}
    ${info.host && html`<${Spectators} session=${session} />`}
    ${sits && html`<p><${Button} onClick=${stand}>${t("table.stand")}<//></p>`}
  </section>`;
}
