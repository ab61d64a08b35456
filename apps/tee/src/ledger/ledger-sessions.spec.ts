import {
  captureOf,
  charge,
  HashChain,
  hold,
  ledgerWith,
  decided,
  rejected,
  session,
  startMs,
  sums,
  sumsOf,
} from '../testing/ledger-fixtures';
import type { Ledger } from './ledger';
import type { CheckedPayment, Payment } from './rules/payment';
import type { Session } from './rules/sessions';

let ledger: Ledger;
beforeEach(() => {
  ledger = ledgerWith(2_000n);
});

const loaded = ({ key }: Session): Session => ledger.sessions.get(key)!;

describe('Ledger.bringSession', () => {
  it('loads a copy with separate memory', () => {
    const presented = session({ link: Buffer.alloc(32, 1) });
    const { nonce, link } = presented;
    ledger.bringSession(presented);
    expect(loaded(presented)).toEqual(presented);
    expect(loaded(presented)).not.toBe(presented);
    expect(loaded(presented).nonce).not.toBe(nonce);
    expect(loaded(presented).link).not.toBe(link);
  });

  it('loads a session without a hash chain', () => {
    const presented = session();
    ledger.bringSession(presented);
    expect(loaded(presented)).toStrictEqual(presented);
  });

  it('does not replace a loaded session', () => {
    const presented = session();
    ledger.bringSession(presented);
    ledger.bringSession({ ...presented, spentAtomic: 7n });
    expect(loaded(presented).spentAtomic).toBe(0n);
  });
});

describe('Ledger under a session grant', () => {
  let grant: Session;
  beforeEach(() => {
    grant = session();
    ledger.bringSession(grant);
  });

  const spent = (): bigint => loaded(grant).spentAtomic;

  it('counts charges and holds, and writes the session', () => {
    const payment = decided(ledger, charge({ session: grant }));
    expect(payment.session).toBe(grant.key);
    expect(spent()).toBe(100n);
    expect(ledger.takeBatch()!.sessions).toEqual(new Set([loaded(grant)]));
    decided(ledger, hold({ session: grant, chargeAtomic: 30n }));
    expect(spent()).toBe(130n);
    expect(ledger.takeBatch()!.sessions).toEqual(new Set([loaded(grant)]));
    expect(sumsOf(ledger)).toEqual(sums({ available: 1_870n, reserved: 30n, spent: 100n, earned: 100n }));
  });

  it('does not count payments without the grant', () => {
    decided(ledger, charge());
    expect(spent()).toBe(0n);
    expect(ledger.takeBatch()!.sessions.size).toBe(0);
  });

  it('rejects a payment above the total, and accepts exactly the total', () => {
    decided(ledger, charge({ session: grant, chargeAtomic: 900n }));
    expect(ledger.apply(charge({ session: grant, chargeAtomic: 101n }), startMs)).toEqual(
      rejected('invalid_ton_nanopay_session'),
    );
    expect(spent()).toBe(900n);
    decided(ledger, charge({ session: grant, chargeAtomic: 100n }));
    expect(spent()).toBe(1_000n);
  });

  it('releases the remainder of a hold that captures less', () => {
    const checked = hold({ session: grant });
    decided(ledger, checked);
    decided(ledger, captureOf(checked, 40n));
    expect(spent()).toBe(40n);
  });

  it('releases a hold from the spent amount', () => {
    const checked = hold({ session: grant });
    decided(ledger, checked);
    decided(ledger, captureOf(checked, 0n));
    expect(spent()).toBe(0n);
  });

  it('releases an expired hold from the spent amount', () => {
    decided(ledger, hold({ session: grant }));
    decided(ledger, charge({ session: grant, chargeAtomic: 30n }));
    ledger.sweep(startMs + 30_000);
    expect(spent()).toBe(30n);
  });

  it('deducts a refunded charge from the spent amount, and writes the session', () => {
    const payment = decided(ledger, charge({ session: grant }));
    decided(ledger, charge({ session: grant, chargeAtomic: 30n }));
    ledger.takeBatch();
    ledger.void(payment, payment.callKey, startMs);
    expect(spent()).toBe(30n);
    expect(ledger.takeBatch()!.sessions).toEqual(new Set([loaded(grant)]));
  });

  it('throws for a session that is not loaded', () => {
    const other = session({ key: 'x'.repeat(32) });
    expect(() => ledger.apply(charge({ session: other }), startMs)).toThrow('session not loaded');
  });
});

