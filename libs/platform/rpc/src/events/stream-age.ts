import type { JetStreamManager, StreamInfo } from 'nats';

export interface Expiry {
  /** Time limit: older messages are deleted. */
  beforeMs: number;
  /** Position of the last message that may be deleted. */
  lastSeq: number;
}

// With this tolerance a stream under load is searched once a minute instead of at each check.
const slackMs = 60_000;

/**
 * Deletes old messages at the beginning of a stream, up to the first that must stay. NATS's own `max_age`
 * would delete events that a consumer has not acknowledged.
 * @returns the number of deleted messages
 */
export async function expireMessages(
  manager: JetStreamManager,
  { config, state }: StreamInfo,
  { beforeMs, lastSeq }: Expiry,
): Promise<number> {
  const { first_seq: firstSeq, messages, first_ts: firstTime } = state;
  if (messages === 0 || lastSeq < firstSeq || Date.parse(String(firstTime)) >= beforeMs - slackMs) return 0;
  const timeOf = async (seq: number): Promise<number> =>
    (await manager.streams.getMessage(config.name, { seq })).time.getTime();
  const seq = await firstNewer(firstSeq, lastSeq, async (at) => (await timeOf(at)) < beforeMs);
  const { purged } = await manager.streams.purge(config.name, { seq });
  return purged;
}

/** Returns the first position that is not old, by bisection; `lastSeq + 1` when all are old. */
export async function firstNewer(
  firstSeq: number,
  lastSeq: number,
  isOld: (seq: number) => Promise<boolean>,
): Promise<number> {
  let low = firstSeq;
  let high = lastSeq + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await isOld(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
