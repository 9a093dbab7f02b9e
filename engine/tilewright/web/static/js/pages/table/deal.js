// A fair deal: the seed of a hand that is over, compared with the hash that was published when the hand began.

import { html, useEffect, useState } from "../../html.js";
import { t } from "../../text.js";

const SHOWN = 8; // digits of the hash
const DIGITS = /^[0-9a-f]{64}$/;

// `deal`: as the result tells it; `promised`: the hash that this page was told first; `own`: rules of people's own dealt it.
/** @param {{ deal: OpenedDeal, promised: string | undefined, own?: boolean }} props */
export function DealLine({ deal, promised, own }) {
  const [verdict, setVerdict] = useState("checking");
  useEffect(() => {
    let here = true;
    verdictOn(deal, promised).then((found) => here && setVerdict(found));
    return () => (here = false);
  }, [deal, promised]);
  return html`<details class=${`deal small ${verdict}`} data-verdict=${verdict}>
    <summary>${t(own && verdict === "verified" ? "table.deal_verified_own" : `table.deal_${verdict}`, { hash: (promised || deal.hash).slice(0, SHOWN) })}</summary>
    <dl>
      <dt>${t("table.deal_hash")}</dt><dd>${promised || deal.hash}</dd>
      <dt>${t("table.deal_seed")}</dt><dd>${deal.seed}</dd>
      <dt>${t("table.deal_salt")}</dt><dd>${deal.salt}</dd>
      <dt>${t("table.deal_hashed")}</dt><dd>${deal.hashed}</dd>
    </dl>
    <p class="soft">${t("table.deal_note")}</p>
  </details>`;
}

// The text must hold the seed and the salt, or its hash would say nothing about them; and in one way only.
/** @param {{ hash: string, hashed: string, seed: string, salt: string }} one @param {string | undefined} promised */
async function verdictOn({ hash, hashed, seed, salt }, promised) {
  const says = DIGITS.test(seed) && DIGITS.test(salt) && hashed.endsWith(` ${seed} ${salt}`);
  if (hash !== promised || !says) return "broken";
  if (!globalThis.crypto?.subtle) return "unchecked"; // browsers have it only over HTTPS and on the own machine
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(hashed));
  const found = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return found === promised ? "verified" : "broken";
}
