import { randomBytes } from 'node:crypto';
import { Approvals } from './approvals';
import { Ledger } from './ledger';
import type { CheckedPayment, Payment } from './payment';
import { PaymentRates } from './payment-rates';

const nowMs = 1_800_000_000_000;
const payer = 'p'.repeat(32);
const seller = 's'.repeat(32);

function ledgerWith(available: bigint): Ledger {
  const ledger = new Ledger(0n, Buffer.alloc(32), new PaymentRates(), new Approvals());
  for (const key of [payer, seller]) ledger.bring(key, undefined, nowMs);
  const account = ledger.account(payer);
  account.deposited = account.available = available;
  return ledger;
}

const hold = (changes: Partial<CheckedPayment> = {}): CheckedPayment => ({
  kind: 'hold',
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
  ...changes,
});

const decided = (ledger: Ledger, checked: CheckedPayment): Payment => {
  const decision = ledger.apply(checked, nowMs);
  if (decision.kind !== 'done') throw new Error(`it was ${decision.kind}`);
  return decision.payment;
};

it('Ledger does not release a hold by a row that was read before its charge', () => {
  const ledger = ledgerWith(200n);
  const [first, second] = [hold(), hold()];
  const read = { ...decided(ledger, first) };
  decided(ledger, second);
  decided(ledger, { ...first, kind: 'charge' });
  expect(() => ledger.void(read, first.callKey, nowMs)).toThrow();
  expect(ledger.account(payer)).toMatchObject({ available: 0n, reserved: 100n, spent: 100n });
});

it('Ledger repeats the outcome of a charge while only its hold is stored', () => {
  const ledger = ledgerWith(200n);
  const checked = hold();
  const payment = decided(ledger, checked);
  ledger.takeBatch();
  const charge = { ...checked, kind: 'charge', callKey: randomBytes(16) } as const;
  decided(ledger, charge);
  // The record says that it is held: asked now, it would call the charge a copy.
  ledger.written(payment);
  expect(ledger.apply(charge, nowMs)).toEqual({ kind: 'done', payment });
  ledger.takeBatch();
  ledger.written(payment);
  expect(ledger.apply(charge, nowMs).kind).toBe('repeat');
});

it('Ledger stores no more than the name of a finished payment', () => {
  const ledger = ledgerWith(200n);
  const checked = hold();
  const payment = decided(ledger, { ...checked, kind: 'charge' });
  const restored = ledgerWith(0n);
  restored.restore({ ...payment, receipt: undefined });
  // Its receipt is not in memory: a repeated call is answered from the database.
  expect(restored.apply({ ...checked, kind: 'charge' }, nowMs)).toEqual({
    kind: 'repeat',
    confirmationId: checked.confirmationId,
  });
});

it('Ledger recognises the charge of a hold that expired during the signature check', () => {
  const ledger = ledgerWith(200n);
  const checked = hold({ validBeforeS: 1_800_000_059n });
  const payment = decided(ledger, checked);
  const laterMs = nowMs + 66_000;
  payment.holdUntilMs = laterMs + 1;
  ledger.sweep(laterMs);
  const charge = { ...checked, kind: 'charge', callKey: randomBytes(16) } as const;
  // It is stored already: inserting it again would fail the commit of the whole batch.
  const decision = ledger.apply(charge, laterMs);
  expect(decision.kind === 'done' && decision.payment === payment).toBe(true);
  expect(ledger.account(payer)).toMatchObject({ available: 100n, reserved: 0n, spent: 100n });
});
