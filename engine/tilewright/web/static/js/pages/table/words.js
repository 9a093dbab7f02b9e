// A told line as words with tiles between them.

import { html } from "../../html.js";
import { Tile } from "../../tiles.js";

export function Words({ line, about, size = "1.25rem" }) {
  return line.parts.map((part) =>
    typeof part === "string"
      ? html`<span>${part} </span>`
      : html`<span class="tiles">${part.tiles.map((code) => html`<${Tile} code=${code} about=${about} size=${size} />`)}</span>${" "}`,
  );
}
