import { randomBytes } from 'node:crypto';
import { charge, ledgerWith, payer, seller, startMs, sumsOf } from '../testing/ledger-fixtures';
import type { CheckedPayment, Decision, Payment } from './rules/payment';

/** A linear congruential generator (MINSTD), so that each run has the same steps. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

it.each([1, 2, 3])('Ledger balances after each of 400 mixed steps (seed %i)', (seed) => {
  const next = numbersFrom(seed);
  const ledger = ledgerWith(2_000n);
  const presented: CheckedPayment[] = [];
  const payments = new Set<Payment>();
  const outcomes = new Set<string>();
  let nowMs = startMs;

  const decide = (decision: Decision): void => {
    outcomes.add(decision.kind === 'rejected' ? decision.reason : decision.kind);
    if (decision.kind === 'done') payments.add(decision.payment);
  };
  const any = (): CheckedPayment => presented[next(presented.length)]!;
  const present = (): void => {
    const chargeAtomic = BigInt(1 + next(300));
    const kind = next(3) === 0 ? 'charge' : 'hold';
    presented.push(charge({ kind, amountAtomic: chargeAtomic, chargeAtomic, validBeforeS: 1_900_000_000n }));
    decide(ledger.apply(presented.at(-1)!, nowMs));
  };
  const capture = (): void => {
    const checked = any();
    const chargeAtomic = BigInt(next(Number(checked.chargeAtomic) + 20));
    decide(ledger.apply({ ...checked, kind: 'charge', chargeAtomic, callKey: randomBytes(16) }, nowMs));
  };
  const refund = (): void => {
    const payment = [...payments][next(payments.size)];
    if (payment) decide(ledger.void(payment, payment.callKey, nowMs));
  };
  const payOut = (): void => {
    const account = ledger.account(seller);
    account.settled += (account.earned - account.settled) / 3n;
  };
  const steps = [
    present,
    present,
    capture,
    refund,
    () => decide(ledger.apply(any(), nowMs)),
    () => ledger.cancel(ledger.account(payer), any().nonce, nowMs),
    () => ledger.sweep((nowMs += 5_000)),
    payOut,
  ];

  present();
  for (let step = 0; step < 400; step++) {
    steps[next(steps.length)]!();
    const { available, reserved, spent, earned, difference } = sumsOf(ledger);
    let held = 0n;
    for (const payment of payments) if (payment.state === 'held') held += payment.chargedAtomic;
    expect({ difference, reserved, earned }).toEqual({ difference: 0n, reserved: held, earned: spent });
    expect(available >= 0n && available + reserved + spent === 2_000n).toBe(true);
  }
  expect([...outcomes]).toEqual(
    expect.arrayContaining([
      'done',
      'duplicate_settlement',
      'insufficient_funds',
      'invalid_transaction_state',
      'payment_cancelled',
    ]),
  );
});