describe('Ledger under a hash chain', () => {
  let chain: HashChain;
  beforeEach(() => {
    chain = new HashChain();
    ledger.bringSession(chain.session);
  });

  const expectChain = (index: number): void => {
    expect(loaded(chain.session).spentAtomic).toBe(BigInt(index) * 10n);
    expect(loaded(chain.session).link).toEqual(chain.link(index));
  };

  it('charges the value of the links, and stores the last link', () => {
    const checked = chain.charge(3, 30n);
    const payment = decided(ledger, checked);
    expect(payment.link).toBe(checked.step!.link);
    expectChain(3);
    expect(loaded(chain.session).link).not.toBe(checked.step!.link);
    expect(ledger.takeBatch()!.sessions).toEqual(new Set([loaded(chain.session)]));
    decided(ledger, chain.charge(5, 20n));
    expectChain(5);
    expect(sumsOf(ledger)).toEqual(sums({ available: 1_950n, spent: 50n, earned: 50n }));
  });

  it.each(['apply', 'preview'] as const)('%s rejects a link of another chain', (method) => {
    const step = new HashChain().step(3);
    expect(ledger[method](chain.charge(3, 30n, { step }), startMs)).toEqual(
      rejected('invalid_ton_nanopay_hash_chain'),
    );
    expectChain(0);
    expect(ledger.hasChanges).toBe(false);
  });

  it('previews the next link without changing the session', () => {
    expect(ledger.preview(chain.charge(3, 30n), startMs)).toBeUndefined();
    expectChain(0);
    expect(ledger.hasChanges).toBe(false);
  });

  it.each(['apply', 'preview'] as const)('%s rejects an older link in another payment', (method) => {
    decided(ledger, chain.charge(5, 50n));
    expect(ledger[method](chain.charge(4, 40n), startMs)).toEqual(rejected('duplicate_settlement'));
    expectChain(5);
  });

  it('does not make the links of a refund payable again', () => {
    const payment = decided(ledger, chain.charge(3, 30n));
    ledger.takeBatch();
    ledger.void(payment, payment.callKey, startMs);
    expectChain(3);
    expect(ledger.takeBatch()!.sessions.size).toBe(0);
    expect(sumsOf(ledger)).toEqual(sums({ available: 2_000n }));
  });

  it('does not make the links of a hold that captures less payable again', () => {
    const checked = chain.charge(3, 30n, { kind: 'hold' });
    decided(ledger, checked);
    decided(ledger, captureOf(checked, 10n));
    expectChain(3);
    expect(sumsOf(ledger)).toEqual(sums({ available: 1_990n, spent: 10n, earned: 10n }));
  });

  it('does not make the links of a released hold payable again', () => {
    const checked = chain.charge(3, 30n, { kind: 'hold' });
    decided(ledger, checked);
    decided(ledger, captureOf(checked, 0n));
    expectChain(3);
    expect(sumsOf(ledger)).toEqual(sums({ available: 2_000n }));
  });

  describe('when the chain is far ahead', () => {
    let checked: CheckedPayment;
    let payment: Payment;
    beforeEach(() => {
      checked = chain.charge(1, 10n);
      payment = decided(ledger, checked);
      decided(ledger, chain.charge(41, 400n));
      decided(ledger, chain.charge(81, 400n));
    });

    it('replays a payment in memory for the same call', () => {
      expect(decided(ledger, checked)).toBe(payment);
    });

    it('rejects the same payment with another link', () => {
      expect(ledger.apply({ ...checked, step: chain.step(2) }, startMs)).toEqual(
        rejected('invalid_ton_nanopay_hash_chain'),
      );
    });

    it('replays a committed payment for the same call', () => {
      for (const each of ledger.takeBatch()!.payments) ledger.written(each);
      expect(ledger.apply(checked, startMs)).toEqual({
        kind: 'repeat',
        confirmationId: checked.confirmationId,
      });
    });

    it('rejects a link that is too old to verify in another payment', () => {
      expect(ledger.apply(chain.charge(1, 10n), startMs)).toEqual(rejected('invalid_ton_nanopay_hash_chain'));
    });
  });

  it('captures a hold that was loaded without its link', () => {
    const checked = chain.charge(3, 30n, { kind: 'hold' });
    const payment = decided(ledger, checked);
    payment.link = undefined;
    expect(ledger.apply({ ...captureOf(checked, 30n), step: new HashChain().step(3) }, startMs)).toEqual(
      rejected('invalid_ton_nanopay_hash_chain'),
    );
    expect(decided(ledger, captureOf(checked, 30n))).toBe(payment);
    expectChain(3);
    expect(sumsOf(ledger)).toEqual(sums({ available: 1_970n, spent: 30n, earned: 30n }));
  });
});
