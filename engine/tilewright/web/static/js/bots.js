// The bots that may sit at a table, the usual one first.

/** @type {NonNullable<Protocol.SeatSetup["bot"]>[]} */
export const BOTS = ["fast", "careful", "strong", "random"];
