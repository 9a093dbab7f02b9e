// The bench: one document with its outline, the editor, its problems, and what the rules now mean.

import { html, useEffect, useMemo, useRef, useState } from "../../html.js";
import { language, named, t } from "../../text.js";
import { useStore } from "../../store.js";
import { ServerError, api } from "../../net.js";
import { Button, Tabs, Waiting, announce, complain, toast, useWide } from "../../ui.js";
import { go } from "../../main.js";
import * as asking from "./asking.js";
import { cases, useAnswer } from "./asking.js";
import { Editor } from "./editor.js";
import { Examples } from "./examples.js";
import { Games } from "./games.js";
import { Hand } from "./hand.js";
import { fileName, forgetDraft, fork, give, givePack, isHead, keepAsNew, keepDraft, open, save } from "./keeping.js";
import { Meaning } from "./meaning.js";
import { Problems, Outline } from "./sides.js";
import { Table } from "./table.js";

const CHECK_PAUSE = 350; // ms without typing
const TRY_PAUSE = 300;
const DRAFT_PAUSE = 250;
const PANELS = ["rules", "examples", "hand", "games", "table"];
const ALONE = ["text", "outline", "problems"]; // beside the panels, where there is room for one thing only

/** @param {{ id: string }} props */
export function Bench({ id }) {
  const [document, setDocument] = useState(/** @type {KeptDocument | null} */ (null));
  const [failed, setFailed] = useState(/** @type {Failure | null} */ (null));
  useEffect(() => {
    let here = true;
    open(id).then(
      (found) => here && setDocument(found),
      (error) => here && setFailed(error),
    );
    return () => (here = false);
  }, [id]);
  if (failed) {
    return html`<div class="page stack"><h1>${t("workshop.not_found")}</h1><p>${failed.message}</p>
      <p><${Button} href="/workshop">${t("workshop.back")}<//></p></div>`;
  }
  return document ? html`<${Opened} id=${id} first=${document} />` : html`<div class="page"><${Waiting} /></div>`;
}

