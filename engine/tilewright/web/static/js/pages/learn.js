// How a game is played, for somebody who has never played it: what wins, its tiles, a turn, what is worth more, some words;
// then a first hand with hints. What differs between games is taken from the rulebook.

import { html, useEffect, useState } from "../html.js";
import { language, named, t } from "../text.js";
import { address, go, loadStyle } from "../main.js";
import { prefs, setPrefs } from "../prefs.js";
import { useStore } from "../store.js";
import { indexStyle, useFaces } from "../tiles.js";
import { Blocks } from "../book.js";
import { fetchRulebook } from "../rulebook.js";
import { fetchRulesets } from "../rulesets.js";
import { Profile, Strip, useStrips } from "../strips.js";
import { Button, Choice, Waiting, complain, useLoaded } from "../ui.js";
import { firstOf, openTable } from "./lobby/seating.js";

const FORMS = 2; // that are shown
const GROUPS = 4;
const PATTERNS = 6;
const WORDS = ["wall", "draw", "discard", "claim", "meld", "ready", "self_draw", "drawn"];

export default function Learn() {
  const lang = useStore(language);
  const { last } = useStore(prefs);
  const asked = decodeURIComponent(useStore(address).split("#")[1] || "");
  const { value: rulesets, error, again } = useLoaded("rulesets", fetchRulesets);
  const ruleset = rulesets && firstOf(rulesets, rulesets.some((one) => one.id === asked) ? asked : last, lang);
  return html`<div class="page learn">
    <header><h1>${t("learn.title")}</h1><p class="lead soft">${t("learn.lead")}</p></header>
    ${error && html`<${Failed} error=${error} again=${again} />`}
    ${!ruleset && !error && html`<${Waiting} />`}
    ${
      ruleset &&
      html`<${Beside} ruleset=${ruleset} rulesets=${rulesets} />
      <${Lessons} key=${`${ruleset.id} ${lang}`} ruleset=${ruleset} lang=${lang} />`
    }
  </div>`;
}

/** @param {{ error: Failure, again: () => void }} props */
function Failed({ error, again }) {
  return html`<div class="note-box bad row" role="alert"><span class="grow">${error.message}</span><${Button} onClick=${again}>${t("rules.again")}<//></div>`;
}

// --- which game, and the way to it

/** @param {{ ruleset: Outline, rulesets: Outline[] }} props */
function Beside({ ruleset, rulesets }) {
  const strips = useStrips();
  return html`<aside class="variant" aria-label=${named(ruleset.name, ruleset.id)}>
    <${Strip} codes=${strips?.strips[ruleset.id]} about=${strips} />
    <div class="say">
      <${Choice} label=${t("learn.which")} value=${ruleset.id} options=${rulesets.map((one) => [one.id, named(one.name, one.id)])}
        onChange=${(/** @type {string} */ id) => go(`/learn#${encodeURIComponent(id)}`, { instead: true })} />
      <${Profile} ruleset=${ruleset} />
      <div class="row acts">
        <${Begin} ruleset=${ruleset} />
        <${Button} href=${`/rules/${ruleset.id}`}>${t("learn.rulebook")}<//>
      </div>
    </div>
  </aside>`;
}

// A table with bots at which hints are shown without being asked for.
/** @param {{ ruleset: Outline }} props */
function Begin({ ruleset }) {
  const [busy, setBusy] = useState(false);
  const begin = async () => {
    setBusy(true);
    setPrefs({ help: "on", tab: "help", panel: true });
    try {
      await openTable(ruleset);
    } catch (problem) {
      complain(problem);
      setBusy(false);
    }
  };
  return html`<${Button} main class="grow" disabled=${busy} onClick=${begin}>${t("learn.begin")}<//>`;
}

// --- lessons

