// The hands of the card that are nearest to the own one: asked for, and drawn with their tiles.

import { html, useEffect, useRef } from "../../html.js";
import { t } from "../../text.js";
import { loadStyle } from "../../main.js";
import { useHelp } from "../../prefs.js";
import { Tile } from "../../tiles.js";
import { complain } from "../../ui.js";
import { handOf } from "./places.js";
import { hasCard } from "./panel.js";

// The hands of the card that are nearest to the own one, asked for again whenever that changes; null where there is no
// advice. What was found stays until there is news.
/** @param {Session} session */
export function useNearest(session) {
  const { about, info, view, help, result, seq } = session.now;
  const helps = useHelp(about);
  useEffect(() => void (hasCard(about) && loadStyle("card-panel")), [about.digest]);
  const known = useRef("");
  const found = help.nearest?.found || help.nearest?.old;
  useEffect(
    () =>
      void (
        result &&
        hasCard(about) &&
        session.me !== null &&
        import("../../wins.js").then(
          (wins) => wins.countWins(result, session.me, `${session.code}/${result.hand}`),
          complain,
        )
      ),
    [result],
  );
  const allowed = Boolean(
    hasCard(about) &&
      helps !== "off" &&
      info.setup?.help &&
      info.state === "playing" &&
      view.seat &&
      !view.over &&
      !result,
  );
  const held = allowed ? JSON.stringify([view.hand, handOf(view), Object.values(view.melds)]) : "";
  useEffect(() => {
    if (!allowed || help.nearest?.busy || (known.current === held && found)) return;
    known.current = held;
    session.help("nearest");
  }, [held, allowed, seq]);
  return allowed && found?.hands ? found : null;
}

// All tiles of a hand, set by set: those that one has, wild ones as themselves, and outlines of those that are missing.
/** @param {{ hand: NearHand, about: About }} props */
export function NearHand({ hand, about }) {
  return html`<span class="near-hand">
    ${(hand.groups || []).map(
      (group) => html`<span class="tiles">
      ${group.map(({ has, by }) => html`<${Tile} code=${by} about=${about} state=${has ? "" : "lacking"} />`)}
    </span>`,
    )}
  </span>`;
}

// On a phone: the nearest hand in one line, which opens the card.
/** @param {{ near: Advice | null, about: About, onOpen: () => void }} props */
export function NearestLine({ near, about, onOpen }) {
  const hand = near?.hands?.[0];
  if (!hand) return null;
  return html`<button type="button" class="nearest-line" onClick=${onOpen} aria-label=${t("table.nearest_line", { count: hand.missing, line: hand.line })}>
    <b>${t("table.away_short", { count: hand.missing })}</b><${NearHand} hand=${hand} about=${about} />
  </button>`;
}
