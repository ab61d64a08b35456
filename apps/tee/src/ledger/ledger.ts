import { channelNoticeS, settlementDigest } from '@tollbridge/nanopay-protocol';
import { newAccount, unsettledOf, type Account, type AccountKey } from './rules/account';
import type { ApprovalTerms, Approvals } from './rules/approvals';
import { maxChannelsPerPayer, releasedMs, type Channel, type Settlement } from './rules/channel';
import { ChargeRules } from './rules/charge-rules';
import { isOfChain } from './rules/hash-chain-step';
import { heldPayment, settlementPayment } from './rules/held-payment';
import type { LedgerBatch, LedgerRecord } from './storage/ledger-batch';
import { LedgerChanges } from './ledger-changes';
import { isSameCall, isUnclaimed, LiveNonces, type DoneCall } from './rules/live-nonces';
import { ownBytes } from './own-bytes';
import type { ChainStep, CheckedPayment, Decision, Payment, RejectedDecision } from './rules/payment';
import type { PaymentRates } from './rules/payment-rates';
import { copyRejection, reject } from './rules/rejections';
import { loadedSession, type Session, type SessionKey } from './rules/sessions';

/**
 * The ledger's state in memory. A decision applies here immediately, but callers see it only after the commit. The
 * class uses no clock and no database: `LedgerWriter` loads the accounts that a decision needs.
 */
export class Ledger {
  readonly accounts = new Map<AccountKey, Account>();
  readonly sessions = new Map<SessionKey, Session>();
  readonly nonces = new LiveNonces();
  /** Open holds by confirmation id. */
  private readonly held = new Map<string, Payment>();
  /** Number of open channels of each payer. */
  private readonly channelCounts = new Map<AccountKey, number>();
  private readonly changes: LedgerChanges;
  private readonly rules: ChargeRules;

  constructor(
    seq: bigint,
    head: Buffer,
    private readonly rates: PaymentRates,
    private readonly approvals: Approvals,
  ) {
    this.changes = new LedgerChanges(seq, head);
    this.rules = new ChargeRules(this.sessions, rates, approvals, (approval) =>
      this.changes.pending.approvals.add(approval),
    );
  }

  get position(): { seq: bigint; head: Buffer } {
    return this.changes.position;
  }

  get hasChanges(): boolean {
    return !this.changes.isEmpty;
  }

  /** Returns the changes since the last batch; undefined without changes. */
  takeBatch(): LedgerBatch | undefined {
    return this.changes.take();
  }

  /** @throws Error if the account is not loaded */
  account(key: AccountKey): Account {
    const account = this.accounts.get(key);
    if (!account) throw new Error('account not loaded');
    return account;
  }

  /** Loads an account as stored, or an empty account without a row. */
  bring(key: AccountKey, stored: Account | undefined, nowMs: number): void {
    if (!this.accounts.has(key)) this.accounts.set(key, stored ?? newAccount(key, nowMs));
  }

  /** Loads a session as stored, or a new one. */
  bringSession(session: Session): void {
    if (this.sessions.has(session.key)) return;
    const { nonce, link } = session;
    this.sessions.set(session.key, { ...session, nonce: ownBytes(nonce), link: link && ownBytes(link) });
  }

  /** Unloads accounts and sessions that were not used since then, except those with open holds or changes to write. */
  evict(usedBeforeMs: number): void {
    const heldSessions = new Set(this.heldSessions());
    for (const [key, session] of this.sessions) {
      if (
        session.usedMs < usedBeforeMs &&
        !this.changes.pending.sessions.has(session) &&
        !heldSessions.has(key)
      )
        this.sessions.delete(key);
    }
    const needed = new Set(this.heldAccounts());
    for (const [key, account] of this.accounts) {
      if (account.usedMs < usedBeforeMs && !this.changes.pending.accounts.has(account) && !needed.has(key))
        this.accounts.delete(key);
    }
  }

  /** Loads a payment that can still be presented, or that has an open hold. */
  restore(payment: Payment): void {
    this.nonces.add(payment);
    // The receipt of a finished payment is only in the database.
    if (payment.state === 'held') this.held.set(nameOf(payment), payment);
    else this.nonces.settle(payment);
  }

  /** Loads the channel of a hold that is loaded. */
  restoreChannel(confirmationId: Buffer, channel: Channel): void {
    const payment = this.findHeld(confirmationId);
    if (!payment) return;
    payment.channel = channel;
    payment.holdUntilMs = releasedMs(channel);
    this.countChannel(payment.payer, 1);
  }

