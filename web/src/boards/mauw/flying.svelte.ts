// Cards on their way: measured where they start and where they end, moved by transforms only.
import { untrack } from "svelte";
import type { BoardProps } from "../face";
import { flights, handOf, type Flight, type Spot, type Stage } from "./flights";
import type { Rect } from "./table";
import type { View } from "./view";

const FLIGHT_MS = 420;
/** Milliseconds between the starts of cards of one stage, and from the first stage to each. */
const APART_MS = 70;
const STAGE_MS: Record<Stage, number> = { play: 0, draw: 260, effect: 460, take: 640 };
/** The least width in pixels at which a card starts or ends. */
const SMALLEST_PX = 18;

export interface FlyingCard {
  id: number;
  card: string | null;
  from: Rect;
  to: Rect;
  delayMs: number;
  late: boolean;
}

/** What a table shows: the view, the lines of the log that led to it, the action that is on its way to the server. */
interface Table {
  view: View;
  lines: BoardProps["recent"];
  pending: string | null;
}

export class Flying {
  cards = $state.raw<FlyingCard[]>([]);
  #sources = new Map<Spot, Rect>();
  #ids = 0;

  constructor(readonly root: () => HTMLElement | undefined) {}

  /** Lets cards fly whenever the table changes; to be called while a component is made. */
  follow(table: () => Table): void {
    let before: View | undefined;
    let sent: string | null = null;
    $effect.pre(() => {
      table();
      this.measure();
    });
    $effect(() => {
      const { view, lines, pending } = table();
      untrack(() => {
        const own = handOf(view.seat ?? -1);
        if (pending !== null && pending !== sent && /[>!]/.test(pending)) {
          sent = pending;
          const found = flights(view, view, [[view.seat ?? -1, pending]]);
          this.launch(
            found.filter(({ stage }) => stage === "play"),
            own,
          );
        }
        if (before && before !== view && lines) {
          const found = flights(before, view, lines);
          // One's own card has flown when it was played.
          const flown = lines.some(([actor, line]) => actor === view.seat && line === sent);
          this.launch(flown ? found.filter(({ stage, from }) => stage !== "play" || from !== own) : found, own);
        }
        if (before !== view) sent = pending;
        before = view;
      });
    });
  }

  /** Notes where everything is, before the table changes. */
  measure(): void {
    const root = this.root();
    if (!root || isCalm()) return;
    this.#sources.clear();
    for (const node of root.querySelectorAll<HTMLElement>("[data-spot]")) {
      this.#sources.set(node.dataset["spot"]!, this.#rect(node));
    }
    for (const node of root.querySelectorAll<HTMLElement>("[data-card]")) {
      this.#sources.set(`card ${node.dataset["card"]}`, this.#rect(node));
    }
  }

  /** Sends cards from where things were to where they are now; `own` is the spot of the open hand. */
  launch(flights: Flight[], own: Spot): void {
    const root = this.root();
    if (!root || isCalm()) return;
    // All places are read before anything is hidden, so that the layout is computed once.
    const hidden: [node: HTMLElement, ms: number][] = [];
    const cards = flights.flatMap((flight, index) => {
      const from = this.#start(flight, own);
      const target = this.#target(root, flight, own);
      if (!from || !target) return [];
      const number = flights.slice(0, index).filter(({ stage }) => stage === flight.stage).length;
      const delayMs = STAGE_MS[flight.stage] + number * APART_MS;
      if (flight.to === own || !flight.to.startsWith("hand")) hidden.push([target, delayMs + FLIGHT_MS]);
      const late = flight.late ?? false;
      return [{ id: (this.#ids += 1), card: flight.card, from, to: this.#rect(target), delayMs, late }];
    });
    for (const [node, ms] of hidden) hide(node, ms);
    if (cards.length) this.cards = [...this.cards, ...cards];
  }

  /** Moves the picture of a card from start to end, then takes it away. */
  fly(card: FlyingCard): (node: HTMLElement) => void {
    return (node) => {
      const { from, to } = card;
      const scale = Math.max(from.width, SMALLEST_PX) / Math.max(to.width, SMALLEST_PX);
      const moved = `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(${scale})`;
      const raised = `translate(${(from.x - to.x) / 2}px, ${(from.y - to.y) / 2 - 14}px) scale(${(1 + scale) / 2 + 0.12}) rotate(-4deg)`;
      const timing = { duration: FLIGHT_MS, delay: card.delayMs, fill: "backwards" as const, easing: "ease-in-out" };
      if (card.late) hide(node, card.delayMs);
      const flown = node.animate([{ transform: moved }, { transform: raised }, { transform: "none" }], timing);
      flown.onfinish = () => (this.cards = this.cards.filter((each) => each !== card));
    };
  }

  #start({ card, from }: Flight, own: Spot): Rect | undefined {
    const held = from === own && card ? this.#sources.get(`card ${card[0]}`) : undefined;
    return held ?? this.#sources.get(from);
  }

  #target(root: HTMLElement, { card, to }: Flight, own: Spot): HTMLElement | undefined {
    if (to === own && card) {
      const drawn = [...root.querySelectorAll<HTMLElement>(`[data-card="${card}"]`)].at(-1);
      if (drawn) return drawn;
    }
    return picture(root.querySelector<HTMLElement>(`[data-spot="${to}"]`) ?? undefined);
  }

  /** Where the picture in a node is, as seen from the table. */
  #rect(node: HTMLElement): Rect {
    const { x, y, width, height } = (picture(node) ?? node).getBoundingClientRect();
    const root = this.root()!;
    const origin = root.getBoundingClientRect();
    return { x: x - origin.x - root.clientLeft, y: y - origin.y - root.clientTop, width, height };
  }
}

/** The uppermost card that a node shows, else the node itself. */
function picture(node: HTMLElement | undefined): HTMLElement | undefined {
  return [...(node?.querySelectorAll<HTMLElement>(":scope > svg, .stack > svg") ?? [])].at(-1) ?? node;
}

function hide(node: HTMLElement, duration: number): void {
  node.animate([{ opacity: 0 }, { opacity: 0 }], { duration });
}

function isCalm(): boolean {
  return typeof matchMedia !== "function" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}
