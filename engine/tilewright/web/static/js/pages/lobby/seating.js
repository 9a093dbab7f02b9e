// Who sits where when a table is made, the person first, then bots or people who are invited; and making it.

import { BOTS } from "../../bots.js";
import { link, make, ready } from "../../net.js";
import { go } from "../../main.js";
import { keepTable } from "../../own.js";
import { setPrefs } from "../../prefs.js";

export const ME = "me";
export const OPEN = "open";

// Against fast bots, nobody else invited.
/** @param {Outline} ruleset */
export const quickSetup = (ruleset) => setupOf([ME, ...others(ruleset, "fast")], {});

// With friends, who come with an invite code.
/** @param {Outline} ruleset */
export const inviting = (ruleset) => setupOf([ME, ...others(ruleset, OPEN)], {});

/** @param {Outline} ruleset @param {string} who */
const others = (ruleset, who) => Array(seatsOf(ruleset) - 1).fill(who);

/** @param {string} one @returns {one is typeof BOTS[number]} */
const isBot = (one) => BOTS.some((bot) => bot === one);

/** @param {string[]} who @param {Partial<Protocol.Setup>} more @returns {Protocol.Setup} */
export function setupOf(who, more) {
  /** @type {Protocol.SeatSetup[]} */
  const seats = who.map((one) => (isBot(one) ? { kind: "bot", bot: one } : { kind: "person" }));
  return {
    seats,
    public: false,
    name: "",
    claim_seconds: null,
    bot_seconds: 0.4,
    away_seconds: 60,
    help: true,
    spectators: true,
    ...more,
  };
}

/** @param {Outline} ruleset */
export const asUsual = (ruleset) => ({ ruleset: { id: ruleset.id }, mods: [], options: {}, hands: null });

// Makes a table, sits down at it, and shows it; who has no name yet sits down there, once it is known to friends. Throws what
// the server says against it.
/** @param {Outline} ruleset @param {Protocol.Spec} [spec] @param {Protocol.Setup} [setup] */
export async function openTable(ruleset, spec = asUsual(ruleset), setup = quickSetup(ruleset)) {
  await ready();
  const alone = setup.seats.filter((seat) => seat.kind === "person").length < 2;
  const made = await make({ spec, setup, sit: alone || link.value.name ? 0 : null });
  setPrefs({ last: ruleset.id });
  keepTable(made.info.code, made.token);
  go(`/t/${made.info.code}`);
}

// The ruleset that somebody plays, or one to begin with: an easy one, of those whose rules are in the language of the page.
/** @param {Outline[]} rulesets @param {string | null} last @param {string} language */
export function firstOf(rulesets, last, language) {
  const spoken = rulesets.filter((one) => one.languages.includes(language));
  const from = spoken.length ? spoken : rulesets;
  return rulesets.find((one) => one.id === last) || from.find((one) => one.profile.level === "beginner") || from[0];
}

// How many seats the ruleset has with these options.
/** @param {Outline} ruleset @param {Record<string, OptionValue>} [options] */
export function seatsOf(ruleset, options = {}) {
  return Number(options[ruleset.seats_option ?? ""] ?? ruleset.seats_usual);
}
