// The keys that step through the actions of a match.

/** Where the arrow keys belong to what has the focus; on a board they do unless the pointer brought the focus there. */
const OWN_ARROWS = 'input:not([type="checkbox"]), select, textarea, [role="grid"]:not([data-by-pointer])';

/** Whether a key is pressed alone and not for what has the focus. */
export function isFreeKey(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return false;
  return !(event.target instanceof Element && event.target.closest(OWN_ARROWS));
}

/** How many steps forward a key leads: 1 or -1, and 0 if it does not step. */
export function keySteps(event: KeyboardEvent): number {
  const { key } = event;
  if (!isFreeKey(event)) return 0;
  return key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
}
