import type { Account } from './account';
import type { ApprovalTerms, Approvals } from './approvals';
import { checkStep } from './hash-chain-step';
import type { CheckedPayment, RejectedDecision } from './payment';
import type { PaymentRates } from './payment-rates';
import { needsApproval, reject } from './rejections';
import { loadedSession, type Session, type SessionKey } from './sessions';

export const isCancelled = ({ cancelled }: Account, nonce: Buffer): boolean =>
  cancelled !== undefined && cancelled.has(nonce.toString('latin1'));

const isAboveLimit = ({ chargeAtomic }: CheckedPayment, { policy }: Account): boolean =>
  policy !== undefined && chargeAtomic > policy.maxAmountAtomic;

/** The limits of a charge: balance, session, cancellations, rate, and the payer's policy. */
export class ChargeRules {
  constructor(
    private readonly sessions: ReadonlyMap<SessionKey, Session>,
    private readonly rates: PaymentRates,
    private readonly approvals: Approvals,
    private readonly changed: (approval: ApprovalTerms) => void,
  ) {}

  /** Returns the reason why a charge would be rejected now. Requests no approval. */
  preview(checked: CheckedPayment, payer: Account, nowMs: number): RejectedDecision | undefined {
    const rejection = this.checkLimits(checked, payer, nowMs);
    if (rejection || !isAboveLimit(checked, payer)) return rejection;
    const known = this.approvals.findFor(checked, nowMs);
    return known?.verdict === 'granted'
      ? undefined
      : needsApproval(known?.verdict === 'rejected', known?.approval.id);
  }

  /** Returns the reason why a charge is rejected. Above the policy's limit, uses an approval or requests one. */
  check(checked: CheckedPayment, payer: Account, nowMs: number): RejectedDecision | undefined {
    const rejection = this.checkLimits(checked, payer, nowMs);
    if (rejection || !isAboveLimit(checked, payer)) return rejection;
    const { approval, isNew, verdict } = this.approvals.useOrRequest(checked, nowMs);
    if (isNew || verdict === 'granted') this.changed(approval);
    if (verdict === 'granted') return undefined;
    if (verdict === 'full') return reject('rate_limited', 60);
    return needsApproval(verdict === 'rejected', approval.id);
  }

  private checkLimits(checked: CheckedPayment, payer: Account, nowMs: number): RejectedDecision | undefined {
    const session = checked.session && loadedSession(this.sessions, checked.session.key);
    if (isCancelled(payer, checked.nonce) || (session && isCancelled(payer, session.nonce)))
      return reject('payment_cancelled');
    const wrongStep = session && checked.step && checkStep(checked.step, session, checked.chargeAtomic);
    if (wrongStep) return reject(wrongStep);
    if (session && session.spentAtomic + checked.chargeAtomic > session.maxTotalAtomic)
      return reject('invalid_ton_nanopay_session');
    if (payer.available < checked.chargeAtomic) return reject('insufficient_funds');
    const waitS = this.rates.waitS(payer, nowMs);
    return waitS > 0 ? reject('rate_limited', waitS) : undefined;
  }
}
