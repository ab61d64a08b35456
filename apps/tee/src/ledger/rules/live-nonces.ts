import { getHeapStatistics } from 'node:v8';
import { flags, isKeylessCall, keylessCallPrefix } from '@tollbridge/nanopay-protocol';
import type { AccountKey } from './account';
import type { CheckedPayment, Payment } from './payment';

const bucketS = 60n;
/** Heap bytes of one entry, keys included. */
const bytesEach = 300;
/** Entries that use half of the heap limit. */
const maxLive = Math.floor(getHeapStatistics().heap_size_limit / 2 / bytesEach);

/** After its expiry, a payment may still be in progress, or be queried by a paywall, for this time. */
export const rememberedS = 60n;

/**
 * A committed payment, as its confirmation id and call key in 32 characters of latin1. A buffer would keep a slab of
 * fifty times that size alive.
 */
export type DoneCall = string;

/** The nonces of all payments that are still valid. Expired payments are rejected by their time. */
export class LiveNonces {
  private readonly known = new Map<string, Payment | DoneCall>();
  /** Keys of `known` by the minute that the payment expires in. */
  private readonly endings = new Map<bigint, string[]>();

  get size(): number {
    return this.known.size;
  }

  /** Whether more nonces would exhaust the heap. New payments then wait until others expire. */
  get isFull(): boolean {
    return this.known.size >= maxLive;
  }

  /** Whether the database has more than this heap can store. Payments in progress may exceed `isFull` slightly. */
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

  /** Keeps only the call of a payment that is committed and final. */
  settle(payment: Payment): void {
    const key = payment.payer + payment.nonce.toString('latin1');
    if (this.known.get(key) !== payment) return;
    this.known.set(key, doneCallOf(payment));
  }

  /** Assigns a committed payment to the call that has claimed its charge. */
  claim(payment: Payment): void {
    const key = payment.payer + payment.nonce.toString('latin1');
    if (typeof this.known.get(key) === 'string') this.known.set(key, doneCallOf(payment));
  }

  /** Removes a cancelled payment, so that it is rejected as cancelled instead of as a copy. */
  remove({ payer, nonce }: Payment): void {
    this.known.delete(payer + nonce.toString('latin1'));
  }

  /** Drops expired payments. */
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

/** Whether this is the same payment in the same call: an idempotent replay. */
export const isSameCall = (
  known: Payment | DoneCall,
  checked: Pick<Payment, 'confirmationId' | 'digest' | 'callKey'>,
): boolean =>
  typeof known === 'string'
    ? known === doneCallOf(checked)
    : known.digest.equals(checked.digest) && known.callKey.equals(checked.callKey);

const idLength = 16;
const keyless = keylessCallPrefix.toString('latin1');

/**
 * Whether an equal call with a key can claim this charge of a call without a key (decision 100). Requires a payment of
 * one resource: other shops of the same account would serve any other payment too.
 */
export function isUnclaimed(
  known: Payment | DoneCall,
  { kind, confirmationId, digest, callKey, chargeAtomic, flags: bits }: CheckedPayment,
): boolean {
  const isDone = typeof known === 'string';
  const wasKeyless = isDone ? known.startsWith(keyless, idLength) : isKeylessCall(known.callKey);
  if (!wasKeyless || isKeylessCall(callKey) || kind !== 'charge' || (bits & flags.resourceBound) === 0)
    return false;
  // Amount and state of a finished payment are only in the database.
  if (isDone) return known.startsWith(confirmationId.toString('latin1'));
  return known.state === 'captured' && known.digest.equals(digest) && known.chargedAtomic === chargeAtomic;
}
