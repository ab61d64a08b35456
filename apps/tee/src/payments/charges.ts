import { Inject, Injectable } from '@nestjs/common';
import { readPayment, type ChargeItem, type Outcome, type PaymentTerms } from '@tollbridge/nanopay-protocol';
import { Clock } from '@tollbridge/database';
import type { Ledger } from '../ledger/ledger';
import { hasNoKey, setKeyIfUnset, type Account, type AccountKey } from '../ledger/rules/account';
import { isSameCall, isUnclaimed } from '../ledger/rules/live-nonces';
import type { CheckedPayment, Decision } from '../ledger/rules/payment';
import { copyRejection } from '../ledger/rules/rejections';
import type { Session } from '../ledger/rules/sessions';
import { LedgerWriter } from '../ledger/storage/ledger-writer';
import { Scope } from '../signing/scope';
import { provenKey } from '../verification/payer-key';
import { checkGrantFields, toCheckedPayment } from './checked-payment';
import { checkedOutcome, committedOutcome, rejected, unknown, type Done } from './outcomes';
import { validatePayment } from './payment-checks';
import { PaymentProofs } from './payment-proofs';
import { StoredPayments } from './stored-payments';

const expired = 'invalid_ton_nanopay_valid_before';

/** Verifies charges and holds, requests the ledger's decision, and replies after the commit. */
@Injectable()
export class Charges {
  constructor(
    private readonly writer: LedgerWriter,
    private readonly scope: Scope,
    private readonly proofs: PaymentProofs,
    private readonly stored: StoredPayments,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  /** Returns an outcome that is committed, rejected or unknown. For a check, the outcome is a preview. */
  async charge(item: ChargeItem): Promise<Outcome> {
    const terms = validatePayment(item, this.scope, this.clock.now() / 1000);
    if (terms === expired) return this.replayExpired(item, readPayment(item.payment));
    if (typeof terms === 'string') return rejected(terms);
    const checked = toCheckedPayment(item, terms);
    const rejection = await this.verify(item, terms, checked);
    if (rejection) return rejection;

    if (item.kind === 'check') return this.preview(checked);
    const ledger = await this.ledgerWith([checked.payer, checked.seller], checked.session);
    const decision = ledger.apply(checked, this.clock.now());
    return decision.kind === 'done'
      ? committedOutcome(decision, this.writer)
      : this.outcomeOf(decision, checked);
  }

  /** Handles an expired payment: it cannot be charged, but its charge can be replayed and claimed. */
  private async replayExpired(item: ChargeItem, terms: PaymentTerms): Promise<Outcome> {
    const checked = toCheckedPayment(item, terms);
    const known = this.writer.ready().nonces.find(checked.payer, checked.nonce);
    if (!known || item.kind !== 'charge') return rejected(expired);
    const isClaim = isUnclaimed(known, checked);
    if (!isClaim && !isSameCall(known, checked)) return rejected(expired);
    const rejection = isClaim ? await this.verify(item, terms, checked) : undefined;
    const outcome = rejection ?? (await this.stored.replay(checked));
    return outcome.status === 'rejected' ? rejected(expired) : outcome;
  }

  private async preview(checked: CheckedPayment): Promise<Outcome> {
    const ledger = await this.ledgerWith([checked.payer], checked.session);
    const rejection = ledger.preview(checked, this.clock.now());
    if (rejection) return rejected(rejection.reason, rejection.retryAfterS, rejection.approvalId);
    return checkedOutcome(checked);
  }

  /** Returns the reason of a rejection before the ledger decides. Cheap checks come first. */
  private async verify(
    item: ChargeItem,
    terms: PaymentTerms,
    checked: CheckedPayment,
  ): Promise<Outcome | undefined> {
    const ledger = await this.writer.with([checked.payer]);
    const payer = ledger.account(checked.payer);
    const known = ledger.nonces.find(checked.payer, checked.nonce);
    // A copy of a finished payment needs neither a signature check nor a query.
    if (typeof known === 'string' && !isSameCall(known, checked) && !isUnclaimed(known, checked))
      return rejected(copyRejection(checked));
    if (!known && payer.available < checked.chargeAtomic) return rejected('insufficient_funds');
    if (!known && ledger.nonces.isFull) return unknown;
    const wrongGrant = checkGrantFields(item, terms);
    if (wrongGrant) return rejected(wrongGrant);
    const { network } = this.scope.deployment;
    const key = payer.publicKey ?? (await provenKey(item, terms.from, network));
    if (!key || hasNoKey(payer)) return rejected('invalid_ton_nanopay_unknown_key');
    const isNewKey = payer.publicKey === undefined;
    const rejection = await this.proofs.check(item, terms, checked, { key, isNewKey });
    if (rejection) return rejection === 'unknown' ? unknown : rejected(rejection);
    if (isNewKey && item.kind !== 'check') await this.register(payer, key);
    return undefined;
  }

  private ledgerWith(keys: readonly AccountKey[], session: Session | undefined): Promise<Ledger> {
    return session ? this.writer.withSession(keys, session.key, session) : this.writer.with(keys);
  }

  /** Stores the key with this payment, or with the next successful payment. */
  private async register({ key }: Account, publicKey: Buffer): Promise<void> {
    const ledger = await this.writer.with([key]);
    setKeyIfUnset(ledger.account(key), publicKey);
  }

  private async outcomeOf(decision: Exclude<Decision, Done>, checked: CheckedPayment): Promise<Outcome> {
    if (decision.kind === 'repeat') return this.stored.replay(checked);
    const { reason, retryAfterS, approvalId } = decision;
    // An approval request must be stored before its id is returned. The charge that explains a rejection must not be
    // lost.
    await this.writer.committed();
    return rejected(reason, retryAfterS, approvalId);
  }
}
