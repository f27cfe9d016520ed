// The keys that step through the actions of a match.

/** Where the arrow keys belong to what has the focus; on a board they do unless the pointer brought the focus there. */
const OWN_ARROWS = 'input:not([type="checkbox"]), select, textarea, [role="grid"]:not([data-by-pointer])';

/** How many steps forward a key leads: 1 or -1, and 0 if it does not step. */
export function keySteps(event: KeyboardEvent): number {
  const { key, target } = event;
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return 0;
  if (target instanceof Element && target.closest(OWN_ARROWS)) return 0;
  return key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
}
