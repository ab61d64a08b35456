import { randomBytes } from 'node:crypto';
import {
  charge,
  hold,
  ledgerWith,
  payer,
  decided,
  rejected,
  seller,
  session,
  startMs,
} from '../testing/ledger-fixtures';
import { newAccount } from './rules/account';
import type { Ledger } from './ledger';
import type { LedgerRecord } from './storage/ledger-batch';

const other = 'o'.repeat(32);
const policy = { maxAmountAtomic: 99n, rateLimit: 10 };

let ledger: Ledger;
beforeEach(() => {
  ledger = ledgerWith(1_000n);
});

describe('Ledger.bring', () => {
  it('loads an empty account if none is stored', () => {
    ledger.bring(other, undefined, startMs + 1);
    expect(ledger.account(other)).toEqual(newAccount(other, startMs + 1));
  });

  it('loads the stored account', () => {
    const stored = { ...newAccount(other, startMs), available: 7n };
    ledger.bring(other, stored, startMs + 1);
    expect(ledger.account(other)).toBe(stored);
  });

  it('does not replace a loaded account', () => {
    ledger.bring(payer, newAccount(payer, startMs), startMs);
    expect(ledger.account(payer).available).toBe(1_000n);
  });
});

describe('Ledger.evict', () => {
  const grant = session();

  it('unloads accounts and sessions that were last used before the given time', () => {
    ledger.bringSession(grant);
    ledger.evict(startMs);
    expect([...ledger.accounts.keys()]).toEqual([payer, seller]);
    expect([...ledger.sessions.keys()]).toEqual([grant.key]);
    ledger.account(seller).usedMs = startMs + 1;
    ledger.evict(startMs + 1);
    expect([...ledger.accounts.keys()]).toEqual([seller]);
    expect([...ledger.sessions.keys()]).toEqual([]);
  });

  it('does not unload accounts and sessions with changes to write', () => {
    ledger.bringSession(grant);
    decided(ledger, charge({ session: grant }));
    ledger.evict(startMs + 1);
    expect([...ledger.accounts.keys()]).toEqual([payer, seller]);
    expect([...ledger.sessions.keys()]).toEqual([grant.key]);
    ledger.takeBatch();
    ledger.evict(startMs + 1);
    expect(ledger.accounts.size + ledger.sessions.size).toBe(0);
  });

  it('does not unload accounts and sessions of open holds', () => {
    for (const key of ['x'.repeat(32), grant.key]) ledger.bringSession({ ...grant, key });
    ledger.bring(other, undefined, startMs);
    decided(ledger, hold({ session: grant }));
    ledger.takeBatch();
    ledger.evict(startMs + 1);
    expect([...ledger.accounts.keys()]).toEqual([payer, seller]);
    expect([...ledger.sessions.keys()]).toEqual([grant.key]);
    ledger.sweep(startMs + 30_000);
    ledger.takeBatch();
    ledger.evict(startMs + 1);
    expect(ledger.accounts.size + ledger.sessions.size).toBe(0);
  });
});

describe('Ledger open holds', () => {
  it('lists each account and session of open holds once', () => {
    const [grant, idle] = [session(), session({ key: 'x'.repeat(32) })];
    for (const each of [grant, idle]) ledger.bringSession(each);
    ledger.bring(other, undefined, startMs);
    expect([ledger.heldAccounts(), ledger.heldSessions()]).toEqual([[], []]);
    for (const checked of [
      hold(),
      hold({ session: grant }),
      hold({ session: grant, seller: other }),
      charge({ session: idle }),
    ])
      decided(ledger, checked);
    expect(ledger.heldAccounts()).toEqual([payer, seller, other]);
    expect(ledger.heldSessions()).toEqual([grant.key]);
  });
});

