// What advice says, in words. Knows no screen.

import { t } from "../../text.js";

// Nothing has been asked of this moment.
/** @param {HelpState | undefined} state */
export function isNews(state) {
  return !state || (!state.busy && !state.found && !state.error);
}

// How far a hand is: ready with a tile less than complete.
/** @param {{ away: number | null, tiles?: Wait[], discards?: ThrownAway[] }} one */
export function standingText({ away, tiles, discards }) {
  if (away === null) return t("table.no_form");
  if (away === 0) return t("table.complete");
  if (away > 1) return t("table.away_tiles", { count: away });
  return t(tiles?.length || !discards?.length ? "table.ready_for" : "table.ready_after");
}

// The same of the hand without a tile; `waits` are known of the best that are ready.
/** @param {{ away: number | null, tiles?: Wait[], waits?: Wait[] }} one */
export function thenText({ away, tiles, waits }) {
  /** @param {Wait[]} all */
  const count = (all) => all.reduce((sum, one) => sum + one.left, 0);
  if (away === null) return t("table.no_form");
  if (away > 1) return t("table.then_away", { count: away, left: count(tiles || []) });
  if (!waits) return t("table.then_ready", { left: count(tiles || []) });
  const wins = waits.filter((one) => !one.reason);
  return wins.length ? t("table.then_ready", { left: count(wins) }) : t("table.then_no_win");
}
