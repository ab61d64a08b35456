import { bulkhead } from 'cockatiel';

/** Wraps a call to another service, for example to limit the concurrency. */
export type Lookup = <T>(call: () => Promise<T>) => Promise<T>;

export const unbounded: Lookup = (call) => call();

// A lookup takes milliseconds, so even a valid credential behind a full queue waits for less than a second.
const [defaultConcurrent, defaultQueued] = [32, 1_000];

/**
 * Limits lookups of credentials from addresses with too many failures. Valid credentials must still be found without
 * flooding the merchant app.
 * @returns a `Lookup` that rejects when the queue is full
 */
export function suspectLookups(concurrent = defaultConcurrent, queued = defaultQueued): Lookup {
  const policy = bulkhead(concurrent, queued);
  return (call) => policy.execute(call);
}
