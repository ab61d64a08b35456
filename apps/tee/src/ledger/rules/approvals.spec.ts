import { randomBytes } from 'node:crypto';
import { charge, payer, seller, startMs } from '../../testing/ledger-fixtures';
import { Approvals, approvalLifeMs, grantLifeMs, type ApprovalTerms } from './approvals';

const other = 'o'.repeat(32);
const endMs = startMs + 300_000;

function requested(approvals: Approvals, chargeAtomic = 100n, nowMs = startMs): ApprovalTerms {
  return approvals.useOrRequest(charge({ chargeAtomic }), nowMs).approval;
}

function approved(approvals: Approvals, chargeAtomic = 100n): ApprovalTerms {
  const approval = requested(approvals, chargeAtomic);
  approvals.decide(approval, true, startMs);
  return approval;
}

describe('Approvals', () => {
  let approvals: Approvals;
  beforeEach(() => {
    approvals = new Approvals();
  });

  it('allows the owner five minutes and the buyer ten', () => {
    expect([approvalLifeMs, grantLifeMs]).toEqual([300_000, 600_000]);
  });

  it('requests an approval of exactly the payment, for five minutes', () => {
    const resourceHash = randomBytes(32);
    expect(approvals.useOrRequest(charge({ resourceHash, chargeAtomic: 99n }), startMs)).toEqual({
      isNew: true,
      verdict: 'waiting',
      approval: {
        id: expect.any(Buffer),
        payer,
        seller,
        amountAtomic: 99n,
        resourceHash,
        status: 'pending',
        createdMs: startMs,
        expiresMs: endMs,
        updatedMs: startMs,
      },
    });
  });

  it('assigns each request an id of 16 bytes', () => {
    const [first, second] = [requested(approvals, 1n), requested(approvals, 2n)];
    expect(first.id).toHaveLength(16);
    expect(second.id.equals(first.id)).toBe(false);
  });

  it('returns the pending request when the same payment is presented again', () => {
    const approval = requested(approvals);
    const again = approvals.useOrRequest(charge(), startMs + 1);
    expect(again).toEqual({ approval, isNew: false, verdict: 'waiting' });
    expect(again.approval).toBe(approval);
    expect(approval).toMatchObject({ status: 'pending', updatedMs: startMs });
  });

  it('finds requests by payer and id', () => {
    const [first, second] = [requested(approvals, 1n), requested(approvals, 2n)];
    expect(approvals.find(payer, first.id)).toBe(first);
    expect(approvals.find(payer, second.id)).toBe(second);
    expect(approvals.find(payer, randomBytes(16))).toBeUndefined();
    expect(approvals.find(other, first.id)).toBeUndefined();
  });

  it('finds a restored request', () => {
    const approval = requested(approvals);
    const reloaded = new Approvals();
    reloaded.restore(approval);
    expect(reloaded.find(payer, approval.id)).toBe(approval);
    expect(reloaded.findFor(charge(), startMs)).toEqual({ approval, verdict: 'waiting' });
  });

  describe('once the owner decided', () => {
    it('grants the payment for ten minutes', () => {
      const approval = requested(approvals);
      approvals.decide(approval, true, startMs + 1_000);
      expect(approval).toMatchObject({
        status: 'approved',
        createdMs: startMs,
        updatedMs: startMs + 1_000,
        expiresMs: startMs + 601_000,
      });
      expect(approvals.findFor(charge(), startMs + 600_999)).toEqual({ approval, verdict: 'granted' });
      expect(approvals.findFor(charge(), startMs + 601_000)).toBeUndefined();
    });

    it('rejects the payment until the request expires', () => {
      const approval = requested(approvals);
      approvals.decide(approval, false, startMs + 1_000);
      expect(approval).toMatchObject({ status: 'rejected', updatedMs: startMs + 1_000, expiresMs: endMs });
      expect(approvals.useOrRequest(charge(), endMs - 1)).toEqual({
        approval,
        isNew: false,
        verdict: 'rejected',
      });
      expect(approval).toMatchObject({ status: 'rejected', updatedMs: startMs + 1_000 });
      expect(approvals.useOrRequest(charge(), endMs)).toMatchObject({ isNew: true, verdict: 'waiting' });
    });

    it('uses a grant once', () => {
      const approval = approved(approvals);
      const used = approvals.useOrRequest(charge(), startMs + 2_000);
      expect(used).toEqual({ approval, isNew: false, verdict: 'granted' });
      expect(approval).toMatchObject({ status: 'used', updatedMs: startMs + 2_000 });
      expect(approvals.findFor(charge(), startMs + 2_000)).toBeUndefined();
      const next = approvals.useOrRequest(charge(), startMs + 2_000);
      expect(next).toMatchObject({ isNew: true, verdict: 'waiting' });
      expect(next.approval).not.toBe(approval);
    });

    it('does not use a grant by a lookup', () => {
      const approval = approved(approvals);
      approvals.findFor(charge(), startMs);
      expect(approval.status).toBe('approved');
      expect(approvals.find(payer, approval.id)).toBe(approval);
    });

    it.each([
      [1n, 'granted'],
      [99n, 'granted'],
      [100n, 'granted'],
      [101n, undefined],
    ])('returns for a payment of %p under a grant of 100: %p', (chargeAtomic, verdict) => {
      approved(approvals);
      expect(approvals.findFor(charge({ chargeAtomic }), startMs)?.verdict).toBe(verdict);
    });

    it('prefers a grant to a pending request of the same amount', () => {
      requested(approvals, 90n);
      const grant = approved(approvals);
      expect(approvals.findFor(charge({ chargeAtomic: 90n }), startMs)).toEqual({
        approval: grant,
        verdict: 'granted',
      });
    });
  });

  it.each([99n, 101n])('does not match a payment of %p with a pending request of 100', (chargeAtomic) => {
    requested(approvals);
    expect(approvals.findFor(charge({ chargeAtomic }), startMs)).toBeUndefined();
  });

  it.each([99n, 101n])('does not match a payment of %p with a rejected request of 100', (chargeAtomic) => {
    approvals.decide(requested(approvals), false, startMs);
    expect(approvals.findFor(charge({ chargeAtomic }), startMs)).toBeUndefined();
  });

  it.each([
    ['payer', { payer: other }],
    ['seller', { seller: other }],
    ['resource', { resourceHash: Buffer.alloc(32, 1) }],
  ])('does not grant a payment of another %s', (_field, changes) => {
    approved(approvals);
    expect(approvals.findFor(charge(changes), startMs)).toBeUndefined();
    expect(approvals.useOrRequest(charge(changes), startMs)).toMatchObject({
      isNew: true,
      verdict: 'waiting',
    });
  });

  it('drops a pending request after five minutes', () => {
    const approval = requested(approvals);
    expect(approvals.findFor(charge(), endMs - 1)).toEqual({ approval, verdict: 'waiting' });
    expect(approvals.findFor(charge(), endMs)).toBeUndefined();
    expect(approvals.find(payer, approval.id)).toBeUndefined();
  });

  describe('with 100 open requests of the payer', () => {
    beforeEach(() => {
      for (let amount = 1n; amount <= 99n; amount++) requested(approvals, amount, startMs + 1);
    });

    it('accepts request number 100, and reports the next as full', () => {
      expect(approvals.useOrRequest(charge({ chargeAtomic: 100n }), startMs + 1)).toMatchObject({
        isNew: true,
        verdict: 'waiting',
      });
      const full = approvals.useOrRequest(charge({ chargeAtomic: 101n }), startMs + 1);
      expect(full).toMatchObject({ isNew: false, verdict: 'full' });
      expect(approvals.find(payer, full.approval.id)).toBeUndefined();
    });

    it('accepts another request when the oldest expires', () => {
      requested(approvals, 100n, startMs);
      const nextAt = (nowMs: number) => approvals.useOrRequest(charge({ chargeAtomic: 101n }), nowMs);
      expect(nextAt(endMs - 1).verdict).toBe('full');
      expect(nextAt(endMs)).toMatchObject({ isNew: true, verdict: 'waiting' });
    });

    it('accepts another request when a grant is used', () => {
      approved(approvals);
      expect(approvals.useOrRequest(charge({ chargeAtomic: 101n }), startMs).verdict).toBe('full');
      expect(approvals.useOrRequest(charge(), startMs).verdict).toBe('granted');
      expect(approvals.useOrRequest(charge({ chargeAtomic: 101n }), startMs).verdict).toBe('waiting');
    });

    it('accepts requests of other payers', () => {
      requested(approvals, 100n);
      expect(approvals.useOrRequest(charge({ payer: other }), startMs).verdict).toBe('waiting');
    });
  });

  describe('sweep', () => {
    it('drops a request exactly at its end', () => {
      const approval = requested(approvals);
      approvals.sweep(endMs - 1);
      expect(approvals.find(payer, approval.id)).toBe(approval);
      approvals.sweep(endMs);
      expect(approvals.find(payer, approval.id)).toBeUndefined();
    });

    it('drops only the requests that ended', () => {
      const [first, second] = [requested(approvals, 1n), requested(approvals, 2n, startMs + 1)];
      approvals.sweep(endMs);
      expect(approvals.find(payer, first.id)).toBeUndefined();
      expect(approvals.find(payer, second.id)).toBe(second);
    });

    it('drops used grants', () => {
      const [grant, waiting] = [approved(approvals), requested(approvals, 101n)];
      approvals.useOrRequest(charge(), startMs);
      approvals.sweep(startMs);
      expect(approvals.find(payer, grant.id)).toBeUndefined();
      expect(approvals.find(payer, waiting.id)).toBe(waiting);
    });
  });
});
