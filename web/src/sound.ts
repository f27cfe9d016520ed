// Sounds made on the spot: stone on wood, a sliding man, a card, a chord at the end.
import { preferences } from "./preferences.svelte";

export type Sound = "stone" | "slide" | "card" | "turn" | "win" | "lose" | "no";

let context: AudioContext | undefined;

/** Plays a sound unless they are switched off or the browser has had no gesture yet. */
export function play(sound: Sound): void {
  if (!preferences.sound || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  SOUNDS[sound](context);
}

const SOUNDS: Record<Sound, (context: AudioContext) => void> = {
  stone: (context) => {
    knock(context, 0.05, 1900, 0.5);
    tone(context, 320, 0, 0.08, 0.22, "triangle");
  },
  slide: (context) => knock(context, 0.16, 700, 0.3),
  card: (context) => knock(context, 0.09, 3600, 0.25),
  turn: (context) => tone(context, 660, 0, 0.16, 0.12),
  win: (context) => [392, 494, 587, 784].forEach((pitch, step) => tone(context, pitch, step * 0.11, 0.5, 0.16)),
  lose: (context) => [392, 349, 294].forEach((pitch, step) => tone(context, pitch, step * 0.14, 0.45, 0.14)),
  no: (context) => tone(context, 170, 0, 0.12, 0.16, "triangle"),
};

function tone(
  context: AudioContext,
  pitch: number,
  after: number,
  length: number,
  loud: number,
  shape: OscillatorType = "sine",
): void {
  const start = context.currentTime + after;
  const voice = new OscillatorNode(context, { frequency: pitch, type: shape });
  voice.connect(faded(context, start, length, loud));
  voice.start(start);
  voice.stop(start + length);
}

function knock(context: AudioContext, length: number, pitch: number, loud: number): void {
  const buffer = context.createBuffer(1, Math.ceil(context.sampleRate * length), context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < samples.length; index += 1) samples[index] = Math.random() * 2 - 1;
  const noise = new AudioBufferSourceNode(context, { buffer });
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: pitch, Q: 1.2 });
  noise.connect(filter).connect(faded(context, context.currentTime, length, loud));
  noise.start();
}

function faded(context: AudioContext, start: number, length: number, loud: number): GainNode {
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(loud, start);
  gain.gain.exponentialRampToValueAtTime(0.001, start + length);
  gain.connect(context.destination);
  return gain;
}
