import { randomBytes } from 'node:crypto';
import { genesisHead, hashed, keylessCallPrefix, type Rejection } from '@tollbridge/nanopay-protocol';
import type { AccountKey, Policy } from '../ledger/rules/account';
import { Approvals } from '../ledger/rules/approvals';
import { Ledger } from '../ledger/ledger';
import type { ChainStep, CheckedPayment, Payment, RejectedDecision } from '../ledger/rules/payment';
import { PaymentRates } from '../ledger/rules/payment-rates';
import type { Session } from '../ledger/rules/sessions';

export const startMs = 1_800_000_000_000;
export const payer: AccountKey = 'p'.repeat(32);
export const seller: AccountKey = 's'.repeat(32);

/** A ledger with one funded payer and one seller. */
export function ledgerWith(available: bigint, policy?: Policy): Ledger {
  const ledger = new Ledger(0n, genesisHead, new PaymentRates(), new Approvals());
  for (const key of [payer, seller]) ledger.bring(key, undefined, startMs);
  fund(ledger, payer, available);
  ledger.account(payer).policy = policy;
  return ledger;
}

export function fund(ledger: Ledger, key: AccountKey, amountAtomic: bigint): void {
  const account = ledger.account(key);
  account.deposited += amountAtomic;
  account.available += amountAtomic;
}

/** A payment of 100 that is charged immediately. */
export const charge = (changes: Partial<CheckedPayment> = {}): CheckedPayment => ({
  kind: 'charge',
  confirmationId: randomBytes(16),
  digest: randomBytes(32),
  payer,
  seller,
  nonce: randomBytes(32),
  resourceHash: Buffer.alloc(32),
  flags: 0,
  signature: Buffer.alloc(64),
  validAfterS: 1_799_999_990n,
  validBeforeS: 1_800_000_060n,
  callKey: randomBytes(16),
  amountAtomic: 100n,
  chargeAtomic: 100n,
  holdS: 30,
  session: undefined,
  step: undefined,
  channel: undefined,
  ...changes,
});

/** Returns the key of a call that serves no resource. */
export const keylessCall = (): Buffer => Buffer.concat([keylessCallPrefix, randomBytes(8)]);

/** A payment of 100 that is held for 30 seconds. */
export const hold = (changes: Partial<CheckedPayment> = {}): CheckedPayment =>
  charge({ kind: 'hold', ...changes });

/** The charge of a held payment, by another call. */
export const captureOf = (held: CheckedPayment, chargeAtomic: bigint): CheckedPayment => ({
  ...held,
  kind: 'charge',
  chargeAtomic,
  callKey: randomBytes(16),
});

/** Returns the payment after a decision, which must accept it. */
export function decided(ledger: Ledger, checked: CheckedPayment, nowMs = startMs): Payment {
  const decision = ledger.apply(checked, nowMs);
  if (decision.kind !== 'done') throw new Error(`the decision is ${decision.kind}`);
  return decision.payment;
}

export const rejected = (reason: Rejection, retryAfterS = 0): RejectedDecision => ({
  kind: 'rejected',
  reason,
  retryAfterS,
});

/** A grant of the payer for 1000. */
export const session = (changes: Partial<Session> = {}): Session => ({
  key: 'k'.repeat(32),
  account: payer,
  nonce: randomBytes(32),
  spentAtomic: 0n,
  maxTotalAtomic: 1_000n,
  validBeforeS: 1_800_086_400n,
  link: undefined,
  usedMs: startMs,
  ...changes,
});

const chainLength = 200;

/** A hash chain of 200 links worth 10 each. */
export class HashChain {
  private readonly secret = randomBytes(32);

  readonly session = session({ maxTotalAtomic: 2_000n, link: this.link(0) });

  link(index: number): Buffer {
    return hashed(this.secret, chainLength - index);
  }

  step(index: number): ChainStep {
    return { index, link: this.link(index), unitAtomic: 10n };
  }

  /** Returns a payment that reveals the link with this index. */
  charge(index: number, chargeAtomic: bigint, changes: Partial<CheckedPayment> = {}): CheckedPayment {
    const step = this.step(index);
    return charge({ session: this.session, step, amountAtomic: chargeAtomic, chargeAtomic, ...changes });
  }
}

interface Sums {
  /** Balances of the payer. */
  available: bigint;
  reserved: bigint;
  spent: bigint;
  /** Balances of the seller. */
  earned: bigint;
  /** Deposits less payouts less balances of all accounts, as the audit computes it. */
  difference: bigint;
}

export function sumsOf(ledger: Ledger): Sums {
  const { available, reserved, spent } = ledger.account(payer);
  const { earned } = ledger.account(seller);
  let difference = 0n;
  for (const each of ledger.accounts.values()) {
    difference += each.deposited - each.withdrawn - each.settled;
    difference -= each.available + each.reserved + (each.earned - each.settled);
  }
  return { available, reserved, spent, earned, difference };
}

/** Returns the expected sums of a balanced ledger, zero by default. */
export const sums = (expected: Partial<Sums>): Sums => ({
  available: 0n,
  reserved: 0n,
  spent: 0n,
  earned: 0n,
  difference: 0n,
  ...expected,
});
