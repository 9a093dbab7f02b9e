// The bots that may sit at a table, the usual one first.

export const BOTS = ["fast", "careful", "strong", "random"];
