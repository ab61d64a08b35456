import { completeLater, onRendered, pageData, refresh } from './page';

const pollMs = 3_000;
// The options page has no events before the first payment of its request.
const statePollMs = 5_000;

let followed: string | undefined;
let source: EventSource | undefined;
let timer: ReturnType<typeof setInterval> | undefined;

/** Updates the page with the events of its payment, and by polling while there are none. */
export function follow(): void {
  start();
  onRendered(start);
  completeLater();
  // Browsers suspend pages in the background, and lose connections together with the network.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void update();
  });
  window.addEventListener('online', () => void update());
  // The browser may restore the page from its history in an old state.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) void update();
  });
  setInterval(() => void pollState(), statePollMs);
}

/** Updates the options when another tab or device pays or has paid. */
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

/** Whether an event contains a change. The first event of a stream repeats the state that the page shows. */
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
