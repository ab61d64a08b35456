import { forget, remember, remembered } from './tab-memory';
import { later } from './wallets/wallet';

// The server lets an attempt lapse after 75 seconds without a renewal.
const renewEveryMs = 15_000;
const retryMs = 2_000;
// What was sent, until the server has stored it: a reload must not lose it.
const sentKey = 'tollbridge-sent';

type Outcome = 'held' | 'busy' | 'warn' | 'closed' | 'stale';

interface Sent {
  url: string;
  fields: Record<string, string>;
}

/** The payment that a page shows, as the server wants it named. */
export interface Asked {
  url: string;
  version: number;
  /** The page has shown a warning. */
  isWarned: boolean;
}

/** This tab's attempt to pay. While it lasts no other tab or device is offered a way to pay. */
export class Attempt {
  private readonly renewing: ReturnType<typeof setInterval>;

  private constructor(
    private readonly url: string,
    private readonly fields: Record<string, string>,
  ) {
    this.renewing = setInterval(
      () => void change({ url, fields: { ...fields, action: 'renew' } }).catch(() => undefined),
      renewEveryMs,
    );
  }

  /**
   * `notNow` where the payment must not be made now: the page of the server shows why. `stale` where the payment has
   * changed since the page was made.
   */
  static async ask({
    url,
    version,
    isWarned,
  }: Asked): Promise<{ kind: 'held'; attempt: Attempt } | { kind: 'stale' | 'notNow' }> {
    const fields = { holder: newHolder(), version: String(version), warned: isWarned ? '1' : '0' };
    const outcome = await change({ url, fields: { ...fields, action: 'ask' } });
    if (outcome === 'held') return { kind: 'held', attempt: new Attempt(url, fields) };
    return { kind: outcome === 'stale' ? 'stale' : 'notNow' };
  }

  /** @param action `decline`: the wallet sent nothing. `doubt`: it may have sent something. */
  async end(action: 'decline' | 'doubt'): Promise<void> {
    clearInterval(this.renewing);
    const { url, fields } = this;
    // Without an answer the attempt lapses by itself.
    await change({ url, fields: { ...fields, action } }).catch(() => undefined);
  }

  /** The wallet sent the payment. @param waiting called when the server does not answer */
  async send(hash: string | undefined, waiting: () => void): Promise<void> {
    clearInterval(this.renewing);
    const { url, fields } = this;
    const sent = { url, fields: { ...fields, action: 'send', ...(hash !== undefined && { tx_hash: hash }) } };
    remember(sentKey, JSON.stringify(sent));
    await untilStored(sent, waiting);
  }
}

/** Sends what an earlier load of the page could not. Undefined for nothing. */
export function resume(waiting: () => void): Promise<void> | undefined {
  const text = remembered(sentKey);
  return text === null ? undefined : untilStored(JSON.parse(text) as Sent, waiting);
}

async function untilStored(sent: Sent, waiting: () => void): Promise<void> {
  for (;;) {
    try {
      await change(sent);
      break;
    } catch (error) {
      if (error instanceof Rejected) break;
      waiting();
      await later(retryMs);
    }
  }
  forget(sentKey);
}

/** The server has answered, and would answer the same again. */
class Rejected extends Error {}

async function change({ url, fields }: Sent): Promise<Outcome> {
  const reply = await fetch(url, { method: 'POST', body: new URLSearchParams(fields) });
  if (reply.ok) return ((await reply.json()) as { outcome: Outcome }).outcome;
  const isLasting = reply.status < 500 && reply.status !== 429;
  throw isLasting ? new Rejected(String(reply.status)) : new Error(String(reply.status));
}

const newHolder = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
