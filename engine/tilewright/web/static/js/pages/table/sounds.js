// Sounds: short and made on the spot; as loud as the person wants, and silent at 0.

import { prefs } from "../../prefs.js";

let context = null;

// Each: notes of [frequency, start in s, length in s, shape].
const NOTES = {
  discard: [[1900, 0, 0.035, "triangle"], [820, 0.006, 0.05, "sine"]],
  draw: [[1250, 0, 0.03, "triangle"]],
  claim: [[760, 0, 0.06, "triangle"], [1010, 0.07, 0.08, "triangle"]],
  asked: [[880, 0, 0.07, "sine"], [1175, 0.09, 0.12, "sine"]],
  deal: [[1500, 0, 0.03, "triangle"], [1300, 0.06, 0.03, "triangle"], [1700, 0.12, 0.03, "triangle"]],
  win: [[523, 0, 0.16, "triangle"], [659, 0.11, 0.16, "triangle"], [784, 0.22, 0.3, "triangle"]],
  over: [[523, 0, 0.2, "sine"], [392, 0.18, 0.3, "sine"]],
};

export function sound(name) {
  const loud = Number(prefs.value.sound) || 0;
  const touched = navigator.userActivation?.hasBeenActive ?? true; // before that no browser lets a page sound
  if (!loud || !NOTES[name] || document.hidden || !touched) return;
  try {
    context ??= new AudioContext();
    if (context.state === "suspended") context.resume();
    for (const note of NOTES[name]) play(note, loud * 0.25);
  } catch {
    // a browser without sound
  }
}

function play([frequency, start, length, shape], loud) {
  const now = context.currentTime + start;
  const tone = context.createOscillator();
  const gain = context.createGain();
  tone.type = shape;
  tone.frequency.value = frequency;
  gain.gain.setValueAtTime(0, now);
  gain.gain.linearRampToValueAtTime(loud, now + 0.006);
  gain.gain.exponentialRampToValueAtTime(0.0001, now + length);
  tone.connect(gain).connect(context.destination);
  tone.start(now);
  tone.stop(now + length + 0.02);
}
