import { randomBytes } from 'node:crypto';
import { charge, HashChain, payer, rejected, session, startMs } from '../../testing/ledger-fixtures';
import { newAccount, type Account } from './account';
import { Approvals, type ApprovalTerms } from './approvals';
import { ChargeRules, isCancelled } from './charge-rules';
import type { CheckedPayment } from './payment';
import { PaymentRates } from './payment-rates';
import type { Session } from './sessions';

const policy = { maxAmountAtomic: 99n, rateLimit: 1_000 };

let account: Account;
let sessions: Map<string, Session>;
let rates: PaymentRates;
let approvals: Approvals;
/** Approvals that the rules have reported as changed. */
let changed: ApprovalTerms[];
let rules: ChargeRules;

beforeEach(() => {
  account = { ...newAccount(payer, startMs), deposited: 1_000n, available: 1_000n };
  sessions = new Map();
  rates = new PaymentRates();
  approvals = new Approvals();
  changed = [];
  rules = new ChargeRules(sessions, rates, approvals, (approval) => changed.push(approval));
});

function loaded(changes: Partial<Session> = {}): Session {
  const grant = session(changes);
  sessions.set(grant.key, grant);
  return grant;
}

const cancel = (nonce: Buffer): void => {
  account.cancelled = new Set([nonce.toString('latin1')]);
};

describe('isCancelled', () => {
  const nonce = randomBytes(32);

  it('returns false for an account without cancellations', () => {
    expect(isCancelled(account, nonce)).toBe(false);
  });

  it('returns true only for the nonces of the account', () => {
    cancel(nonce);
    expect(isCancelled(account, nonce)).toBe(true);
    expect(isCancelled(account, randomBytes(32))).toBe(false);
  });
});

describe.each(['check', 'preview'] as const)('ChargeRules.%s', (method) => {
  const decide = (checked: CheckedPayment, nowMs = startMs) => rules[method](checked, account, nowMs);

  afterEach(() => expect(changed).toEqual([]));

  it('allows a payment of the whole available balance', () => {
    account.available = 100n;
    expect(decide(charge())).toBeUndefined();
  });

  it('rejects a payment of one unit more than the available balance', () => {
    account.available = 99n;
    account.reserved = 901n;
    expect(decide(charge())).toEqual(rejected('insufficient_funds'));
  });

  it('rejects a cancelled payment', () => {
    const checked = charge();
    cancel(checked.nonce);
    expect(decide(checked)).toEqual(rejected('payment_cancelled'));
    expect(decide(charge())).toBeUndefined();
  });

  it('rejects a payment under a cancelled grant', () => {
    const checked = charge({ session: loaded() });
    cancel(checked.session!.nonce);
    expect(decide(checked)).toEqual(rejected('payment_cancelled'));
  });

  it('allows a payment under a grant while other grants are cancelled', () => {
    const checked = charge({ session: loaded() });
    cancel(randomBytes(32));
    expect(decide(checked)).toBeUndefined();
  });

  it('allows payments up to the total of the grant', () => {
    const checked = charge({ session: loaded({ spentAtomic: 40n, maxTotalAtomic: 140n }) });
    expect(decide(checked)).toBeUndefined();
  });

  it('rejects a payment that exceeds the total of the grant by one unit', () => {
    const checked = charge({ session: loaded({ spentAtomic: 41n, maxTotalAtomic: 140n }) });
    expect(decide(checked)).toEqual(rejected('invalid_ton_nanopay_session'));
  });

  it('uses the spent amount of the loaded session instead of that of the request', () => {
    const presented = session({ spentAtomic: 0n, maxTotalAtomic: 140n });
    loaded({ ...presented, spentAtomic: 41n });
    expect(decide(charge({ session: presented }))).toEqual(rejected('invalid_ton_nanopay_session'));
  });

  it('throws for a session that is not loaded', () => {
    expect(() => decide(charge({ session: session() }))).toThrow('session not loaded');
  });

  describe('for a hash chain with 30 spent', () => {
    let chain: HashChain;
    beforeEach(() => {
      chain = new HashChain();
      loaded({ ...chain.session, spentAtomic: 30n });
    });

    it('allows the value of the links since the last one', () => {
      expect(decide(chain.charge(5, 20n))).toBeUndefined();
    });

    it.each([19n, 21n])('rejects %p for two links worth 10 each', (chargeAtomic) => {
      expect(decide(chain.charge(5, chargeAtomic))).toEqual(rejected('invalid_ton_nanopay_amount_mismatch'));
    });

    it('rejects a link that has already paid', () => {
      expect(decide(chain.charge(3, 10n))).toEqual(rejected('duplicate_settlement'));
    });
  });

  describe('under a rate limit of one payment a minute', () => {
    beforeEach(() => {
      account.policy = { maxAmountAtomic: 100n, rateLimit: 1 };
    });

    it('allows the first payment', () => {
      expect(decide(charge())).toBeUndefined();
    });

    it('rejects the second payment, with the seconds until the first is a minute old', () => {
      rates.count(account, startMs);
      expect(decide(charge())).toEqual(rejected('rate_limited', 60));
      expect(decide(charge(), startMs + 10_001)).toEqual(rejected('rate_limited', 50));
      expect(decide(charge(), startMs + 59_999)).toEqual(rejected('rate_limited', 1));
      expect(decide(charge(), startMs + 60_000)).toBeUndefined();
    });
  });

  it('allows a payment of exactly the limit of the policy', () => {
    account.policy = { ...policy, maxAmountAtomic: 100n };
    expect(decide(charge())).toBeUndefined();
  });

  it('allows a payment of any amount without a policy', () => {
    account.available = 10n ** 30n;
    expect(decide(charge({ chargeAtomic: 10n ** 30n }))).toBeUndefined();
  });

  it('rejects for other reasons before an approval is considered', () => {
    account.policy = policy;
    account.available = 99n;
    expect(decide(charge())).toEqual(rejected('insufficient_funds'));
    expect(approvals.findFor(charge(), startMs)).toBeUndefined();
  });

  it('returns the first of several reasons', () => {
    const chain = new HashChain();
    loaded({ ...chain.session, maxTotalAtomic: 50n });
    account.available = 0n;
    account.policy = { maxAmountAtomic: 0n, rateLimit: 0 };
    const checked = chain.charge(6, 60n);
    const mismatch = chain.charge(6, 61n);
    cancel(checked.nonce);
    expect(decide(checked)).toEqual(rejected('payment_cancelled'));
    expect(decide(mismatch)).toEqual(rejected('invalid_ton_nanopay_amount_mismatch'));
    account.cancelled = undefined;
    expect(decide(checked)).toEqual(rejected('invalid_ton_nanopay_session'));
    expect(decide(chain.charge(5, 50n))).toEqual(rejected('insufficient_funds'));
    account.available = 50n;
    expect(decide(chain.charge(5, 50n))).toEqual(rejected('rate_limited', 60));
  });
});

