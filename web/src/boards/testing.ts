// What the tests of all boards share.
import { flushSync, mount, unmount } from "svelte";
import { NO_MARKS, type BoardProps, type Face } from "./face";

export const LEGAL = { ...NO_MARKS, legal: true };
let shown: Record<string, unknown> | undefined;

/** Shows a board in an empty document: that of the face's picture unless props say otherwise. */
export async function show(face: Face, props: Partial<BoardProps> = {}): Promise<HTMLElement> {
  if (shown) await unmount(shown);
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
  document.body.replaceChildren();
  shown = mount(face.Board, { target: document.body, props: { ...defaults, ...props } });
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