/** @param {{ id: string, first: KeptDocument }} props */
function Opened({ id, first }) {
  const [kept, setKept] = useState(first); // what the server has, as far as we know
  const [text, setText] = useState(first.text);
  const [saving, setSaving] = useState(/** @type {"saving" | "conflict" | "lost" | null} */ (null));
  const [restored, setRestored] = useState(first.restored);
  const [target, setTarget] = useState(/** @type {string | null} */ (null));
  const [chosen, choose] = useState(/** @type {Record<string, OptionValue>} */ ({})); // options
  const [chosenTab, setTab] = useState(/** @type {string | null} */ (null));
  const [line, setLine] = useState(1);
  const hands = useRef(/** @type {EditorHands | null} */ (null));
  const wide = useWide(1100);
  const tab = chosenTab && (!wide || PANELS.includes(chosenTab)) ? chosenTab : wide ? "rules" : "text";
  useStore(language);

  const dirty = text !== kept.saved;
  const latest = useRef(kept);
  latest.current = kept;
  useEffect(() => {
    if (!dirty) return forgetDraft(id);
    const timer = setTimeout(() => keepDraft(id, text, kept.updated), DRAFT_PAUSE);
    return () => clearTimeout(timer);
  }, [text, kept]);
  useEffect(() => {
    const leaving = () => {
      // the editor is asked: its last keys may not have been drawn yet
      const mine = hands.current?.text();
      if (mine !== undefined && mine !== latest.current.saved) keepDraft(id, mine, latest.current.updated);
    };
    addEventListener("pagehide", leaving);
    return () => removeEventListener("pagehide", leaving);
  }, [id]);

  // --- what the server says of it

  const checked = useAnswer(text, asking.check, checkPause(text, first));
  const head = checked.value;
  const fine = useRef(/** @type {BenchState["good"]} */ (null)); // the newest text without errors, and what it says of itself
  if (
    head?.good &&
    ["ruleset", "mod"].includes(head.kind) &&
    checked.wish !== null &&
    fine.current?.text !== checked.wish
  ) {
    fine.current = { text: checked.wish, head };
  }
  const good = fine.current;
  const targets = good?.head.targets || [];
  const over = target !== null && targets.includes(target) ? target : targets[0];
  const asked = good ? { text: good.text, ...(over ? { target: over } : {}) } : null;
  const tried = useAnswer(asked ? JSON.stringify(asked) : null, asking.examples, TRY_PAUSE);
  const [covering, setCovering] = useState(false); // whether it is shown what examples do not reach
  const covered = useAnswer(covering && asked ? JSON.stringify(asked) : null, asking.coverage, TRY_PAUSE);
  const offered = tried.value?.options || [];
  const options = Object.fromEntries(
    Object.entries(chosen).filter(([one]) => offered.some((option) => option.id === one)),
  );
  const set = Object.keys(options).length ? { options } : {};
  const spec = useMemo(() => (good ? asking.specOf(good.text, good.head, over) : null), [good?.text, over]);

  const current = checked.wish === text && good?.text === text;
  const wrong = [...(head?.problems || []), ...(current ? problemsOf(tried.value) : [])];
  const told = useRef(/** @type {Tally[] | null} */ (null)); // how many examples held when they were last tried with the text as it was then
  if (current && tried.value) told.current = tried.value.tallies;
  const problems = useMemo(() => wrong, [checked.value, tried.value, current]);
  const notes = (covering && current && covered.value?.notes) || null;
  const marked = useMemo(() => [...problems, ...(notes || [])], [problems, notes]);
  /** @type {BenchState} */
  const state = {
    good,
    spec,
    asked: asked && { ...asked, ...set },
    offered,
    options,
    choose,
    tried,
    covered,
    covering,
    setCovering,
    current,
    problems,
    head,
    target: over,
    targets,
  };

  // --- keeping it

  /** @param {{ over?: boolean }} [one] */
  async function keep({ over: anyway = false } = {}) {
    if (saving === "saving") return;
    if (!kept.own) return make();
    const mine = hands.current?.text() ?? text;
    setSaving("saving");
    try {
      const done = await save(kept, mine, anyway ? null : kept.updated);
      setKept({ ...kept, ...done, saved: mine, lost: false });
      setSaving(null);
      setRestored(null);
      announce(t("workshop.saved"));
    } catch (error) {
      const code = error instanceof ServerError ? error.code : "";
      const lost = ["no-connection", "no-answer"].includes(code);
      setSaving(code === "conflict" ? "conflict" : lost ? "lost" : null);
      if (!lost && code !== "conflict") complain(error);
      keepDraft(id, mine, kept.updated);
    }
  }

  async function make() {
    const mine = hands.current?.text() ?? text;
    setSaving("saving");
    try {
      const unchanged = kept.from === "bundled" && mine === kept.saved;
      const made = await (unchanged ? fork(id) : keepAsNew(mine));
      forgetDraft(id);
      go(`/workshop/${made.id}`);
    } catch (error) {
      setSaving(null);
      complain(error);
    }
  }

  async function theirs() {
    try {
      const found = await /** @type {Promise<KeptDocument>} */ (api("GET", `/api/documents/${kept.id}`));
      setKept({ ...kept, ...found, saved: found.text });
      hands.current?.set(found.text);
      setSaving(null);
      toast(t("workshop.took_theirs"));
    } catch (error) {
      complain(error);
    }
  }

  async function both() {
    const made = await keepAsNew(text).catch(complain);
    if (!made) return;
    forgetDraft(id);
    go(`/workshop/${made.id}`);
  }

  useEffect(() => {
    if (saving !== "lost") return undefined;
    const again = () => keep();
    const timer = setInterval(again, 5_000);
    addEventListener("online", again);
    return () => {
      clearInterval(timer);
      removeEventListener("online", again);
    };
  }, [saving, text, kept]);

  useEffect(() => {
    /** @param {KeyboardEvent} event */
    /** @param {KeyboardEvent} event */
    const keys = (event) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s" && !event.defaultPrevented) {
        event.preventDefault();
        keep();
      }
    };
    addEventListener("keydown", keys);
    return () => removeEventListener("keydown", keys);
  });

  async function share() {
    try {
      if (dirty) await keep();
      const { share: code } = await /** @type {Promise<{ share: string }>} */ (
        api("POST", `/api/documents/${kept.id}/share`)
      );
      const address = `${location.origin}/workshop/${code}`;
      setKept((old) => ({ ...old, share: code }));
      const copied = await navigator.clipboard?.writeText(address).then(
        () => true,
        () => false,
      );
      const pack = isHead(text) ? `${location.origin}/api/packs/shared/${code}.zip` : null;
      const said = pack ? t("workshop.pack_link", { address, pack }) : t("workshop.link_copied", { address });
      toast(copied || pack ? said : address, { seconds: pack ? 30 : 12 });
    } catch (error) {
      complain(error instanceof ServerError ? error : new Error(t("workshop.not_shared")));
    }
  }

  async function pack() {
    try {
      if (dirty) await keep();
      await givePack(kept.id, head?.id || "pack");
    } catch (error) {
      complain(error);
    }
  }

  /** @param {number} at @param {number} column */
  const show = (at, column) => {
    if (!wide) setTab("text");
    setTimeout(() => hands.current?.go(at, column), wide ? 0 : 60);
  };

  const tabs = [...(wide ? [] : ALONE), ...PANELS].map((one) => [one, labelOf(one, problems, tried.value)]);
  /** @param {string} one */
  const shown = (one) => (wide ? "" : tab === one ? "" : "away");
  const panel = PANELS.includes(tab) ? tab : "rules";

  return html`<div class=${`bench ${wide ? "wide" : "narrow"}`}>
    <${Bar} kept=${kept} head=${head} dirty=${dirty} saving=${saving} onSave=${() => keep()} onShare=${share} onMake=${make}
      onFormat=${kept.from === "bundled" || !wide ? null : () => hands.current?.format(asking)} onGive=${() => give(fileName(text, "rules"), text)}
      onPack=${kept.own && isHead(text) ? pack : null} />
    <${Notes} kept=${kept} saving=${saving} restored=${restored} dirty=${dirty} error=${checked.error}
      onUpgrade=${head?.old && checked.wish === text ? () => hands.current?.upgrade(asking) : null}
      onTheirs=${theirs} onMine=${() => keep({ over: true })} onBoth=${both}
      onThrow=${() => (hands.current?.set(kept.saved ?? ""), setRestored(null))} onKeep=${() => setRestored(null)} />
    ${!wide && html`<${Tabs} tabs=${tabs} value=${tab} onChange=${setTab} label=${t("workshop.parts")} />`}
    <div class="benches">
      <div class=${`outline-side ${shown("outline")}`}>
        <${Outline} outline=${head?.outline} line=${line} onGo=${show} />
      </div>
      <div class=${`bench-middle ${wide || tab === "text" || tab === "problems" ? "" : "away"}`}>
        <div class=${`editor-side ${shown("text")}`}>
          <${Editor} text=${first.text} problems=${marked} onText=${setText} onSave=${() => keep()} onLine=${setLine}
            tallies=${told.current} ask=${asking} hands=${hands}
            readOnly=${kept.from === "bundled"} label=${t("workshop.editor")} />
        </div>
        <div class=${`problems-side ${shown("problems")}`}>
          <${Problems} problems=${problems} busy=${checked.busy || tried.busy} known=${Boolean(head)} open=${!wide} onGo=${show} />
        </div>
      </div>
      <div class=${`panel-side ${wide || PANELS.includes(tab) ? "" : "away"}`}>
        ${wide && html`<${Tabs} tabs=${tabs} value=${panel} onChange=${setTab} label=${t("workshop.parts")} />`}
        <div class="panel-body" role="tabpanel" tabindex="-1">
          <${Target} state=${state} onTarget=${setTarget} />
          ${panel === "rules" && html`<${Meaning} state=${state} onGo=${show} />`}
          ${panel === "examples" && html`<${Examples} state=${state} onGo=${show} onScore=${(/** @type {Case} */ one) => (cases.set(id, one), setTab("hand"))} />`}
          ${panel === "hand" && html`<${Hand} id=${id} state=${state} />`}
          ${panel === "games" && html`<${Games} state=${state} />`}
          ${panel === "table" && html`<${Table} state=${state} name=${named(head?.name, kept.name)} />`}
        </div>
      </div>
    </div>
  </div>`;
}

