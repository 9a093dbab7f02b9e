// What is being written: the text, what is selected in it, and every earlier state, for undo and redo.

import { store } from "../../store.js";

const PAUSE = 1200; // ms without typing, after which a new step begins
const MOST = 500; // steps that are kept

export class Editing {
  /** @param {string} text */
  constructor(text) {
    // `jump` grows whenever the selection is to be put where it says; `focus`: the field wants to be focused, too
    /** @type {Store<Typing>} */
    this.now = store({ text, start: 0, end: 0, jump: 0 });
    /** @type {Typing[]} */
    this.past = [];
    /** @type {Typing[]} */
    this.future = [];
    this.last = { time: 0, kind: "" };
    this.focus = false;
    /** @type {HTMLTextAreaElement | null} */
    this.field = null; // where one types, while that is shown
  }

  // The selection as the field has it now; browsers tell of it a moment later.
  look() {
    const one = this.field;
    if (one && document.activeElement === one && one.value === this.value.text) {
      this.select(one.selectionStart, one.selectionEnd);
    }
    return this.value;
  }

  get value() {
    return this.now.value;
  }

  // Typed by hand: letters that follow one another are one step.
  /** @param {string} text @param {number} start @param {number} end @param {string} kind */
  typed(text, start, end, kind) {
    const time = Date.now();
    const single = Math.abs(text.length - this.value.text.length) === 1 && !/Break|Paste|Drop|Cut/.test(kind);
    const together = single && kind === this.last.kind && time - this.last.time < PAUSE;
    this.last = { time, kind: single ? kind : "" };
    this.#step(together);
    this.now.set({ ...this.value, text, start, end });
  }

  // Made by a button or a key: a step of its own.
  /** @param {TextEdit | null} edit @param {boolean} [focus] */
  put(edit, focus = true) {
    if (!edit) return false;
    this.focus = focus;
    this.last = { time: 0, kind: "" };
    if (edit.text !== this.value.text) this.#step(false);
    this.now.set({ text: edit.text, start: edit.start, end: edit.end, jump: this.value.jump + 1 });
    return true;
  }

  // Only the selection; `focus`: also in the field.
  /** @param {number} start @param {number} end @param {boolean} [focus] */
  select(start, end, focus = false) {
    const same = start === this.value.start && end === this.value.end;
    if (same && !focus) return;
    if (focus) this.focus = true;
    this.now.set({ ...this.value, start, end, jump: this.value.jump + (focus ? 1 : 0) });
  }

  // Another text altogether, with nothing to undo.
  /** @param {string} text */
  replace(text) {
    this.past = [];
    this.future = [];
    this.now.set({ text, start: 0, end: 0, jump: this.value.jump });
  }

  undo() {
    return this.#go(this.past, this.future);
  }

  redo() {
    return this.#go(this.future, this.past);
  }

  /** @param {boolean} together */
  #step(together) {
    this.future = [];
    if (together && this.past.length) return;
    this.past.push(this.value);
    if (this.past.length > MOST) this.past.shift();
  }

  /** @param {Typing[]} from @param {Typing[]} to */
  #go(from, to) {
    const state = from.pop();
    if (!state) return false;
    to.push(this.value);
    this.last = { time: 0, kind: "" };
    this.now.set({ ...state, jump: this.value.jump + 1 });
    return true;
  }
}
