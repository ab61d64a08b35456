import { bulkhead } from 'cockatiel';

/** Bounds how another service is called. */
export type Lookup = <T>(call: () => Promise<T>) => Promise<T>;

export const unbounded: Lookup = (call) => call();

// A lookup takes milliseconds, so a valid credential behind a full queue waits for a fraction of a second.
const [defaultConcurrent, defaultQueued] = [32, 1_000];

/**
 * Lookups of credentials from addresses with too many failures. A valid credential among them must be found, without
 * flooding the merchant app.
 * @returns a `Lookup` that rejects when the queue is full
 */
export function suspectLookups(concurrent = defaultConcurrent, queued = defaultQueued): Lookup {
  const policy = bulkhead(concurrent, queued);
  return (call) => policy.execute(call);
}
