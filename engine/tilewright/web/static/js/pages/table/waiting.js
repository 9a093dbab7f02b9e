// A table that waits for people: its link, invite codes, who sits where, sitting down, starting.

import { BOTS } from "../../bots.js";
import { html, useEffect, useRef, useState } from "../../html.js";
import { link, rename } from "../../net.js";
import { OwnMark, hasOwnRules } from "../../own-rules.js";
import { useStore } from "../../store.js";
import { t } from "../../text.js";
import { Button, Choice, Field, complain, later, toast } from "../../ui.js";
import { Chat, hasChat } from "./chat.js";
import { InviteCode, Spectators } from "./host.js";
import { rulesOf, titleOf } from "./names.js";

const MOST_NAME = 24; // characters
const OwnRules = later(() => import("./own-rules.js"), "OwnRules");
const OwnRulesLine = later(() => import("./own-rules.js"), "OwnRulesLine");

/** @param {{ session: Session }} props */
export function WaitingRoom({ session }) {
  const { info, about } = session.now;
  const address = `${location.origin}/t/${info.code}`;
  const free = info.seats.filter((seat) => seat.kind === "person" && !seat.taken);
  return html`<div class="waiting-room">
    <section class="panel stack">
      <h1>${titleOf(info, about)} <${OwnMark} info=${info} /></h1>
      ${info.name && info.own.length > 0 && html`<p>${rulesOf(info, about)}</p>`}
      ${info.own.length > 0 && html`<${OwnRules} session=${session} />`}
      <p class="soft">${free.length ? t("table.waiting", { count: free.length }) : t("table.all_here")}</p>
      <div>
        <span class="soft small">${t("table.link")}</span><${CopyLine} text=${address} />
        <p class="soft small">${t("table.link_note")}</p>
      </div>
      ${info.host && html`<${InviteCode} session=${session} />`}
      <${SeatList} session=${session} />
      ${hasChat(info) && (session.me !== null || session.now.chat.length > 0) && html`<${Chat} session=${session} />`}
      <div class="row">
        ${info.host && html`<${Button} main onClick=${() => session.tell({ say: "start" })}>${t(free.length ? "table.start_with_bots" : "table.start")}<//>`}
        ${info.me !== null && info.me !== undefined && html`<${Button} onClick=${() => session.stand()}>${t("table.stand")}<//>`}
      </div>
      ${info.host ? html`<${Spectators} session=${session} />` : html`<p class="soft small">${t("table.host_starts")}</p>`}
    </section>
  </div>`;
}

// Who sits where, and what the host may change of it.
/** @param {{ session: Session }} props */
export function SeatList({ session }) {
  const { sit, ask } = useSitting(session);
  return html`${ask}<ul class="seat-list">
    ${session.now.info.seats.map((seat) => html`<${SeatLine} key=${seat.player} session=${session} seat=${seat} onSit=${() => sit(seat.player)} />`)}
  </ul>`;
}

// Sitting down; who has no name is asked for it first.
/** @param {Session} session */
function useSitting(session) {
  const { name } = useStore(link);
  const [wanted, want] = useState(/** @type {number | null} */ (null)); // the seat that is taken as soon as there is a name
  /** @param {number} player */
  const sit = (player) => (name ? session.sit(player) : want(player));
  /** @param {string} given */
  const named = async (given) => {
    try {
      await rename(given);
      want(null);
      if (wanted !== null) session.sit(wanted);
    } catch (error) {
      complain(error);
    }
  };
  return { sit, ask: wanted !== null && html`<${AskName} onName=${named} onCancel=${() => want(null)} />` };
}

/** @param {{ onName: (name: string) => void, onCancel: () => void }} props */
function AskName({ onName, onCancel }) {
  const [name, set] = useState("");
  const field = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => field.current?.focus(), []);
  /** @param {Happening} event */
  const send = (event) => {
    event.preventDefault();
    if (name.trim()) onName(name.trim().slice(0, MOST_NAME));
  };
  return html`<form class="ask-name note-box stack" onSubmit=${send}>
    <${Field} label=${t("table.your_name")} note=${t("table.your_name_note")}>
      <input ref=${field} value=${name} maxlength=${MOST_NAME} autocomplete="nickname" required onInput=${(event) => set(event.currentTarget.value)} />
    <//>
    <div class="row"><${Button} type="submit" main disabled=${!name.trim()}>${t("table.sit")}<//><${Button} onClick=${onCancel}>${t("base.cancel")}<//></div>
  </form>`;
}

// The seats that a spectator may take: in a private game, who was invited.
/** @param {{ session: Session }} props */
export function FreeSeats({ session }) {
  const { info, about, view } = session.now;
  const { sit, ask } = useSitting(session);
  if (info.state !== "playing" || (info.me !== null && info.me !== undefined)) return null;
  const free = info.seats.filter((seat) => seat.kind === "person" && !seat.taken);
  if (free.length && !info.setup?.public && !session.invite)
    return html`<p class="soft small">${t("table.needs_invite")}</p>`;
  const warned =
    hasOwnRules(info) &&
    (about && view ? html`<${OwnRulesLine} session=${session} />` : html`<${OwnRules} session=${session} />`);
  return (
    free.length > 0 &&
    html`<div class="free-seats stack">${warned}${ask}<p class="row">
    ${free.map((seat) => html`<${Button} main onClick=${() => sit(seat.player)}>${t("table.sit_at", { number: seat.player + 1 })}<//>`)}
  </p></div>`
  );
}

/** @param {string} kind */
const seatSetup = (kind) =>
  /** @type {Protocol.SeatSetup} */ (kind === "person" ? { kind } : { kind: "bot", bot: kind });

/** @param {{ session: Session, seat: Protocol.SeatInfo, onSit: () => void }} props */
function SeatLine({ session, seat, onSit }) {
  const { info } = session.now;
  const isMe = seat.player === info.me;
  const isFree = seat.kind === "person" && !seat.taken;
  const who =
    seat.kind === "bot"
      ? t(`table.bot_${seat.bot}`)
      : isFree
        ? t("table.free")
        : seat.name || t("table.player", { number: seat.player + 1 });
  return html`<li class=${isFree ? "free" : ""}>
    <span class="number soft">${seat.player + 1}</span>
    <span class="grow">${who}${isMe && html` <span class="badge accent">${t("table.you")}</span>`}
      ${seat.kind === "person" && seat.taken && !seat.here && html` <span class="badge warm">${t("table.away")}</span>`}</span>
    ${isFree && !isMe && info.state === "waiting" && html`<${Button} onClick=${onSit}>${t("table.sit")}<//>`}
    ${
      info.host &&
      (isFree || seat.kind === "bot") &&
      html`<${Choice} label=${html`<span class="unseen">${t("table.who_sits", { number: seat.player + 1 })}</span>`} value=${seat.kind === "bot" ? seat.bot : "person"}
      options=${[["person", t("table.person")], ...BOTS.map((bot) => [bot, t(`table.bot_${bot}`)])]}
      onChange=${(/** @type {string} */ kind) => session.tell({ say: "set", player: seat.player, seat: seatSetup(kind) })} />`
    }
  </li>`;
}

/** @param {{ text: string, label?: string }} props */
export function CopyLine({ text, label }) {
  const [done, set] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      set(true);
      setTimeout(() => set(false), 2000);
    } catch {
      toast(text);
    }
  };
  return html`<span class="copy-line">
    <input readonly value=${text} aria-label=${label || t("table.link")} onFocus=${(event) => event.currentTarget.select()} />
    <${Button} onClick=${copy}>${t(done ? "table.copied" : "table.copy")}<//>
  </span>`;
}
