// Who sits where when a table is made: the person first, then bots or people who are invited.

export const BOTS = ["fast", "careful", "random"];
export const ME = "me";
export const OPEN = "open";

// Against fast bots, nobody else invited.
export const quickSetup = (ruleset) => setupOf([ME, ...others(ruleset, "fast")], {});

// With friends, who come with an invite code.
export const inviting = (ruleset) => setupOf([ME, ...others(ruleset, OPEN)], {});

const others = (ruleset, who) => Array(seatsOf(ruleset) - 1).fill(who);

export function setupOf(who, more) {
  const seats = who.map((one) => (BOTS.includes(one) ? { kind: "bot", bot: one } : { kind: "person" }));
  return { seats, public: false, name: "", claim_seconds: null, bot_seconds: 0.4, away_seconds: 60, help: true, spectators: true, ...more };
}

// How many seats the ruleset has with these options.
export function seatsOf(ruleset, options = {}) {
  return Number(options[ruleset.seats_option] ?? ruleset.seats_usual);
}