// The first look is taken at once.
/** @param {string} text @param {KeptDocument} first */
function checkPause(text, first) {
  return text === first.text ? 0 : CHECK_PAUSE;
}

/** @param {Tried | null} tried */
function problemsOf(tried) {
  return (tried?.examples || []).flatMap((one) =>
    one.problems.map((problem) => ({ ...problem, line: problem.line || one.line })),
  );
}

/** @param {string} one @param {DocumentFault[]} problems @param {Tried | null} tried */
function labelOf(one, problems, tried) {
  const errors = problems.filter((problem) => problem.severity === "error").length;
  if (one === "problems" && problems.length)
    return html`${t("workshop.tab_problems")} <span class=${`count ${errors ? "bad" : ""}`}>${problems.length}</span>`;
  const failing = (tried?.examples || []).filter((example) => !example.good).length;
  if (one === "examples" && failing)
    return html`${t("workshop.tab_examples")} <span class="count bad">${failing}</span>`;
  return t(`workshop.tab_${one}`);
}

/**
 * @param {{ kept: KeptDocument, head: Head | null, dirty: boolean, saving: string | null, onSave: () => void,
 *   onShare: () => void, onMake: () => void, onGive: () => void, onFormat: (() => void) | null, onPack: (() => void)
 *   | null }} props
 */
