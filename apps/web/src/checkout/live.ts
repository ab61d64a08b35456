import { completeLater, onRendered, pageData, refresh } from './page';

const pollMs = 3_000;
// The options page has no events before the first payment of its request.
const statePollMs = 5_000;

let followed: string | undefined;
let source: EventSource | undefined;
let timer: ReturnType<typeof setInterval> | undefined;

/** Keeps the page current by the events of its payment, and by polling while there are none. */
export function follow(): void {
  start();
  onRendered(start);
  completeLater();
  // Browsers stop pages in the background, and lose connections with the network.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void update();
  });
  window.addEventListener('online', () => void update());
  // The page may come back from the history as it was left.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) void update();
  });
  setInterval(() => void pollState(), statePollMs);
}

/** Shows options that another tab or device pays, or has paid, as such. */
async function pollState(): Promise<void> {
  const { stateUrl, state: shown } = pageData() ?? {};
  if (stateUrl === undefined || document.visibilityState !== 'visible') return;
  const reply = await fetch(stateUrl).catch(() => undefined);
  if (!reply?.ok) return;
  const { state } = (await reply.json()) as { state: string | null };
  if (state !== null && state !== shown) await update();
}

function start(): void {
  const data = pageData();
  const wanted = data?.kind === 'payment' && !data.isFinal ? data.id : undefined;
  if (wanted === followed) return;
  source?.close();
  stopPolling();
  followed = wanted;
  if (wanted === undefined) return;
  source = new EventSource(`/api/v1/payment/${encodeURIComponent(wanted)}/events`);
  for (const name of ['message', 'payment', 'end'])
    source.addEventListener(name, (event) => {
      if (isNews(event as MessageEvent)) void update();
    });
  source.addEventListener('open', stopPolling);
  // An EventSource reconnects by itself unless the server has no events.
  source.addEventListener('error', poll);
}

/** The first event of a stream repeats the state that the page shows. */
function isNews({ type, lastEventId }: MessageEvent): boolean {
  const state = pageData()?.state;
  return type === 'end' || state === undefined || lastEventId !== state;
}

function poll(): void {
  timer ??= setInterval(() => {
    if (document.visibilityState === 'visible') void update();
  }, pollMs);
}

function stopPolling(): void {
  clearInterval(timer);
  timer = undefined;
}

/** A failed request is repeated. */
const update = (): Promise<unknown> => refresh().catch(() => undefined);