  /** Marks a payment as committed. It may have changed again since the batch was taken. */
  written(payment: Payment): void {
    payment.isStored = true;
    if (payment.state !== 'held' && !this.changes.pending.payments.has(payment)) this.nonces.settle(payment);
  }

  apply(checked: CheckedPayment, nowMs: number): Decision {
    const known = this.nonces.find(checked.payer, checked.nonce);
    if (checked.step && !this.knowsLink(checked, checked.step, known))
      return reject('invalid_ton_nanopay_hash_chain');
    if (known) return this.applyKnown(known, checked, nowMs);
    // A charge of zero releases a hold, and this payment has no hold.
    if (checked.chargeAtomic === 0n) return reject('invalid_transaction_state');
    const payer = this.account(checked.payer);
    if (checked.channel && (this.channelCounts.get(payer.key) ?? 0) >= maxChannelsPerPayer)
      return reject('rate_limited', 60);
    const rejection = this.rules.check(checked, payer, nowMs);
    if (rejection) return rejection;
    const payment = heldPayment(checked, nowMs);
    payer.available -= checked.chargeAtomic;
    payer.reserved += checked.chargeAtomic;
    this.spendOfSession(payment, checked.chargeAtomic, checked.step);
    this.nonces.add(payment);
    this.rates.count(payer, nowMs);
    if (checked.kind === 'charge') this.capture(payment, checked.chargeAtomic, nowMs);
    else {
      this.held.set(nameOf(payment), payment);
      this.touch(payment, payer, nowMs);
      if (payment.channel) this.changes.pending.channels.add(payment);
      if (payment.channel) this.countChannel(payment.payer, 1);
    }
    return { kind: 'done', payment };
  }

  /** Decides about a known nonce: captures a hold, replays the same call, or rejects a copy. */
  private applyKnown(known: Payment | DoneCall, checked: CheckedPayment, nowMs: number): Decision {
    const repeat: Decision = { kind: 'repeat', confirmationId: checked.confirmationId };
    if (isUnclaimed(known, checked)) return repeat;
    if (typeof known === 'string')
      return isSameCall(known, checked) ? repeat : reject(copyRejection(checked));
    if (!known.digest.equals(checked.digest)) return reject('duplicate_settlement');
    if (checked.chargeAtomic === 0n) return this.releaseUncharged(known, checked, nowMs);
    if (known.state === 'held' && checked.kind === 'charge') {
      if (checked.chargeAtomic > known.chargedAtomic) return reject('invalid_ton_nanopay_amount_mismatch');
      known.callKey = checked.callKey;
      this.held.delete(nameOf(known));
      this.capture(known, checked.chargeAtomic, nowMs);
      return { kind: 'done', payment: known };
    }
    if (!known.callKey.equals(checked.callKey)) return reject('duplicate_settlement');
    return known.state === 'held' || known.state === 'captured'
      ? { kind: 'done', payment: known }
      : reject('duplicate_settlement');
  }

  /** Releases the hold by a charge of zero. */
  private releaseUncharged(known: Payment, { callKey }: CheckedPayment, nowMs: number): Decision {
    if (known.state === 'held') {
      known.callKey = callKey;
      this.release(known, 'voided', nowMs);
    } else if (known.state !== 'voided' || !known.callKey.equals(callKey))
      return reject('invalid_transaction_state');
    return { kind: 'done', payment: known };
  }

  /** Returns the reason why a charge would be rejected now. Changes nothing and requests no approval. */
  preview(checked: CheckedPayment, nowMs: number): RejectedDecision | undefined {
    if (checked.step && !this.isOfChain(checked, checked.step))
      return reject('invalid_ton_nanopay_hash_chain');
    if (this.nonces.find(checked.payer, checked.nonce)) return reject('duplicate_settlement');
    return this.rules.preview(checked, this.account(checked.payer), nowMs);
  }

  private capture(payment: Payment, chargeAtomic: bigint, nowMs: number): void {
    const payer = this.account(payment.payer);
    const seller = this.account(payment.seller);
    payer.reserved -= payment.chargedAtomic;
    payer.available += payment.chargedAtomic - chargeAtomic;
    payer.spent += chargeAtomic;
    seller.earned += chargeAtomic;
    this.spendOfSession(payment, chargeAtomic - payment.chargedAtomic);
    payment.chargedAtomic = chargeAtomic;
    payment.state = 'captured';
    this.addReceipt(payment, nowMs);
    this.touch(payment, payer, nowMs);
    this.touchAccount(seller, nowMs);
  }

