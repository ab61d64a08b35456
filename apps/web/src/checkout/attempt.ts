import { forget, remember, remembered } from './tab-memory';
import { later } from './wallets/wallet';

// On the server, an attempt expires after 75 seconds without a renewal.
const renewEveryMs = 15_000;
const retryMs = 2_000;
// The key of the sent transaction, stored until the server has it, so that a reload does not lose it.
const sentKey = 'tollbridge-sent';

type Outcome = 'held' | 'busy' | 'warn' | 'closed' | 'stale';

interface Sent {
  url: string;
  fields: Record<string, string>;
}

/** The payment that a page shows, with the fields that the server expects. */
export interface Asked {
  url: string;
  version: number;
  /** Whether the page has shown a warning. */
  isWarned: boolean;
}

/** This tab's attempt to pay. Until its end, no other tab or device can pay. */
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
   * Requests an attempt. `notNow`: the payment must not be made now, and the server's page shows the reason. `stale`:
   * the payment has changed since the page was rendered.
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

  /** @param action `decline`: the wallet sent nothing. `doubt`: the wallet may have sent something. */
  async end(action: 'decline' | 'doubt'): Promise<void> {
    clearInterval(this.renewing);
    const { url, fields } = this;
    // Without this request, the attempt expires by itself.
    await change({ url, fields: { ...fields, action } }).catch(() => undefined);
  }

  /** Reports that the wallet has sent the payment. @param waiting called when the server does not answer */
  async send(hash: string | undefined, waiting: () => void): Promise<void> {
    clearInterval(this.renewing);
    const { url, fields } = this;
    const sent = { url, fields: { ...fields, action: 'send', ...(hash !== undefined && { tx_hash: hash }) } };
    remember(sentKey, JSON.stringify(sent));
    await untilStored(sent, waiting);
  }
}

/** Reports a transaction that an earlier load of the page could not report. Undefined without one. */
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

/** The server has rejected the report, and would reject it again. */
class Rejected extends Error {}

async function change({ url, fields }: Sent): Promise<Outcome> {
  const reply = await fetch(url, { method: 'POST', body: new URLSearchParams(fields) });
  if (reply.ok) return ((await reply.json()) as { outcome: Outcome }).outcome;
  const isLasting = reply.status < 500 && reply.status !== 429;
  throw isLasting ? new Rejected(String(reply.status)) : new Error(String(reply.status));
}

const newHolder = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