function Bar({ kept, head, dirty, saving, onSave, onShare, onMake, onGive, onFormat, onPack }) {
  const name = named(head?.name || kept.names, "") || kept.name || t("workshop.unnamed");
  const here = saving === "lost" || kept.lost;
  const word =
    saving === "saving"
      ? "workshop.saving"
      : here
        ? "workshop.kept_here"
        : dirty
          ? "workshop.unsaved"
          : "workshop.all_saved";
  return html`<div class="bench-bar">
    <a class="button quiet" href="/workshop" aria-label=${t("workshop.back")}>←</a>
    <h1>${name}</h1>
    <span class="badge">${t(`workshop.kind_${head?.kind || kept.kind}`)}</span>
    ${kept.own && html`<span class=${`badge save-state ${dirty ? "warm" : ""}`} role="status">${t(word)}</span>`}
    <div class="row end">
      ${onFormat && html`<${Button} quiet onClick=${onFormat} title="Shift+Alt+F">${t("workshop.format")}<//>`}
      <${Button} quiet onClick=${onGive}>${t("workshop.download")}<//>
      ${onPack && html`<${Button} quiet onClick=${onPack} title=${t("workshop.pack_title")}>${t("workshop.pack")}<//>`}
      ${kept.own && html`<${Button} quiet onClick=${onShare}>${t("workshop.share")}<//>`}
      ${
        kept.own
          ? html`<${Button} main disabled=${saving === "saving" || (!dirty && !kept.lost)} onClick=${onSave} title=${t("workshop.save_key")}>${t("workshop.save")}<//>`
          : html`<${Button} main disabled=${saving === "saving"} onClick=${onMake}>${t(kept.from === "bundled" ? "workshop.fork" : "workshop.keep_copy")}<//>`
      }
    </div>
  </div>`;
}

/**
 * @param {{ kept: KeptDocument, saving: string | null, restored: number | null | undefined, dirty: boolean,
 *   error: Failure | null, onUpgrade: (() => void) | null, onTheirs: () => void, onMine: () => void, onBoth: () => void, onThrow: () => void, onKeep: () =>
 *   void }} props
 */
function Notes({ kept, saving, restored, dirty, error, onUpgrade, onTheirs, onMine, onBoth, onThrow, onKeep }) {
  if (saving === "conflict") {
    return html`<div class="note-box bad row" role="alert"><span class="grow">${t("workshop.conflict")}</span>
      <${Button} onClick=${onTheirs}>${t("workshop.take_theirs")}<//>
      <${Button} onClick=${onMine}>${t("workshop.keep_mine")}<//>
      <${Button} onClick=${onBoth}>${t("workshop.keep_both")}<//></div>`;
  }
  if (kept.from) return html`<div class="note-box">${t(`workshop.from_${kept.from}`)}</div>`;
  if (saving === "lost" || kept.lost) return html`<div class="note-box warm" role="status">${t("workshop.lost")}</div>`;
  if (error && ["too-slow", "too-large"].includes(error.code ?? "")) {
    return html`<div class="note-box bad" role="alert">${error.message}. ${named(error.hint)}</div>`;
  }
  if (restored && dirty) {
    return html`<div class="note-box warm row" role="status"><span class="grow">${t("workshop.restored")}</span>
      <${Button} onClick=${onKeep}>${t("workshop.go_on")}<//><${Button} onClick=${onThrow}>${t("workshop.throw_away")}<//></div>`;
  }
  if (onUpgrade) {
    return html`<div class="note-box warm row" role="status"><span class="grow">${t("workshop.old")}</span>
      <${Button} onClick=${onUpgrade}>${t("workshop.upgrade")}<//></div>`;
  }
  return null;
}

/** @param {{ state: BenchState, onTarget: (target: string) => void }} props */
function Target({ state, onTarget }) {
  const { targets, target, good, current, head } = state;
  return html`
    ${
      targets.length > 1 &&
      html`<label class="row target"><span>${t("workshop.with")}</span>
      <select value=${target} onChange=${(event) => onTarget(event.currentTarget.value)}>
        ${targets.map((one) => html`<option value=${one} selected=${one === target}>${one.replaceAll("_", " ")}</option>`)}
      </select></label>`
    }
    ${good && !current && head && !head.good && html`<p class="note-box warm small">${t("workshop.older")}</p>`}
  `;
}
