// Push messages of this browser: whether there can be any, and turning them on and off.
import { language } from "../language/language.svelte";
import * as api from "../wire/api";

/** What may be done: "home-screen" is an iPhone or iPad, where only an installed app gets messages. */
export type PushState = "never" | "home-screen" | "denied" | "off" | "on";

const APPLE = /iPhone|iPad|iPod/;
const touchMac = (): boolean => navigator.userAgent.includes("Macintosh") && navigator.maxTouchPoints > 1;

/** What may be done about push messages in this browser. */
export async function pushState(): Promise<PushState> {
  if (!("PushManager" in globalThis) || !("Notification" in globalThis) || !("serviceWorker" in navigator)) {
    return APPLE.test(navigator.userAgent) || touchMac() ? "home-screen" : "never";
  }
  if (Notification.permission === "denied") return "denied";
  const there = Notification.permission === "granted" && (await subscription());
  return there ? "on" : "off";
}

/** Asks for the permission and subscribes; must be called by a click. */
export async function turnOn(): Promise<PushState> {
  const permission = await Notification.requestPermission();
  if (permission !== "granted") return permission === "denied" ? "denied" : "off";
  await subscribe();
  return "on";
}

/** Ends the messages to this browser. */
export async function turnOff(): Promise<PushState> {
  const known = await subscription();
  if (known) {
    await api.unsubscribe(known.endpoint);
    await known.unsubscribe();
  }
  return pushState();
}

/** Tells the server again where messages go: to whom they belong, their language or its key may have changed. */
export async function renewSubscription(): Promise<void> {
  if ((await pushState()) === "on") await subscribe();
}

async function subscription(): Promise<PushSubscription | null | undefined> {
  return (await navigator.serviceWorker.getRegistration("/"))?.pushManager.getSubscription();
}

async function subscribe(): Promise<void> {
  const { pushManager } = await navigator.serviceWorker.ready;
  const { key } = await api.pushKey();
  const known = await pushManager.getSubscription();
  if (known && !sameKey(known, key)) await known.unsubscribe();
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = made.toJSON() as { endpoint: string; keys: { p256dh: string; auth: string } };
  await api.subscribe({ endpoint, keys, language: language() as "en" });
}

function sameKey(known: PushSubscription, key: string): boolean {
  const bytes = known.options.applicationServerKey;
  if (!bytes) return true;
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "") === key;
}
