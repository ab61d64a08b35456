import { randomBytes } from 'node:crypto';
import type { AccountKey } from './account';
import type { CheckedPayment } from './ledger';

export type ApprovalStatus = 'pending' | 'approved' | 'rejected' | 'used' | 'expired';

/** A payment above its owner's limit, which waits for him. Times are Unix milliseconds. */
export interface ApprovalTerms {
  /** 16 bytes. */
  id: Buffer;
  payer: AccountKey;
  seller: AccountKey;
  amountAtomic: bigint;
  resourceHash: Buffer;
  status: ApprovalStatus;
  createdMs: number;
  /** Of the question, and once approved of the grant. */
  expiresMs: number;
  updatedMs: number;
}

type Verdict = 'granted' | 'waiting' | 'rejected' | 'full';

/** How long an owner has to decide, and a buyer to come back with what was approved. */
export const approvalLifeMs = 5 * 60_000;
export const grantLifeMs = 10 * 60_000;
// A person cannot look at more; whoever asks so often is refused instead.
const maxPendingPerPayer = 100;

/** Questions to owners that are open, and answers that are not used up. */
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

  /** Uses up a grant that covers the payment; otherwise puts the question, or repeats it. */
  ask(payment: CheckedPayment, nowMs: number): { approval: ApprovalTerms; isNew: boolean; verdict: Verdict } {
    const { payer, seller, resourceHash, chargeAtomic } = payment;
    const known = this.known(payment, nowMs);
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

  /** What an owner was asked or has said about such a payment. */
  known(
    { payer, seller, resourceHash, chargeAtomic }: CheckedPayment,
    nowMs: number,
  ): { approval: ApprovalTerms; verdict: Exclude<Verdict, 'full'> } | undefined {
    const same = this.openOf(payer, nowMs).filter(
      (each) => each.seller === seller && each.resourceHash.equals(resourceHash),
    );
    const grant = same.find(
      ({ status, amountAtomic }) => status === 'approved' && amountAtomic >= chargeAtomic,
    );
    if (grant) return { approval: grant, verdict: 'granted' };
    const asked = same.find(({ amountAtomic }) => amountAtomic === chargeAtomic);
    return asked && { approval: asked, verdict: asked.status === 'rejected' ? 'rejected' : 'waiting' };
  }

  /** An owner's answer. An approved payment may be made once, within ten minutes. */
  decide(approval: ApprovalTerms, isApproved: boolean, nowMs: number): void {
    this.change(approval, isApproved ? 'approved' : 'rejected', nowMs);
    if (isApproved) approval.expiresMs = nowMs + grantLifeMs;
  }

  /** What has run out meanwhile. */
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