describe('Ledger.takeBatch', () => {
  it('contains a charge with both accounts, once', () => {
    const payment = decided(ledger, charge(), startMs + 1);
    expect(ledger.hasChanges).toBe(true);
    expect(ledger.takeBatch()).toEqual({
      payments: new Set([payment]),
      refunds: [],
      accounts: new Set([ledger.account(payer), ledger.account(seller)]),
      approvals: new Set(),
      channels: new Set(),
      sessions: new Set(),
      records: [],
      ...ledger.position,
    });
    expect(ledger.position.seq).toBe(1n);
    for (const key of [payer, seller]) expect(ledger.account(key).updatedMs).toBe(startMs + 1);
    expect(ledger.hasChanges).toBe(false);
    expect(ledger.takeBatch()).toBeUndefined();
  });

  it('contains a hold with the payer only', () => {
    const payment = decided(ledger, hold());
    expect(ledger.takeBatch()).toMatchObject({
      payments: new Set([payment]),
      accounts: new Set([ledger.account(payer)]),
      seq: 0n,
    });
  });

  it('contains records and touched accounts', () => {
    const record: LedgerRecord = { kind: 'nonce', account: payer, nonce: randomBytes(32), validBeforeS: 1n };
    ledger.record(record);
    ledger.touchAccount(ledger.account(payer), startMs + 5);
    expect(ledger.account(payer).updatedMs).toBe(startMs + 5);
    expect(ledger.takeBatch()).toMatchObject({
      accounts: new Set([ledger.account(payer)]),
      records: [record],
    });
  });
});

describe('Ledger.sweep', () => {
  it('drops nonces that can no longer be presented', () => {
    decided(ledger, charge());
    ledger.sweep(startMs + 179_999);
    expect(ledger.nonces.size).toBe(1);
    ledger.sweep(startMs + 180_000);
    expect(ledger.nonces.size).toBe(0);
  });

  it('drops approval requests that ended', () => {
    ledger.account(payer).policy = policy;
    const { approvalId } = ledger.apply(charge(), startMs) as { approvalId: Buffer };
    ledger.sweep(startMs + 299_999);
    expect(ledger.findApproval(payer, approvalId)).toBeDefined();
    ledger.sweep(startMs + 300_000);
    expect(ledger.findApproval(payer, approvalId)).toBeUndefined();
  });
});

describe('Ledger above the limit of the policy', () => {
  beforeEach(() => {
    ledger.account(payer).policy = policy;
  });

  it('writes the request, the decision and the use of an approval', () => {
    const checked = charge();
    const rejection = ledger.apply(checked, startMs) as { approvalId: Buffer };
    expect(rejection).toEqual({ ...rejected('approval_required'), approvalId: expect.any(Buffer) });
    const approval = ledger.findApproval(payer, rejection.approvalId)!;
    const only = { payments: new Set(), accounts: new Set(), approvals: new Set([approval]) };
    expect(approval.status).toBe('pending');
    expect(ledger.takeBatch()).toMatchObject(only);

    ledger.decideApproval(approval, true, startMs + 1);
    expect(approval).toMatchObject({ status: 'approved', updatedMs: startMs + 1 });
    expect(ledger.takeBatch()).toMatchObject(only);

    const payment = decided(ledger, checked, startMs + 2);
    expect(approval).toMatchObject({ status: 'used', updatedMs: startMs + 2 });
    expect(ledger.takeBatch()).toMatchObject({
      payments: new Set([payment]),
      approvals: new Set([approval]),
    });
  });

  it('writes the rejection of an approval', () => {
    const { approvalId } = ledger.apply(charge(), startMs) as { approvalId: Buffer };
    ledger.takeBatch();
    const approval = ledger.findApproval(payer, approvalId)!;
    ledger.decideApproval(approval, false, startMs + 1);
    expect(ledger.takeBatch()!.approvals).toEqual(new Set([approval]));
    expect(ledger.apply(charge(), startMs + 2)).toEqual({ ...rejected('approval_rejected'), approvalId });
    expect(ledger.hasChanges).toBe(false);
  });
});

describe('Ledger.preview', () => {
  it('allows a payment without a change', () => {
    expect(ledger.preview(charge(), startMs)).toBeUndefined();
    expect(ledger.hasChanges).toBe(false);
    expect(ledger.account(payer)).toMatchObject({ available: 1_000n, reserved: 0n });
    expect(ledger.nonces.size).toBe(0);
  });

  it('returns the reason of a rejection', () => {
    const tooMuch = charge({ chargeAtomic: 1_001n });
    expect(ledger.preview(tooMuch, startMs)).toEqual(rejected('insufficient_funds'));
  });

  it('rejects a payment that is already held or charged', () => {
    for (const checked of [hold(), charge()]) {
      ledger.apply(checked, startMs);
      expect(ledger.preview(checked, startMs)).toEqual(rejected('duplicate_settlement'));
    }
  });

  it('returns that an approval is required, and requests none', () => {
    ledger.account(payer).policy = policy;
    expect(ledger.preview(charge(), startMs)).toStrictEqual(rejected('approval_required'));
    expect(ledger.hasChanges).toBe(false);
  });
});