  /**
   * Charges the total that a channel owes, and releases the remainder after the last settlement. The link must be
   * verified. A repeated or late settlement changes nothing.
   * @returns the charge of this settlement; undefined without a new amount
   */
  settle(hold: Payment, { index, link, units, isLast }: Settlement, nowMs: number): Payment | undefined {
    const channel = hold.channel!;
    const [payer, seller] = [this.account(hold.payer), this.account(hold.seller)];
    if (index > channel.index) {
      channel.index = index;
      channel.link = ownBytes(link);
      this.changes.pending.channels.add(hold);
    }
    const amountAtomic = BigInt(units - channel.units) * channel.unitAtomic;
    let charge: Payment | undefined;
    if (amountAtomic > 0n) {
      this.changes.pending.channels.add(hold);
      channel.units = units;
      hold.chargedAtomic -= amountAtomic;
      payer.reserved -= amountAtomic;
      payer.spent += amountAtomic;
      seller.earned += amountAtomic;
      const digest = settlementDigest(hold.digest, units);
      charge = settlementPayment(hold, { digest, link: channel.link, amountAtomic }, nowMs);
      this.addReceipt(charge, nowMs);
      this.touch(charge, payer, nowMs);
      this.touchAccount(seller, nowMs);
    }
    if (isLast) this.release(hold, 'voided', nowMs);
    return charge;
  }

  /** The buyer closes a channel. The seller has a notice period to settle it. */
  private giveNotice(hold: Payment, channel: Channel, nowMs: number): void {
    channel.endMs = Math.min(channel.endMs, nowMs + channelNoticeS * 1000);
    hold.holdUntilMs = releasedMs(channel);
    this.changes.pending.channels.add(hold);
  }

  private countChannel(payer: AccountKey, change: 1 | -1): void {
    const count = (this.channelCounts.get(payer) ?? 0) + change;
    if (count === 0) this.channelCounts.delete(payer);
    else this.channelCounts.set(payer, count);
  }

  private addReceipt(payment: Payment, nowMs: number): void {
    const { seq, unixMs, previousHead, receipt } = this.changes.receipt('charge', payment, nowMs);
    payment.seq = seq;
    payment.unixMs = unixMs;
    payment.previousHead = previousHead;
    payment.receipt = receipt;
  }

  /** Assigns a committed charge to another call. */
  claim(payment: Payment): void {
    const { confirmationId, validBeforeS, callKey } = payment;
    this.nonces.claim(payment);
    this.record({ kind: 'claim', confirmationId, validBeforeS, callKey });
  }

  /** Returns an open hold. */
  findHeld(confirmationId: Buffer): Payment | undefined {
    return this.held.get(confirmationId.toString('hex'));
  }

  /** Refunds a charge or releases a hold. The call key must be that of the last change. */
  void(payment: Payment, callKey: Buffer, nowMs: number): Exclude<Decision, { kind: 'repeat' }> {
    if (!payment.callKey.equals(callKey)) return reject('invalid_transaction_state');
    if (payment.state === 'held') {
      // A stale copy of a captured payment would release the money of other holds.
      if (this.findHeld(payment.confirmationId) !== payment)
        throw new Error('the hold to release is not open');
      this.release(payment, 'voided', nowMs);
      return { kind: 'done', payment };
    }
    if (payment.state !== 'captured') return reject('invalid_transaction_state');
    const seller = this.account(payment.seller);
    // The seller's earnings have already been paid out on the chain.
    if (unsettledOf(seller) < payment.chargedAtomic) return reject('payment_paid_out');
    const payer = this.account(payment.payer);
    seller.earned -= payment.chargedAtomic;
    payer.spent -= payment.chargedAtomic;
    payer.available += payment.chargedAtomic;
    this.spendOfSession(payment, -payment.chargedAtomic);
    payment.state = 'voided';
    const refund = { payment, ...this.changes.receipt('refund', payment, nowMs) };
    this.changes.pending.refunds.push(refund);
    this.touch(payment, payer, nowMs);
    this.touchAccount(seller, nowMs);
    return { kind: 'done', payment, refund };
  }

