// The workshop: the list of own rulesets and mods with everything to begin from, or one of them at the bench.

import { html } from "../../html.js";
import { Bench } from "./bench.js";
import { Shelf } from "./shelf.js";

/** @param {{ params: { id?: string } }} props */
export default function Workshop({ params }) {
  return params.id ? html`<${Bench} key=${params.id} id=${params.id} />` : html`<${Shelf} />`;
}
