// Rulebooks: all of them, those that are easy to begin with first.

import { html } from "../html.js";
import { langOf, named, t } from "../text.js";
import { fetchRulesets } from "../rulesets.js";
import { Profile, Strip, useStrips } from "../strips.js";
import { Button, Waiting, useLoaded } from "../ui.js";

const LEVELS = ["beginner", "regular", "expert"];

export default function Rulebooks() {
  const { value: rulesets, error, again } = useLoaded("rulesets", fetchRulesets);
  const strips = useStrips();
  const byLevel = LEVELS.map((level) => {
    const some = (rulesets || []).filter((one) => (one.profile.level || LEVELS[1]) === level);
    return /** @type {const} */ ([level, some]);
  });
  return html`<div class="page lobby">
    <div class="intro"><h1>${t("rules.all")}</h1><p class="soft">${t("rules.lead")}</p></div>
    ${error && html`<div class="note-box bad row" role="alert"><span class="grow">${error.message}</span><${Button} onClick=${again}>${t("rules.again")}<//></div>`}
    ${!rulesets && !error && html`<${Waiting} />`}
    ${byLevel
      .filter(([, some]) => some.length)
      .map(
        ([level, some]) => html`<section class="variants" key=${level}>
      <header><h2>${t(`base.level_${level}`)}</h2></header>
      <ul>${some.map(
        (one) => html`<li class="variant" key=${one.id}>
        <${Strip} codes=${strips?.strips[one.id]} about=${strips} />
        <div class="say"><h3><a href=${`/rules/${one.id}`}>${named(one.name, one.id)}</a></h3><${Profile} ruleset=${one} levels=${false} />
          ${!langOf(one.about) && html`<p class="soft small about">${named(one.about)}</p>`}</div>
      </li>`,
      )}</ul>
    </section>`,
      )}
  </div>`;
}
