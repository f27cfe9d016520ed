// The service worker: the app opens without a connection from the first visit on, and can be sent messages.
import { renewSubscription } from "../notices/push";
import { navigate } from "../router.svelte";

/** When a page has settled; until then the network is for what it shows. */
const SETTLED_MS = 3_000;

/** Registers the service worker once the page has settled, and then keeps what it cannot know of. */
export function registerWorker(): void {
  const worker = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (!worker) return;
  worker.addEventListener("message", ({ data }: MessageEvent<{ show?: string }>) => {
    if (data.show?.startsWith("/")) navigate(data.show);
  });
  setTimeout(() => {
    register(worker).then(
      async () => {
        await renewSubscription().catch(() => undefined);
        await (await import("./keep")).keepLessonsAndPuzzles();
        document.documentElement.dataset["offline"] = "ready";
      },
      () => undefined,
    );
  }, SETTLED_MS);
}

async function register(worker: ServiceWorkerContainer): Promise<void> {
  for (const old of await worker.getRegistrations()) {
    // Earlier versions had one for the page of puzzles only.
    if (new URL(old.scope).pathname !== "/") await old.unregister();
  }
  await worker.register("/service-worker.js");
  await worker.ready;
}
