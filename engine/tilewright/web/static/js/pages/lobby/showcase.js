// A hand that bots play, on the page's own felt: shown from its middle to its end, then again. Still where motion is not
// wanted, and while nobody sees it.

import { html, useEffect, useMemo, useRef, useState } from "../../html.js";
import { loadText, named, t } from "../../text.js";
import { loadStyle } from "../../main.js";
import { api } from "../../net.js";
import { prefs, quiet } from "../../prefs.js";
import { useStore } from "../../store.js";
import { indexStyle, useFaces } from "../../tiles.js";
import { Button, useLoaded } from "../../ui.js";
import { Felt } from "../table/felt.js";
import { aboutOf } from "../table/session.js";
import { withParts } from "../table/view-parts.js";
import { watched } from "../table/watched.js";

const EACH = 900; // ms
const LONGER = 4; // times as long is the end looked at

/** @param {{ ruleset: Outline, onReady: () => void }} props */
export default function Showcase({ ruleset, onReady }) {
  const { value } = useLoaded(ruleset.id, () => load(ruleset.id));
  const { index } = useStore(prefs);
  const [at, setAt] = useState(0);
  const [paused, pause] = useState(quiet());
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const views = useMemo(() => value && viewsOf(value.steps), [value]);
  useFaces(value?.about);
  useEffect(() => {
    if (!views || paused) return undefined;
    const last = at === views.length - 1;
    const timer = setInterval(() => isSeen(box.current) && setAt(last ? 0 : at + 1), last ? LONGER * EACH : EACH);
    return () => clearInterval(timer);
  }, [views, paused, at]);
  useEffect(() => void (views && onReady()), [views]);
  if (!views || !value) return null;
  const { about } = value;
  /** @type {Parameters<typeof watched>[0]["players"]} */
  const players = about.seats.map((_, player) => ({
    player,
    kind: "bot",
    bot: "fast",
    name: t("lobby.bot_number", { number: player + 1 }),
  }));
  const session = watched({ code: "", about, view: views[at], players });
  return html`<div class="showcase-felt" ref=${box} role="img" aria-label=${t("lobby.watching", { name: named(ruleset.name, ruleset.id) })}>
      <div class="felt-box" style=${indexStyle(about, index)} inert><${Felt} session=${session} /></div>
    </div>
    <${Button} icon class="pause" aria-pressed=${String(paused)} aria-label=${t("lobby.hold")} title=${t("lobby.hold")} onClick=${() => pause(!paused)}>
      <svg viewBox="0 0 24 24" aria-hidden="true"><path fill="currentColor" d=${paused ? "M8 5l11 7-11 7z" : "M7 5h4v14H7zM14 5h4v14h-4z"} /></svg>
    <//>`;
}

/** @param {string} id */
async function load(id) {
  const [{ digest, steps }] = await Promise.all([
    /** @type {Promise<{ digest: string, steps: Record<string, unknown>[] }>} */ (
      api("GET", `/api/showcase/${encodeURIComponent(id)}`)
    ),
    loadText("table", "events"),
    loadStyle("table"),
  ]);
  return { steps, about: await aboutOf(digest, "") };
}

/** @param {Record<string, unknown>[]} steps */
function viewsOf(steps) {
  /** @type {View | null} */
  let view = null;
  return steps.map((parts) => (view = withParts(view, parts)));
}

/** @param {Element | null} element */
function isSeen(element) {
  if (!element || document.hidden) return false;
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}
