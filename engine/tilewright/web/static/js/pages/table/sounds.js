// Sounds: few, short, made on the spot; as loud as the person wants, and silent at 0. A tile that is put down is a burst of
// noise through a narrow filter and a low knock; a win is three notes.

import { prefs } from "../../prefs.js";

/** @type {AudioContext | null} */
let context = null;
/** @type {AudioBuffer | null} */
let noise = null;

// Each: parts of [what, frequency, start in s, length in s, loudness].
/** @type {Record<string, ["click" | "knock" | "note", number, number, number, number][]>} */
const SOUNDS = {
  discard: [
    ["click", 3100, 0, 0.035, 0.9],
    ["knock", 210, 0, 0.07, 0.5],
  ],
  draw: [["click", 4200, 0, 0.02, 0.3]],
  claim: [
    ["knock", 150, 0, 0.13, 0.9],
    ["click", 2300, 0.01, 0.05, 0.6],
    ["click", 2600, 0.07, 0.04, 0.5],
  ],
  asked: [
    ["note", 659, 0, 0.16, 0.35],
    ["note", 988, 0.09, 0.24, 0.3],
  ],
  deal: [0, 0.055, 0.12, 0.165, 0.24, 0.3].map((start, at) => ["click", 2600 + 350 * (at % 3), start, 0.03, 0.4]),
  win: [
    ["note", 523, 0, 0.5, 0.5],
    ["note", 659, 0.13, 0.5, 0.5],
    ["note", 784, 0.26, 0.9, 0.6],
  ],
  over: [
    ["note", 523, 0, 0.4, 0.4],
    ["note", 392, 0.2, 0.7, 0.4],
  ],
};

/** @param {string} name */
export function sound(name) {
  const loud = Number(prefs.value.sound) || 0;
  const touched = navigator.userActivation?.hasBeenActive ?? true; // before that no browser lets a page sound
  if (!loud || !SOUNDS[name] || document.hidden || !touched) return;
  try {
    const at = (context ??= new AudioContext());
    if (at.state === "suspended") at.resume();
    for (const [what, frequency, start, length, part] of SOUNDS[name])
      PARTS[what](at, frequency, at.currentTime + start, length, loud * part);
  } catch {
    // a browser without sound
  }
}

const PARTS = {
  // What a hard thing sounds like on a hard thing.
  /**
   * @param {AudioContext} context
   * @param {number} frequency
   * @param {number} at
   * @param {number} length
   * @param {number} loud
   */
  click(context, frequency, at, length, loud) {
    const filter = context.createBiquadFilter();
    filter.type = "bandpass";
    filter.frequency.value = frequency;
    filter.Q.value = 1.6;
    const source = context.createBufferSource();
    source.buffer = hiss(context);
    source.connect(filter).connect(fading(context, at, length, loud));
    source.start(at, Math.random() * 0.5, length);
  },
  /**
   * @param {AudioContext} context
   * @param {number} frequency
   * @param {number} at
   * @param {number} length
   * @param {number} loud
   */
  knock(context, frequency, at, length, loud) {
    const tone = context.createOscillator();
    tone.frequency.setValueAtTime(frequency * 1.6, at);
    tone.frequency.exponentialRampToValueAtTime(frequency, at + length / 2);
    play(context, tone, at, length, loud);
  },
  // A soft bell: the note and its octave.
  /**
   * @param {AudioContext} context
   * @param {number} frequency
   * @param {number} at
   * @param {number} length
   * @param {number} loud
   */
  note(context, frequency, at, length, loud) {
    for (const [times, part] of [
      [1, 0.55],
      [2, 0.16],
      [3, 0.05],
    ]) {
      const tone = context.createOscillator();
      tone.frequency.value = frequency * times;
      play(context, tone, at, length / times, loud * part);
    }
  },
};

/**
 * @param {AudioContext} context
 * @param {OscillatorNode} tone
 * @param {number} at
 * @param {number} length
 * @param {number} loud
 */
function play(context, tone, at, length, loud) {
  tone.connect(fading(context, at, length, loud));
  tone.start(at);
  tone.stop(at + length + 0.02);
}

// Loud at once, then fading away.
/** @param {AudioContext} context @param {number} at @param {number} length @param {number} loud */
function fading(context, at, length, loud) {
  const gain = context.createGain();
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(Math.max(0.0002, loud * 0.6), at + 0.004);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  gain.connect(context.destination);
  return gain;
}

/** @param {AudioContext} context */
function hiss(context) {
  if (noise) return noise;
  noise = context.createBuffer(1, context.sampleRate, context.sampleRate);
  const data = noise.getChannelData(0);
  for (let at = 0; at < data.length; at += 1) data[at] = Math.random() * 2 - 1;
  return noise;
}