  /** Returns the payers and sellers of open holds. */
  heldAccounts(): AccountKey[] {
    return [...new Set([...this.held.values()].flatMap(({ payer, seller }) => [payer, seller]))];
  }

  /** Returns the sessions of open holds. */
  heldSessions(): SessionKey[] {
    return [...new Set([...this.held.values()].flatMap(({ session }) => session ?? []))];
  }

  /**
   * Adds to a grant's spent amount. A refund subtracts, except for a hash chain, because a revealed link cannot pay
   * twice.
   */
  private spendOfSession({ session: key }: Payment, amountAtomic: bigint, step?: ChainStep): void {
    if (key === undefined) return;
    const session = this.session(key);
    if (session.link && !step) return;
    session.spentAtomic += amountAtomic;
    if (step) session.link = ownBytes(step.link);
    this.changes.pending.sessions.add(session);
  }

  /**
   * Whether the link is valid. A replay of a finished call needs no verification, because the chain may be far ahead.
   */
  private knowsLink(
    checked: CheckedPayment,
    step: ChainStep,
    known: Payment | DoneCall | undefined,
  ): boolean {
    if (typeof known === 'string') return true;
    return known?.link ? known.link.equals(step.link) : this.isOfChain(checked, step);
  }

  private isOfChain({ session }: CheckedPayment, step: ChainStep): boolean {
    return isOfChain(step, this.session(session!.key));
  }

  private session(key: SessionKey): Session {
    return loadedSession(this.sessions, key);
  }

  /** Blocks all charges with this nonce, or under the grant with this nonce, and releases their holds. */
  cancel(payer: Account, nonce: Buffer, nowMs: number): void {
    (payer.cancelled ??= new Set()).add(nonce.toString('latin1'));
    for (const payment of this.held.values()) {
      if (payment.payer !== payer.key) continue;
      const grantNonce = payment.session === undefined ? undefined : this.session(payment.session).nonce;
      if (!payment.nonce.equals(nonce) && !grantNonce?.equals(nonce)) continue;
      // The revealed links already belong to the seller.
      if (payment.channel) {
        this.giveNotice(payment, payment.channel, nowMs);
        continue;
      }
      this.release(payment, 'voided', nowMs);
      this.nonces.remove(payment);
    }
    this.record({ kind: 'cancellation', account: payer.key, nonce, atMs: nowMs });
    this.touchAccount(payer, nowMs);
  }

  /** Expires holds, and drops payments and requests that can no longer be presented. */
  sweep(nowMs: number): void {
    this.expireHolds(nowMs);
    this.nonces.sweep(nowMs);
    this.rates.sweep(nowMs);
    this.approvals.sweep(nowMs);
  }

  private expireHolds(nowMs: number): void {
    for (const payment of this.held.values())
      if (payment.holdUntilMs <= nowMs) this.release(payment, 'expired', nowMs);
  }

  private release(payment: Payment, state: 'voided' | 'expired', nowMs: number): void {
    const payer = this.account(payment.payer);
    payer.reserved -= payment.chargedAtomic;
    payer.available += payment.chargedAtomic;
    this.spendOfSession(payment, -payment.chargedAtomic);
    payment.state = state;
    this.held.delete(nameOf(payment));
    if (payment.channel) {
      payment.channel.isOpen = false;
      this.changes.pending.channels.add(payment);
      this.countChannel(payment.payer, -1);
    }
    this.touch(payment, payer, nowMs);
  }

  private touch(payment: Payment, payer: Account, nowMs: number): void {
    this.changes.pending.payments.add(payment);
    this.touchAccount(payer, nowMs);
  }

  /** Stores the owner's decision. */
  decideApproval(approval: ApprovalTerms, isApproved: boolean, nowMs: number): void {
    this.approvals.decide(approval, isApproved, nowMs);
    this.changes.pending.approvals.add(approval);
  }

  findApproval(payer: AccountKey, id: Buffer): ApprovalTerms | undefined {
    return this.approvals.find(payer, id);
  }

  /** Adds a row to the next batch. */
  record(record: LedgerRecord): void {
    this.changes.pending.records.push(record);
  }

  /** Writes the account with the next batch. */
  touchAccount(account: Account, nowMs: number): void {
    account.updatedMs = nowMs;
    this.changes.pending.accounts.add(account);
  }
}

const nameOf = ({ confirmationId }: Payment): string => confirmationId.toString('hex');
