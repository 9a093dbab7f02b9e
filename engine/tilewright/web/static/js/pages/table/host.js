// What the host may do: make an invite code for friends, and say who may watch.

import { html, useEffect, useState } from "../../html.js";
import { clockTime, language, t } from "../../text.js";
import { useStore } from "../../store.js";
import { Button, Tick } from "../../ui.js";
import { ChatTick } from "./chat.js";

// A code to be read out; each new one replaces the one before.
/** @param {{ session: Session }} props */
export function InviteCode({ session }) {
  useStore(language);
  const [invite, set] = useState(/** @type {{ code: string, until: number } | null} */ (null));
  const expired = useExpired(invite?.until);
  const make = async () => {
    const reply = await session.tell({ say: "invite" });
    if (reply?.code) set({ code: reply.code, until: Date.now() + (reply.seconds ?? 0) * 1000 });
  };
  return html`<div class="stack" role="status">
    ${
      invite &&
      !expired &&
      html`
      <div><span class="soft small">${t("table.invite_code")}</span><b class="big-code number">${invite.code.slice(0, 4)}-${invite.code.slice(4)}</b></div>
      <p class="soft small">${t("table.invite_valid", { time: clockTime(invite.until) })}</p>`
    }
    ${invite && expired && html`<p class="soft small">${t("table.invite_expired")}</p>`}
    <p><${Button} onClick=${make}>${t("table.invite_new")}<//></p>
  </div>`;
}

/** @param {number | undefined} until */
function useExpired(until) {
  const [past, set] = useState(/** @type {number | null} */ (null)); // the time that has passed
  useEffect(() => {
    if (until === undefined) return;
    const timer = setTimeout(() => set(until), until - Date.now());
    return () => clearTimeout(timer);
  }, [until]);
  return past === until;
}

/** @param {{ session: Session }} props */
export function Spectators({ session }) {
  const { info } = session.now;
  return html`<section class="stack">
    <${ChatTick} session=${session} />
    <h2 class="part-title">${t("table.spectators")}</h2>
    <${Tick} label=${t("table.spectators_allowed")} checked=${info.setup.spectators !== false} onChange=${(/** @type {boolean} */ on) => session.tell({ say: "spectators", on })} />
    ${
      info.spectators.length > 0 &&
      html`<ul class="seat-list spectators">
      ${info.spectators.map(
        ({ number, name }) => html`<li key=${number}>
        <span class="grow">${name || t("table.unnamed")}</span>
        <${Button} aria-label=${t("table.remove_named", { name: name || t("table.unnamed") })} onClick=${() => session.tell({ say: "remove", spectator: number })}>${t("table.remove")}<//>
      </li>`,
      )}
    </ul>`
    }
  </section>`;
}
