import { ClientError, type TollbridgeError } from './errors';

export const usualRetries = 2;
const firstDelayMs = 300;
const longestDelayMs = 8_000;
// For a longer wait, an error with the wait time is more useful to the caller.
const longestRetryAfterMs = 60_000;

const codes: readonly string[] = ['NETWORK_ERROR', 'TIMEOUT', 'IDEMPOTENCY_IN_PROGRESS'];
// 504 means that the outcome is unknown. A retry with the same key returns the outcome.
const statuses: readonly number[] = [429, 503, 504];

/**
 * Returns the delay before the next attempt, in milliseconds; undefined when the error is final.
 * @param retried number of retries so far
 */
export function retryDelayMs(error: TollbridgeError, retried: number): number | undefined {
  if (!codes.includes(error.code) && !statuses.includes(error.status)) return undefined;
  const backoffMs = Math.min(longestDelayMs, firstDelayMs * 2 ** retried);
  // Jitter keeps clients that failed together from retrying together.
  const jitteredMs = backoffMs * (0.5 + Math.random() / 2);
  const askedMs = (error.retryAfterSeconds ?? 0) * 1_000;
  if (askedMs > longestRetryAfterMs) return undefined;
  return askedMs > 0 ? askedMs + jitteredMs / 4 : jitteredMs;
}

/** Waits. @throws ClientError `ABORTED` when the signal is aborted */
export function sleep(ms: number, operation: string, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(aborted(operation, signal));
    const stop = () => {
      clearTimeout(timer);
      reject(aborted(operation, signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

export const aborted = (
  operation: string,
  signal: AbortSignal | undefined,
  idempotencyKey?: string,
): ClientError<'ABORTED'> =>
  new ClientError('ABORTED', 'The call was aborted.', {
    operation,
    status: 0,
    cause: signal?.reason,
    idempotencyKey,
  });
