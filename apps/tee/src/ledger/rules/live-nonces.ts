import { getHeapStatistics } from 'node:v8';
import { flags, isKeylessCall, keylessCallPrefix } from '@tollbridge/nanopay-protocol';
import type { AccountKey } from './account';
import type { CheckedPayment, Payment } from './payment';

const bucketS = 60n;
/** Heap bytes of one entry, keys included. */
const bytesEach = 300;
/** Half of the heap limit. */
const maxLive = Math.floor(getHeapStatistics().heap_size_limit / 2 / bytesEach);

/** A payment may still be in flight, or be queried by a paywall, this long after it expires. */
export const rememberedS = 60n;

/**
 * A committed payment: its confirmation id and call key, 32 characters of latin1. A buffer would hold on to its slab of
 * fifty times that size.
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

  /** More would exhaust the heap: new payments wait until others expire. */
  get isFull(): boolean {
    return this.known.size >= maxLive;
  }

  /** The database has more than this heap can hold. Payments in flight may exceed `isFull` a little. */
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

  /** The payment is committed and final: only its call is needed from now on. */
  settle(payment: Payment): void {
    const key = payment.payer + payment.nonce.toString('latin1');
    if (this.known.get(key) !== payment) return;
    this.known.set(key, doneCallOf(payment));
  }

  /** Another call has got the charge of a committed payment. */
  claim(payment: Payment): void {
    const key = payment.payer + payment.nonce.toString('latin1');
    if (typeof this.known.get(key) === 'string') this.known.set(key, doneCallOf(payment));
  }

  /** A cancelled payment must be rejected as cancelled, not as a copy. */
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
 * Whether an equal call with a key can claim this charge, which a call without a key has made (decision 100). Only for
 * a payment of one resource: other shops of the same account would serve any other payment too.
 */
export function isUnclaimed(
  known: Payment | DoneCall,
  { kind, confirmationId, digest, callKey, chargeAtomic, flags: bits }: CheckedPayment,
): boolean {
  const isDone = typeof known === 'string';
  const wasKeyless = isDone ? known.startsWith(keyless, idLength) : isKeylessCall(known.callKey);
  if (!wasKeyless || isKeylessCall(callKey) || kind !== 'charge' || (bits & flags.resourceBound) === 0)
    return false;
  // Amount and state of a finished payment are in the database.
  if (isDone) return known.startsWith(confirmationId.toString('latin1'));
  return known.state === 'captured' && known.digest.equals(digest) && known.chargedAtomic === chargeAtomic;
}
