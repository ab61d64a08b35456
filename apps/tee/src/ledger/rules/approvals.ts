import { randomBytes } from 'node:crypto';
import type { AccountKey } from './account';
import type { CheckedPayment } from './payment';

export type ApprovalStatus = 'pending' | 'approved' | 'rejected' | 'used' | 'expired';

/** A payment above the owner's limit that needs the owner's approval. Times are Unix milliseconds. */
export interface ApprovalTerms {
  /** 16 bytes. */
  id: Buffer;
  payer: AccountKey;
  seller: AccountKey;
  amountAtomic: bigint;
  resourceHash: Buffer;
  status: ApprovalStatus;
  createdMs: number;
  /** End of the request. After approval, end of the grant. */
  expiresMs: number;
  updatedMs: number;
}

type ApprovalVerdict = 'granted' | 'waiting' | 'rejected' | 'full';

/** The time for the owner to decide, and the time for the buyer to use an approval. */
export const approvalLifeMs = 5 * 60_000;
export const grantLifeMs = 10 * 60_000;
// A person cannot review more. Further payments are rejected as rate limited.
const maxPendingPerPayer = 100;

/** Pending approval requests, and unused decisions. */
export class Approvals {
  private readonly open = new Map<AccountKey, ApprovalTerms[]>();

  restore(approval: ApprovalTerms): void {
    const list = this.open.get(approval.payer);
    if (list) list.push(approval);
    else this.open.set(approval.payer, [approval]);
  }

  find(payer: AccountKey, id: Buffer): ApprovalTerms | undefined {
    return this.open.get(payer)?.find((approval) => approval.id.equals(id));
  }

  /** Uses a grant that covers the payment, or returns the pending request, or creates one. */
  useOrRequest(
    payment: CheckedPayment,
    nowMs: number,
  ): { approval: ApprovalTerms; isNew: boolean; verdict: ApprovalVerdict } {
    const { payer, seller, resourceHash, chargeAtomic } = payment;
    const known = this.findFor(payment, nowMs);
    if (known?.verdict === 'granted') this.change(known.approval, 'used', nowMs);
    if (known) return { ...known, isNew: false };
    const approval: ApprovalTerms = {
      id: randomBytes(16),
      payer,
      seller,
      amountAtomic: chargeAtomic,
      resourceHash,
      status: 'pending',
      createdMs: nowMs,
      expiresMs: nowMs + approvalLifeMs,
      updatedMs: nowMs,
    };
    if (this.openOf(payer, nowMs).length >= maxPendingPerPayer)
      return { approval, isNew: false, verdict: 'full' };
    this.restore(approval);
    return { approval, isNew: true, verdict: 'waiting' };
  }

  /** Returns the request or decision for such a payment. */
  findFor(
    { payer, seller, resourceHash, chargeAtomic }: CheckedPayment,
    nowMs: number,
  ): { approval: ApprovalTerms; verdict: Exclude<ApprovalVerdict, 'full'> } | undefined {
    const same = this.openOf(payer, nowMs).filter(
      (each) => each.seller === seller && each.resourceHash.equals(resourceHash),
    );
    const grant = same.find(
      ({ status, amountAtomic }) => status === 'approved' && amountAtomic >= chargeAtomic,
    );
    if (grant) return { approval: grant, verdict: 'granted' };
    const requested = same.find(({ amountAtomic }) => amountAtomic === chargeAtomic);
    return (
      requested && { approval: requested, verdict: requested.status === 'rejected' ? 'rejected' : 'waiting' }
    );
  }

  /** Stores the owner's decision. An approved payment may be made once, within ten minutes. */
  decide(approval: ApprovalTerms, isApproved: boolean, nowMs: number): void {
    this.change(approval, isApproved ? 'approved' : 'rejected', nowMs);
    if (isApproved) approval.expiresMs = nowMs + grantLifeMs;
  }

  /** Drops expired requests and grants. */
  sweep(nowMs: number): void {
    for (const payer of this.open.keys()) this.openOf(payer, nowMs);
  }

  private openOf(payer: AccountKey, nowMs: number): ApprovalTerms[] {
    const all = this.open.get(payer);
    if (!all) return [];
    const left = all.filter(({ expiresMs, status }) => expiresMs > nowMs && status !== 'used');
    if (left.length === 0) this.open.delete(payer);
    else if (left.length < all.length) this.open.set(payer, left);
    return left;
  }

  private change(approval: ApprovalTerms, status: ApprovalStatus, nowMs: number): void {
    approval.status = status;
    approval.updatedMs = nowMs;
  }
}
