import type { WebhookStatus } from '@tollbridge/contracts';

/** The result of one delivery attempt. */
export interface Attempt {
  atMs: number;
  tookMs: number;
  /** The HTTP status; null without a reply. */
  status: number | null;
  /** The error of a failed delivery; null for a delivered message. */
  error: string | null;
  /** The delay of the receiver's Retry-After header. */
  retryAfterMs: number | undefined;
}

/** The position of a message in its retry schedule. */
export interface Progress {
  /** When the first attempt was due. A replay restarts the schedule. */
  scheduleFromMs: number;
  /** The number of attempts since then. */
  scheduleAttempts: number;
}

/** The health of an endpoint. */
export interface EndpointHealth {
  failuresInARow: number;
  /** No message is delivered before this time. */
  notBeforeMs: number;
  /** When the endpoint returned 410; null after a later success. */
  goneAtMs: number | null;
}

const [secondMs, minuteMs, hourMs] = [1_000, 60_000, 3_600_000];

/** Minimum delays between attempts, 75 hours and 35 minutes in total. */
export const retryDelaysMs = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
];
/** An attempt that fails after this time is the last one. */
export const triedForMs = 72 * hourMs;
/** Messages that wait longer than this for an unhealthy endpoint are exhausted (status `parked`). */
export const heldForMs = 96 * hourMs;

// Spreads the retries of messages that failed together. It only adds to delays, so that retries last at least 72 hours.
const jitter = 0.2;

// After this number of consecutive failures, the endpoint is the cause instead of a single message.
export const circuitFailures = 5;
const firstProbeMs = 30 * secondMs;
/** The longest delay between probes while messages wait, even for an endpoint that returned 410. */
export const longestProbeMs = hourMs;

/** The maximum delay that is accepted from a Retry-After header. */
export const maxRetryAfterMs = 24 * hourMs;

export const isOpen = ({ failuresInARow }: Pick<EndpointHealth, 'failuresInARow'>): boolean =>
  failuresInARow >= circuitFailures;

/** The error for the status of a reply; null for success. */
export function errorOfStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400)
    return `The receiver answered ${status}. Redirects are not followed. Configure the final URL.`;
  if (status === 410) return 'The receiver answered 410 Gone.';
  return `The receiver answered ${status}.`;
}

/** Whether Retry-After is honoured for a status. */
export const honoursRetryAfter = (status: number): boolean => status === 429 || status === 503;

/** The state of a message after an attempt. @param random a number from 0 to 1 */
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

/** The health of an endpoint after an attempt. @param random a number from 0 to 1 */
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

/** The delay grows from half a minute to an hour. It is zero while the circuit is closed. */
function probeDelayMs(failuresInARow: number, isGone: boolean, random: number): number {
  if (isGone) return delayed(longestProbeMs, random);
  if (failuresInARow < circuitFailures) return 0;
  const doublings = Math.min(failuresInARow - circuitFailures, 20);
  return Math.min(delayed(firstProbeMs * 2 ** doublings, random), longestProbeMs);
}

const delayed = (delayMs: number, random: number): number => Math.round(delayMs * (1 + jitter * random));
