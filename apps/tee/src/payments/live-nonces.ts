import { getHeapStatistics } from 'node:v8';
import type { AccountKey } from './account';
import type { Payment } from './ledger';

const bucketS = 60n;
/** What each takes, with what finds it. */
const bytesEach = 300;
/** As many as fit into half of the heap that the process may have. */
const maxLive = Math.floor(getHeapStatistics().heap_size_limit / 2 / bytesEach);

/** So long after its end a payment may still be under way, and guards ask what became of it. */
export const rememberedS = 60n;

/**
 * What is left of a payment that is done and committed: its name and the key of its call, 32 characters of latin1. As a
 * buffer it would keep alive the slab that it is cut from, fifty times its length.
 */
export type DoneCall = string;

/**
 * The nonces of all payments that could still be presented: those whose time is not over. Later the time refuses them.
 */
export class LiveNonces {
  private readonly known = new Map<string, Payment | DoneCall>();
  /** Keys of `known` by the minute in which the payment ends. */
  private readonly endings = new Map<bigint, string[]>();

  get size(): number {
    return this.known.size;
  }

  /** More would end the process: they have to wait until others are too old. */
  get isFull(): boolean {
    return this.known.size >= maxLive;
  }

  /** Of a process that had much more memory. What was under way while it became full may be beyond it. */
  get isOverfull(): boolean {
    return this.known.size >= maxLive * 1.5;
  }

  find(payer: AccountKey, nonce: Buffer): Payment | DoneCall | undefined {
    return this.known.get(payer + nonce.toString('latin1'));
  }

  add(payment: Payment): void {
    const key = payment.payer + payment.nonce.toString('latin1');
    this.known.set(key, payment);
    const bucket = payment.validBeforeS / bucketS;
    const keys = this.endings.get(bucket);
    if (keys) keys.push(key);
    else this.endings.set(bucket, [key]);
  }

  /** It is in the record now, and not changed any more unless it is asked for by name. */
  settle(payment: Payment): void {
    const key = payment.payer + payment.nonce.toString('latin1');
    if (this.known.get(key) !== payment) return;
    this.known.set(key, doneCallOf(payment));
  }

  /** What its payer has cancelled is refused for that, and not as a copy. */
  forget({ payer, nonce }: Payment): void {
    this.known.delete(payer + nonce.toString('latin1'));
  }

  /** Forgets what is too old to be presented. A hold is kept: its money waits. */
  sweep(nowMs: number): void {
    const since = BigInt(Math.floor(nowMs / 1000)) - rememberedS;
    for (const [bucket, keys] of this.endings) {
      if ((bucket + 1n) * bucketS > since) continue;
      for (const key of keys) this.known.delete(key);
      this.endings.delete(bucket);
    }
  }
}

const doneCallOf = ({ confirmationId, callKey }: Pick<Payment, 'confirmationId' | 'callKey'>): DoneCall =>
  Buffer.concat([confirmationId, callKey]).toString('latin1');

/** Whether what is known of a payment is of just this one, asked for by just this call: then the record knows the answer. */
export const isSameCall = (
  known: Payment | DoneCall,
  checked: Pick<Payment, 'confirmationId' | 'digest' | 'callKey'>,
): boolean =>
  typeof known === 'string'
    ? known === doneCallOf(checked)
    : known.digest.equals(checked.digest) && known.callKey.equals(checked.callKey);
