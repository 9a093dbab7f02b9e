// The first page: a game to watch, the quickest way to play, a table to resume or to join; each ruleset as a strip of its tiles.

import { html, useEffect, useRef, useState } from "../html.js";
import { language, named, t } from "../text.js";
import { Button, Waiting, complain, later, useLoaded, useWide } from "../ui.js";
import { address, go } from "../main.js";
import { ServerError } from "../net.js";
import { prefs } from "../prefs.js";
import { useStore } from "../store.js";
import { fetchRulesets } from "../rulesets.js";
import { Profile, Strip, useStrips } from "../strips.js";
import { firstOf, inviting, openTable, seatsOf } from "./lobby/seating.js";
import { Join, Name, OpenTables, Resume } from "./lobby/tables.js";

const Setup = later(
  () => import("./lobby/setup.js"),
  "default",
  () => html`<div class="page"><${Waiting} /></div>`,
);

export default function Lobby() {
  const { value: rulesets, error, again } = useLoaded("rulesets", fetchRulesets);
  const chosen = decodeURIComponent(useStore(address).split("#")[1] || "");
  const [busy, setBusy] = useState(/** @type {string | null} */ (null));
  const [friends, setFriends] = useState(false); // a game with friends is looked for
  const [problems, setProblems] = useState(/** @type {Problem[]} */ ([])); // of what was to be played
  const one = rulesets?.find((ruleset) => ruleset.id === chosen);

  /** @param {Outline} ruleset @param {Protocol.Spec} [spec] @param {Protocol.Setup} [setup] */
  async function play(ruleset, spec, setup) {
    setBusy(ruleset.id);
    setProblems([]);
    try {
      await openTable(ruleset, spec, setup);
    } catch (problem) {
      complain(problem);
      setProblems(problem instanceof ServerError ? problem.problems : []);
      setBusy(null);
    }
  }

  if (one)
    return html`<${Setup} ruleset=${one} friends=${friends} busy=${busy === one.id} problems=${problems} onBack=${() => go("/")} onOpen=${(/** @type {Protocol.Spec} */ spec, /** @type {Protocol.Setup} */ setup) => play(one, spec, setup)} />`;
  return html`<div class="page lobby">
    <${Hero} rulesets=${rulesets} busy=${busy} onPlay=${play} onInvite=${() => setFriends(true)} />
    ${error && html`<div class="note-box bad row" role="alert"><span class="grow">${error.message}</span><${Button} onClick=${again}>${t("lobby.again")}<//></div>`}
    ${!rulesets && !error && html`<${Waiting} />`}
    ${rulesets && html`<${Rulesets} rulesets=${rulesets} friends=${friends} onAlone=${() => setFriends(false)} busy=${busy} onPlay=${(/** @type {Outline} */ ruleset) => play(ruleset, undefined, friends ? inviting(ruleset) : undefined)} onSetup=${(/** @type {Outline} */ ruleset) => (setProblems([]), go(`/#${encodeURIComponent(ruleset.id)}`))} />`}
    <div class="others"><${OpenTables} rulesets=${rulesets} /><${Name} /></div>
  </div>`;
}

// --- the quickest ways to play

/**
 * @param {{ rulesets: Outline[] | null, busy: string | null, onPlay: (ruleset: Outline) => void, onInvite: () => void
 *   }} props
 */
function Hero({ rulesets, busy, onPlay, onInvite }) {
  const { last } = useStore(prefs);
  const lang = useStore(language);
  const wide = useWide(700);
  const ruleset = rulesets && firstOf(rulesets, last, lang);
  const text = ruleset && { name: named(ruleset.name, ruleset.id), count: seatsOf(ruleset) - 1 };
  return html`<section class="hero">
    ${!wide && html`<${Join} slim />`}
    <div class="say">
      <h1>${t("lobby.title")}</h1>
      <p class="lead soft">${t("lobby.lead")}</p>
      <div class="cta">
        <${Button} main class="big" disabled=${!ruleset || Boolean(busy)} onClick=${() => ruleset && onPlay(ruleset)}>
          <span><strong>${t(busy ? "lobby.opening" : "lobby.play_now")}</strong>${text && html`<small>${t("lobby.against", text)}</small>`}</span>
        <//>
        <${Button} disabled=${!ruleset || Boolean(busy)} onClick=${onInvite}>${t("lobby.invite")}<//>
      </div>
      <div class="under"><${Resume} rulesets=${rulesets} />${wide && html`<${Join} />`}</div>
    </div>
    <${Live} ruleset=${ruleset} busy=${busy} onPlay=${onPlay} />
  </section>`;
}

// A game to watch: fetched once the page has nothing else to do.
/** @param {{ ruleset: Outline | null, busy: string | null, onPlay: (ruleset: Outline) => void }} props */
function Live({ ruleset, busy, onPlay }) {
  const [Showcase, set] = useState(/** @type {object | null} */ (null));
  const [ready, isReady] = useState(false);
  useEffect(() => {
    if (!ruleset) return undefined;
    let here = true;
    const begin = () =>
      import("./lobby/showcase.js").then(
        (module) => here && set(() => module.default),
        () => {},
      );
    const [ask, cancel] =
      "requestIdleCallback" in globalThis ? [requestIdleCallback, cancelIdleCallback] : [setTimeout, clearTimeout];
    const waiting = ask(begin);
    return () => ((here = false), cancel(waiting));
  }, [Boolean(ruleset)]);
  return html`<div class="live">
    ${Showcase && ruleset && html`<${Showcase} key=${ruleset.id} ruleset=${ruleset} onReady=${() => isReady(true)} />`}
    ${
      ready &&
      ruleset &&
      html`<p class="caption">${t("lobby.watching", { name: named(ruleset.name, ruleset.id) })}</p>
      <${Button} class="take" disabled=${Boolean(busy)} onClick=${() => ruleset && onPlay(ruleset)}>${t("lobby.take_seat")}<//>`
    }
  </div>`;
}

// --- rulesets

/**
 * @param {{ rulesets: Outline[], friends: boolean, busy: string | null, onPlay: (ruleset: Outline) => void,
 *   onSetup: (ruleset: Outline) => void, onAlone: () => void }} props
 */
function Rulesets({ rulesets, friends, busy, onPlay, onSetup, onAlone }) {
  const title = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    if (!friends) return;
    title.current?.scrollIntoView({ block: "start" });
    title.current?.focus({ preventScroll: true });
  }, [friends]);
  const strips = useStrips();
  return html`<section class="variants" aria-labelledby="variants">
    <header class="row"><h2 id="variants" class="grow" tabindex="-1" ref=${title}>${t(friends ? "lobby.which_invite" : "lobby.which")}</h2>${friends && html`<${Button} onClick=${onAlone}>${t("lobby.alone")}<//>`}<a href="/learn">${t("lobby.new_here")}</a><a href="/rules">${t("lobby.all_rulebooks")}</a></header>
    <ul>
      ${rulesets.map((ruleset) => html`<${Ruleset} key=${ruleset.id} ruleset=${ruleset} strip=${strips?.strips[ruleset.id]} about=${strips} friends=${friends} busy=${busy} onPlay=${() => onPlay(ruleset)} onSetup=${() => onSetup(ruleset)} />`)}
      <li class="variant yours"><div class="say">
        <h3>${t("lobby.own_rules")}</h3>
        <p class="soft">${t("lobby.own_rules_text")}</p>
        <div class="row acts"><${Button} class="grow" href="/workshop">${t("base.workshop")}<//></div>
      </div></li>
    </ul>
  </section>`;
}

/**
 * @param {{ ruleset: Outline, strip: Code[], about: Faces | null, friends: boolean, busy: string | null, onPlay: ()
 *   => void, onSetup: () => void }} props
 */
function Ruleset({ ruleset, strip, about, friends, busy, onPlay, onSetup }) {
  const name = named(ruleset.name, ruleset.id);
  return html`<li class="variant" data-ruleset=${ruleset.id}>
    <${Strip} codes=${strip} about=${about} />
    <div class="say">
      <h3>${name}</h3>
      <${Profile} ruleset=${ruleset} />
      <div class="row acts">
        <${Button} main class="grow" disabled=${Boolean(busy)} onClick=${onPlay} aria-label=${t(friends ? "lobby.invite_named" : "lobby.play_named", { name })}>
          ${t(busy === ruleset.id ? "lobby.opening" : friends ? "lobby.invite_short" : "lobby.play")}<//>
        <${Button} disabled=${Boolean(busy)} onClick=${onSetup} aria-label=${t("lobby.setup_named", { name })}>${t("lobby.setup")}<//>
        <${Button} quiet href=${`/rules/${ruleset.id}`} aria-label=${t("lobby.rules_of", { name })}>${t("lobby.rules")}<//>
      </div>
    </div>
  </li>`;
}
