import type { WebhookStatus } from '@tollbridge/contracts';

/** What came of sending a message once. */
export interface Attempt {
  atMs: number;
  tookMs: number;
  /** Null without an answer. */
  status: number | null;
  /** What went wrong, in our words; null when the message arrived. */
  error: string | null;
  /** What the receiver asked for by Retry-After. */
  retryAfterMs: number | undefined;
}

/** Where a message stands in its schedule. */
export interface Progress {
  /** When the first attempt was due; a replay begins anew. */
  scheduleFromMs: number;
  /** Attempts since then. */
  scheduleAttempts: number;
}

/** How an endpoint is doing. */
export interface EndpointHealth {
  failuresInARow: number;
  /** Nothing is sent before. */
  notBeforeMs: number;
  /** When it answered 410; null when it has answered otherwise since. */
  goneAtMs: number | null;
}

const [secondMs, minuteMs, hourMs] = [1_000, 60_000, 3_600_000];

/** From each attempt to the next, at least: 75 hours and 35 minutes together. */
export const retryDelaysMs = [
  5 * secondMs,
  ...[5 * minuteMs, 30 * minuteMs],
  ...[2 * hourMs, 5 * hourMs, 10 * hourMs, 14 * hourMs, 20 * hourMs, 24 * hourMs],
];
/** An attempt that fails after this time is the last. */
export const triedForMs = 72 * hourMs;
/** What waits longer, because its endpoint is not sent to, is parked too. */
export const heldForMs = 96 * hourMs;

// Those who failed together do not come back together. Only later, so that 72 hours are never fewer.
const jitter = 0.2;

// So many failures in a row are the endpoint's, not those of single messages.
export const circuitFailures = 5;
const firstProbeMs = 30 * secondMs;
/** Even an endpoint that is gone for good is tried this often, as long as there is something to send. */
export const longestProbeMs = hourMs;

/** The longest wait that a Retry-After is granted. */
export const maxRetryAfterMs = 24 * hourMs;

export const isOpen = ({ failuresInARow }: Pick<EndpointHealth, 'failuresInARow'>): boolean =>
  failuresInARow >= circuitFailures;

/** What goes wrong when a receiver answers with a status; null when it has taken the message. */
export function errorOfStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400)
    return `The receiver answered ${status}, and redirects are not followed: name the final URL.`;
  if (status === 410) return 'The receiver answered 410: it wants no more messages.';
  return `The receiver answered ${status}.`;
}

/** Whether the receiver may say when it wants to be asked again. */
export const honoursRetryAfter = (status: number): boolean => status === 429 || status === 503;

/** What becomes of a message after an attempt. @param random from 0 to 1 */
export function nextOf(
  { scheduleFromMs, scheduleAttempts }: Progress,
  { error, retryAfterMs = 0 }: Pick<Attempt, 'error' | 'retryAfterMs'>,
  nowMs: number,
  random: number,
): { status: WebhookStatus; nextAttemptMs: number | null } {
  if (error === null) return { status: 'delivered', nextAttemptMs: null };
  if (nowMs - scheduleFromMs >= triedForMs) return { status: 'parked', nextAttemptMs: null };
  const delayMs = retryDelaysMs[Math.min(scheduleAttempts, retryDelaysMs.length - 1)]!;
  return { status: 'failing', nextAttemptMs: nowMs + Math.max(delayed(delayMs, random), retryAfterMs) };
}

/** How an endpoint is doing after an attempt. @param random from 0 to 1 */
export function healthAfter(
  before: EndpointHealth,
  { status, error, retryAfterMs = 0 }: Pick<Attempt, 'status' | 'error' | 'retryAfterMs'>,
  nowMs: number,
  random: number,
): EndpointHealth {
  if (error === null) return { failuresInARow: 0, notBeforeMs: nowMs, goneAtMs: null };
  const goneAtMs = status === 410 ? (before.goneAtMs ?? nowMs) : before.goneAtMs;
  const counted = before.failuresInARow + 1;
  const failuresInARow = goneAtMs === null ? counted : Math.max(counted, circuitFailures);
  return {
    failuresInARow,
    notBeforeMs: nowMs + Math.max(probeDelayMs(failuresInARow, goneAtMs !== null, random), retryAfterMs),
    goneAtMs,
  };
}

/** Growing from half a minute to an hour; none while the circuit is closed. */
function probeDelayMs(failuresInARow: number, isGone: boolean, random: number): number {
  if (isGone) return delayed(longestProbeMs, random);
  if (failuresInARow < circuitFailures) return 0;
  const doublings = Math.min(failuresInARow - circuitFailures, 20);
  return Math.min(delayed(firstProbeMs * 2 ** doublings, random), longestProbeMs);
}

const delayed = (delayMs: number, random: number): number => Math.round(delayMs * (1 + jitter * random));