describe('ChargeRules.check above the limit of the policy', () => {
  beforeEach(() => {
    account.policy = policy;
  });

  const check = (chargeAtomic = 100n, nowMs = startMs) =>
    rules.check(charge({ chargeAtomic }), account, nowMs);

  it('requests an approval once', () => {
    const rejection = check();
    expect(changed).toHaveLength(1);
    const [approval] = changed as [ApprovalTerms];
    expect(approval).toMatchObject({ payer, amountAtomic: 100n, status: 'pending' });
    expect(rejection).toEqual({ ...rejected('approval_required'), approvalId: approval.id });
    expect(check()).toEqual(rejection);
    expect(changed).toEqual([approval]);
  });

  it('allows the approved payment once', () => {
    check();
    const [approval] = changed as [ApprovalTerms];
    approvals.decide(approval, true, startMs);
    expect(check(100n, startMs + 1)).toBeUndefined();
    expect(changed).toEqual([approval, approval]);
    expect(approval).toMatchObject({ status: 'used', updatedMs: startMs + 1 });
    expect(check(100n, startMs + 2)).toMatchObject({ reason: 'approval_required' });
    expect(changed).toHaveLength(3);
  });

  it('rejects the payment that the owner rejected', () => {
    check();
    const [approval] = changed as [ApprovalTerms];
    approvals.decide(approval, false, startMs);
    expect(check()).toEqual({ ...rejected('approval_rejected'), approvalId: approval.id });
    expect(changed).toEqual([approval]);
  });

  it('rejects payments beyond 100 open requests as rate limited, for a minute', () => {
    for (let amount = 100n; amount < 200n; amount++) check(amount);
    expect(changed).toHaveLength(100);
    expect(check(200n)).toEqual(rejected('rate_limited', 60));
    expect(changed).toHaveLength(100);
  });
});

describe('ChargeRules.preview above the limit of the policy', () => {
  beforeEach(() => {
    account.policy = policy;
  });
  afterEach(() => expect(changed).toEqual([]));

  const preview = (nowMs = startMs) => rules.preview(charge(), account, nowMs);
  const requested = (): ApprovalTerms => approvals.useOrRequest(charge(), startMs).approval;

  it('returns that an approval is required, and requests none', () => {
    expect(preview()).toStrictEqual(rejected('approval_required'));
    expect(approvals.findFor(charge(), startMs)).toBeUndefined();
  });

  it('returns the id of the pending request', () => {
    const { id } = requested();
    expect(preview()).toEqual({ ...rejected('approval_required'), approvalId: id });
  });

  it('allows a granted payment and does not use the grant', () => {
    const approval = requested();
    approvals.decide(approval, true, startMs);
    expect(preview()).toBeUndefined();
    expect(approval.status).toBe('approved');
    expect(preview(startMs + 600_000)).toStrictEqual(rejected('approval_required'));
  });

  it('returns the id of the rejected request', () => {
    const approval = requested();
    approvals.decide(approval, false, startMs);
    expect(preview()).toEqual({ ...rejected('approval_rejected'), approvalId: approval.id });
  });
});
