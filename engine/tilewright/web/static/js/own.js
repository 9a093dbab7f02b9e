// Tables that this browser knows: their codes and the secret links of seats taken there.

/** @typedef {{ code: string, token: string | null }} OwnTable */

const KEPT = "tilewright.tables";
const MOST = 12;

/** @returns {OwnTable[]} */
export function ownTables() {
  try {
    return JSON.parse(localStorage.getItem(KEPT) || "[]");
  } catch {
    return [];
  }
}

/** @param {string} code @param {string | null} token */
export function keepTable(code, token) {
  const rest = ownTables().filter((one) => one.code !== code);
  const old = ownTables().find((one) => one.code === code);
  keep([{ code, token: token || old?.token || null }, ...rest].slice(0, MOST));
}

/** @param {string} code */
export function forgetTable(code) {
  keep(ownTables().filter((one) => one.code !== code));
}

/** @param {string} code */
export function tokenOf(code) {
  return ownTables().find((one) => one.code === code)?.token || undefined;
}

/** @param {OwnTable[]} tables */
function keep(tables) {
  try {
    localStorage.setItem(KEPT, JSON.stringify(tables));
  } catch {
    // then the server alone remembers
  }
}
