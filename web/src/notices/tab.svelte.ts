// The tab of the browser: its title begins with the number of matches that wait, and its icon has a dot.

const ICONS = ["/icon.svg", "/icon-turn.svg"] as const;
let count = 0;
let observer: MutationObserver | undefined;

/** Shows in the tab, and on the icon of an installed app, how many matches wait for the visitor. */
export function markTab(waiting: number): void {
  count = waiting;
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const wanted = ICONS[waiting ? 1 : 0];
  if (icon && icon.getAttribute("href") !== wanted) icon.href = wanted;
  // Pages set their titles themselves, at any time.
  observer ??= new MutationObserver(markTitle);
  observer.observe(document.head, { childList: true, subtree: true, characterData: true });
  markTitle();
  if (waiting) void navigator.setAppBadge?.(waiting).catch(() => undefined);
  else void navigator.clearAppBadge?.().catch(() => undefined);
}

function markTitle(): void {
  const title = document.title.replace(/^\(\d+\) /, "");
  const wanted = count ? `(${count}) ${title}` : title;
  if (document.title !== wanted) document.title = wanted;
}
