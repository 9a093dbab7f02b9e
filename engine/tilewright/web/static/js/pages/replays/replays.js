// Replays: the list of finished tables, or one of them, played once more.

import { html } from "../../html.js";
import { loadText } from "../../text.js";
import { List } from "./list.js";
import { Replay } from "./replay.js";

await loadText("table", "events", "questions", "results"); // the replay draws the table and its events

/** @param {{ params: { code?: string } }} props */
export default function Replays({ params }) {
  return params.code ? html`<${Replay} key=${params.code} code=${params.code.toUpperCase()} />` : html`<${List} />`;
}
