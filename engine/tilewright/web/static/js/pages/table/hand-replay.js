// The hand just played, looked at again: the replay's own page over the result, with the moments that this page was told.

import { html, useEffect, useState } from "../../html.js";
import { loadText, t } from "../../text.js";
import { loadStyle } from "../../main.js";
import { Waiting } from "../../ui.js";

/** @param {{ session: Session }} props */
export function HandReplay({ session }) {
  const [Shown, setShown] = useState(/** @type {object | null} */ (null));
  useEffect(() => {
    let here = true;
    Promise.all([import("../replays/replay.js"), loadStyle("replays"), loadText("replay")]).then(
      ([found]) => here && setShown(() => found.Shown),
    );
    return () => (here = false);
  }, []);
  return html`<section class="settlement replayed" aria-label=${t("table.replay_hand")}>
    ${Shown ? html`<${Shown} code=${session.code} index=${session.recording && indexOf(session, session.recording)} stepsOf=${async () => ({ steps: session.recording?.steps })} onClose=${() => session.watch(false)} />` : html`<${Waiting} />`}
  </section>`;
}

// What the replay wants to know: one hand, seen as it was seen.
/** @param {Session} session @param {NonNullable<Session["recording"]>} recording */
function indexOf(session, { result, steps }) {
  const { about, info } = session.now;
  const own = session.me === null ? ["all", t("table.you_watch")] : [String(session.me), t("table.you")];
  return {
    about,
    name: info.name,
    players: info.seats.map((seat) => ({ ...seat, name: session.nameOf(seat.player) })),
    me: session.me,
    spec: info.spec,
    scores: result.scores,
    start: result.scores.map((score, player) => score - result.gains[player]),
    eyes: [own],
    hands: [{ hand: result.hand, first: 0, steps: steps.length, result }],
    steps: steps.length,
  };
}
