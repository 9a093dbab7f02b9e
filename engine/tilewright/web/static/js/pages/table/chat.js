// What players say to one another: short phrases, which each reads in their own language, or a line of one's own.

import { html, useEffect, useRef, useState } from "../../html.js";
import { language, t } from "../../text.js";
import { useStore } from "../../store.js";
import { Button, Tick } from "../../ui.js";
import { Dot } from "./players.js";

/** @type {NonNullable<Protocol.Chat["phrase"]>[]} */
const PHRASES = ["hello", "good_luck", "nice", "well_played", "thanks", "sorry", "moment", "bye"];
const LONGEST = 120; // as the server has it

// Whether there is somebody to talk to, and the host lets them.
/** @param {TableInfo} info */
export const hasChat = (info) =>
  info.setup?.chat !== false && info.seats.filter((seat) => seat.kind === "person").length > 1;

/** @param {{ phrase: string | null, text: string | null }} one */
export const chatText = ({ phrase, text }) => (phrase ? t(`table.phrase_${phrase}`) : text);

/** @param {{ session: Session }} props */
export function Chat({ session }) {
  useStore(language);
  const { chat } = session.now;
  const [text, set] = useState("");
  const end = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => end.current?.scrollIntoView({ block: "nearest" }), [chat.length]);
  /** @param {Happening} event */
  const send = async (event) => {
    event.preventDefault();
    if (text.trim() && (await session.tell({ say: "chat", text: text.trim() }))) set("");
  };
  return html`<section class="chat stack" aria-label=${t("table.tab_chat")}>
    <div role="log"><ol class="chat-lines">
      ${chat.map((line, at) => html`<li key=${at}><${Dot} player=${line.player} /> <b>${line.player === session.me ? t("table.you") : line.name || session.nameOf(line.player)}</b> ${chatText(line)}</li>`)}
      <li ref=${end} aria-hidden="true"></li>
    </ol></div>
    ${
      session.me !== null &&
      html`
      <div class="phrases" role="group" aria-label=${t("table.phrases")}>
        ${PHRASES.map((phrase) => html`<${Button} key=${phrase} onClick=${() => session.tell({ say: "chat", phrase })}>${t(`table.phrase_${phrase}`)}<//>`)}
      </div>
      <form onSubmit=${send}>
        <input class="grow" value=${text} maxlength=${LONGEST} autocomplete="off" aria-label=${t("table.chat_line")} placeholder=${t("table.chat_line")} onInput=${(event) => set(event.currentTarget.value)} />
        <${Button} type="submit" disabled=${!text.trim()}>${t("table.chat_send")}<//>
      </form>`
    }
  </section>`;
}

/** @param {{ session: Session }} props */
export function ChatTick({ session }) {
  return html`<${Tick} label=${t("table.chat_allowed")} checked=${session.now.info.setup.chat !== false} onChange=${(/** @type {boolean} */ on) => session.tell({ say: "chatting", on })} />`;
}
