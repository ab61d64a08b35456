import { onRendered, pageData, refresh } from './page';

const pollMs = 3_000;
// Beside events: a further confirmation sends none, and one may be lost while a gateway is replaced.
const confirmingPollMs = 5_000;
const waitingPollMs = 30_000;

let followed: string | undefined;
let source: EventSource | undefined;
let timer: ReturnType<typeof setInterval> | undefined;
let pollsEveryMs = 0;

/** Keeps the page current: by the events of its payment, and by polling. */
export function follow(): void {
  start();
  onRendered(start);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void update();
  });
}

function start(): void {
  const data = pageData();
  const wanted = data?.kind === 'payment' && !data.isFinal ? data.id : undefined;
  if (wanted === followed) return pollBesideEvents();
  source?.close();
  stopPolling();
  followed = wanted;
  if (wanted === undefined) return;
  source = new EventSource(`/api/v1/payment/${encodeURIComponent(wanted)}/events`);
  for (const name of ['message', 'payment', 'end'])
    source.addEventListener(name, (event) => {
      if (isNews(event as MessageEvent)) void update();
    });
  source.addEventListener('open', pollBesideEvents);
  // An EventSource reconnects by itself unless the server has no events.
  source.addEventListener('error', () => poll(pollMs));
}

function pollBesideEvents(): void {
  if (source?.readyState === EventSource.OPEN && followed !== undefined)
    poll(pageData()?.isConfirming ? confirmingPollMs : waitingPollMs);
}

/** The first event of a stream repeats the state that the page shows. */
function isNews({ type, lastEventId }: MessageEvent): boolean {
  const version = pageData()?.version;
  return type === 'end' || version === undefined || !(Number(lastEventId) <= version);
}

function poll(everyMs: number): void {
  if (timer !== undefined && everyMs === pollsEveryMs) return;
  stopPolling();
  pollsEveryMs = everyMs;
  timer = setInterval(() => {
    if (document.visibilityState === 'visible') void update();
  }, everyMs);
}

function stopPolling(): void {
  clearInterval(timer);
  timer = undefined;
}

/** A failed request is repeated by the next event or poll. */
const update = (): Promise<unknown> => refresh().catch(() => undefined);