/** @param {{ ruleset: Outline, lang: string }} props */
function Lessons({ ruleset, lang }) {
  const { value, error, again } = useLoaded(`${ruleset.id} ${lang}`, () => fetchRulebook(ruleset.id, lang));
  const { index } = useStore(prefs);
  useFaces(value?.about);
  useEffect(() => void loadStyle("rules"), []);
  if (error) return html`<${Failed} error=${error} again=${again} />`;
  if (!value) return html`<${Waiting} />`;
  const { book, about } = value;
  /** @param {string} id */
  const part = (id) => book.sections.find((one) => one.id === id)?.blocks || [];
  const name = named(ruleset.name, ruleset.id);
  return html`<ol class="lessons book" lang=${book.lang} style=${indexStyle(about, index)}>
    <${Lesson} title=${t("learn.aim")} text=${t("learn.aim_text")}>
      <${Blocks} blocks=${formsIn(part("hands"))} about=${about} />
      ${groupsIn(part("hands")).length > 0 && html`<p>${t("learn.groups")}</p>`}
      <${Blocks} blocks=${groupsIn(part("hands"))} about=${about} />
    <//>
    <${Lesson} title=${t("learn.tiles")}><${Blocks} blocks=${beforeHeading(part("tiles"))} about=${about} /><//>
    <${Lesson} title=${t("learn.turn")} text=${t("learn.turn_text")}>
      <p>${t("learn.claim_text")}</p>
      <p>${t("learn.end_text")}</p>
      <p>${t("learn.actions", { name })}</p>
      <ul class="actions">${actionsIn(part).map((one) => html`<li class="badge">${one.text}</li>`)}</ul>
    <//>
    <${Lesson} title=${t("learn.worth")} text=${t("learn.worth_text", { name })}>
      <${Blocks} blocks=${patternsIn(part("patterns"))} about=${about} />
      <p><a href=${`/rules/${ruleset.id}#s-patterns`}>${t("learn.all_patterns")}</a></p>
    <//>
    <${Lesson} title=${t("learn.words")}>
      <dl class="words">${WORDS.map((word) => html`<div><dt>${t(`learn.word_${word}`)}</dt><dd>${t(`learn.means_${word}`)}</dd></div>`)}</dl>
    <//>
    <${Lesson} title=${t("learn.first")} text=${t("learn.first_text")}>
      <p class="row"><${Begin} ruleset=${ruleset} /></p>
      <p><a href="/docs/" target="_blank" hreflang="en">${t("learn.documentation")}</a></p>
    <//>
  </ol>`;
}

/** @param {{ title: string, text: string, children: Child }} props */
function Lesson({ title, text, children }) {
  return html`<li class="panel"><h2>${title}</h2>${text && html`<p>${text}</p>`}${children}</li>`;
}

/** @param {Block} block */
const isHeading = (block) => block.block === "heading";
/** @param {Block} block */
const isEntry = (block) => block.block === "entry";

/** @param {Block[]} blocks */
function beforeHeading(blocks) {
  const end = blocks.findIndex(isHeading);
  return end < 0 ? blocks : blocks.slice(0, end);
}

// Forms are entries, groups are tiles with a label.
/** @param {Block[]} blocks */
const formsIn = (blocks) => blocks.filter(isEntry).slice(0, FORMS);
/** @param {(id: string) => Block[]} part */
const actionsIn = (part) => [...part("turn"), ...part("claims")].filter(isEntry);
/** @param {Block[]} blocks */
const groupsIn = (blocks) => blocks.filter((block) => block.block === "tiles").slice(0, GROUPS);

// The first patterns that have an example, each with that one.
/** @param {Block[]} blocks */
function patternsIn(blocks) {
  return blocks
    .filter(isEntry)
    .flatMap((entry) => {
      const counts = entry.blocks?.find((block) => block.block === "example" && block.yes);
      const text = entry.blocks?.find((block) => block.block === "text");
      return counts ? [{ ...entry, blocks: [text, counts].filter(Boolean) }] : [];
    })
    .slice(0, PATTERNS);
}
