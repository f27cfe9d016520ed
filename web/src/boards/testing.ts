// What the tests of all boards share.
import { flushSync, mount, unmount, type Component } from "svelte";
import { NO_MARKS, type BoardProps, type Face } from "./face";

export const LEGAL = { ...NO_MARKS, legal: true };
let shown: Record<string, unknown> | undefined;

/** Shows a board in an empty document: that of the face's picture unless props say otherwise. */
export async function show(face: Face, props: Partial<BoardProps> = {}): Promise<HTMLElement> {
  const { view, options, seat = 0, text } = face.picture;
  const defaults: BoardProps = {
    view,
    text,
    options,
    seat,
    actions: [],
    pending: null,
    last: null,
    outcome: null,
    name: (number) => ["Hine", "Tama", "Ana"][number] ?? "",
    marks: LEGAL,
  };
  return showPart(face.Board, { ...defaults, ...props });
}

/** Shows any component in an empty document. */
export async function showPart<P extends object>(part: Component<P>, props: P): Promise<HTMLElement> {
  if (shown) await unmount(shown);
  document.body.replaceChildren();
  shown = mount(part, { target: document.body, props });
  flushSync();
  return document.body;
}

export function cell(root: HTMLElement, key: string): Element {
  return root.querySelector(`[data-cell="${key}"]`)!;
}

export function press(element: Element, key: string): void {
  element.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  flushSync();
}

export function click(element: Element | null): void {
  element!.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  flushSync();
}
