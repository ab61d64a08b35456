import { bulkhead } from 'cockatiel';

/** Bounds how a question to another service is asked. */
export type Lookup = <T>(question: () => Promise<T>) => Promise<T>;

export const unbounded: Lookup = (question) => question();

// A key is looked up within milliseconds, so that a valid one waits for a fraction of a second behind all of these.
const [defaultAtOnce, defaultWaiting] = [32, 1_000];

/**
 * Look-ups of credentials from addresses that have presented too many wrong ones. A valid one among them must be found,
 * but the service that knows it must not be flooded.
 * @returns a `Lookup` that rejects when `waiting` questions wait already
 */
export function suspectLookups(atOnce = defaultAtOnce, waiting = defaultWaiting): Lookup {
  const policy = bulkhead(atOnce, waiting);
  return (question) => policy.execute(question);
}
