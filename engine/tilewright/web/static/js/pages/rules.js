// The rules of a bundled ruleset, as a book with drawn tiles.

import { html, useEffect } from "../html.js";
import { language, t } from "../text.js";
import { useStore } from "../store.js";
import { indexStyle, useFaces } from "../tiles.js";
import { prefs } from "../prefs.js";
import { Book } from "../book.js";
import { fetchRulebook } from "../rulebook.js";
import { Button, Waiting, useLoaded } from "../ui.js";

/** @param {{ params: { id: string } }} props */
export default function Rules({ params }) {
  const lang = useStore(language);
  const { index } = useStore(prefs);
  const { value, error, again } = useLoaded(`${params.id} ${lang}`, () => fetchRulebook(params.id, lang));
  useFaces(value?.about);
  useEffect(() => {
    if (value) document.title = `${value.book.title} · Tilewright`;
  }, [value?.book.title]);
  if (error) {
    return html`<div class="page stack"><h1>${t("rules.none")}</h1><p>${error.message}</p>
      <p class="row"><${Button} onClick=${again}>${t("rules.again")}<//><${Button} href="/">${t("base.to_lobby")}<//></p></div>`;
  }
  if (!value) return html`<div class="page"><${Waiting} /></div>`;
  return html`<div class="page rules" style=${indexStyle(value.about, index)}>
    <header class="row">
      <h1 class="grow">${value.book.title}</h1>
      <${Button} href=${`/api/rulebook/${encodeURIComponent(params.id)}/card.html?lang=${lang}`} target="_blank">${t("rules.score_card")}<//>
      <${Button} main href=${`/#${params.id}`}>${t("rules.play")}<//>
    </header>
    <${Book} book=${value.book} about=${value.about} contents />
  </div>`;
}
