import { UsageError } from '../exit-codes';
import { fetchFailure } from '../fetch-failure';
import type { Terminal } from '../terminal';
import { signedHeaders } from './sign-message';

export interface Message {
  id: string;
  type: string;
  payload: unknown;
}

export interface Target {
  url: string;
  secret: string;
  signal: AbortSignal;
}

export interface Attempt {
  /** HTTP status; undefined without a reply. */
  status?: number;
  /** Reason for a failed delivery. */
  error?: string;
  ms: number;
}

// The same time-out as in the API.
const timeoutMs = 15_000;
const retryDelaysMs = [1_000, 5_000, 15_000];

/** Parses the URL of the receiver. @throws UsageError */
export function targetUrl(text: string): string {
  const url = parse(text);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`${text} is not an http address.`, 'For example: http://localhost:4000/webhooks');
  return url.href;
}

function parse(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** Sends a message once. Never rejects. */
export async function sendOnce({ id, payload }: Message, { url, secret, signal }: Target): Promise<Attempt> {
  const body = JSON.stringify(payload);
  const startedMs = performance.now();
  const took = (): number => Math.round(performance.now() - startedMs);
  try {
    const reply = await fetch(url, {
      method: 'POST',
      headers: signedHeaders(id, body, secret, Date.now()),
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    await reply.body?.cancel();
    const { status } = reply;
    return { status, ms: took(), ...(reply.ok ? {} : { error: `the receiver answered ${status}` }) };
  } catch (error) {
    return { error: reasonOf(error), ms: took() };
  }
}

function reasonOf(error: unknown): string {
  if ((error as Error).name === 'TimeoutError') return `no answer within ${timeoutMs / 1_000} s`;
  const reason = fetchFailure(error);
  return reason === 'ECONNREFUSED' ? 'nothing listens there' : `not reached (${reason})`;
}

/**
 * Sends a message until it is accepted, at most four times.
 * @param show called after each attempt, with the delay of the next attempt
 */
export async function deliver(
  message: Message,
  target: Target,
  sleep: Terminal['sleep'],
  show: (attempt: Attempt, retryInMs: number | undefined) => void,
): Promise<boolean> {
  for (let retried = 0; ; retried++) {
    const attempt = await sendOnce(message, target);
    if (target.signal.aborted) return false;
    const delayMs = attempt.error === undefined ? undefined : retryDelaysMs[retried];
    show(attempt, delayMs);
    if (attempt.error === undefined) return true;
    if (delayMs === undefined) return false;
    await sleep(delayMs);
    if (target.signal.aborted) return false;
  }
}
