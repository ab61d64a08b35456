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

it('lets no hold go by what was read of it before it was charged: the money would be that of another hold', () => {
  const ledger = ledgerWith(200n);
  const [first, second] = [hold(), hold()];
  const read = { ...decided(ledger, first) };
  decided(ledger, second);
  decided(ledger, { ...first, kind: 'charge' });
  expect(() => ledger.void(read, first.callKey, nowMs)).toThrow();
  expect(ledger.account(payer)).toMatchObject({ available: 0n, reserved: 100n, spent: 100n });
});

it('answers the charge of a hold again while only the hold has been written', () => {
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

it('keeps no more than the name of what the record says is done', () => {
  const ledger = ledgerWith(200n);
  const checked = hold();
  const payment = decided(ledger, { ...checked, kind: 'charge' });
  const anew = ledgerWith(0n);
  anew.restore({ ...payment, receipt: undefined });
  // Its receipt is not here: who repeats the call is answered from the record.
  expect(anew.apply({ ...checked, kind: 'charge' }, nowMs)).toEqual({
    kind: 'repeat',
    confirmationId: checked.confirmationId,
  });
});

it('knows a hold that is charged in the last moment, though its time is over when its signature has been checked', () => {
  const ledger = ledgerWith(200n);
  const checked = hold({ validBeforeS: 1_800_000_059n });
  const payment = decided(ledger, checked);
  const laterMs = nowMs + 66_000;
  payment.holdUntilMs = laterMs + 1;
  ledger.sweep(laterMs);
  const charge = { ...checked, kind: 'charge', callKey: randomBytes(16) } as const;
  // The record has it: as a payment of its own it would spoil the commit of everybody.
  const decision = ledger.apply(charge, laterMs);
  expect(decision.kind === 'done' && decision.payment === payment).toBe(true);
  expect(ledger.account(payer)).toMatchObject({ available: 100n, reserved: 0n, spent: 100n });
});
