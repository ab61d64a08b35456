import {
  hashed,
  maxHashesPerPayment,
  nextHead,
  receiptDigest,
  type Refusal,
} from '@tollbridge/nanopay-protocol';
import { newAccount, unsettledOf, type Account, type AccountKey } from './account';
import type { ApprovalTerms, Approvals } from './approvals';
import { isSameCall, LiveNonces, type DoneCall } from './live-nonces';
import { ownBytes } from './own-bytes';
import type { PaymentRates } from './payment-rates';
import type { Session, SessionKey } from './sessions';

export type PaymentState = 'held' | 'captured' | 'voided' | 'expired';

/** A payment as the ledger keeps it. Amounts are in the smallest unit, times of the payment in seconds. */
export interface Payment {
  confirmationId: Buffer;
  digest: Buffer;
  payer: AccountKey;
  seller: AccountKey;
  nonce: Buffer;
  resourceHash: Buffer;
  flags: number;
  /** Of the grant that it was paid under; undefined if the wallet itself has signed. */
  session: SessionKey | undefined;
  /** That has paid it; undefined of what was read from the record, which does not keep it. */
  link: Buffer | undefined;
  validAfterS: bigint;
  validBeforeS: bigint;
  signature: Buffer;
  /** Under which the last change was asked for: the same again is answered again. */
  callKey: Buffer;
  state: PaymentState;
  /** What was signed, and what of it was charged or is held. */
  amountAtomic: bigint;
  chargedAtomic: bigint;
  holdUntilMs: number;
  /** Of the receipt for the charge; zeros while there is none. */
  seq: bigint;
  unixMs: bigint;
  previousHead: Buffer;
  /** What the enclave signs as the receipt of the last change; not stored, since it follows from the rest. */
  receipt: ReceiptToSign | undefined;
  /** It was in the record before this batch: an update, not a new row. */
  isStored: boolean;
}

export interface ReceiptToSign {
  digest: Buffer;
  /** There once the change is committed. */
  signature: Buffer | undefined;
}

/** A charge that was given back has a receipt for that as well. */
export interface Refund {
  payment: Payment;
  seq: bigint;
  unixMs: bigint;
  previousHead: Buffer;
  receipt: ReceiptToSign;
}

/** Everything that changed since the last commit, to be written as one. */
export interface Batch {
  payments: Set<Payment>;
  refunds: Refund[];
  accounts: Set<Account>;
  approvals: Set<ApprovalTerms>;
  sessions: Set<Session>;
  /** What else belongs to these changes. */
  records: LedgerRecord[];
  /** Where the chain of receipts stands after it. */
  seq: bigint;
  head: Buffer;
}

/** A nonce of an owner's message, which is used up. */
export interface UsedNonce {
  kind: 'nonce';
  account: AccountKey;
  nonce: Buffer;
  validBeforeS: bigint;
}

/** The payment or grant with this nonce must never be charged. */
export interface CancellationRecord {
  kind: 'cancellation';
  account: AccountKey;
  nonce: Buffer;
  atMs: number;
}

export interface DepositRecord {
  kind: 'deposit';
  chainAccount: string;
  lt: bigint;
  hash: string;
  account: AccountKey;
  amountAtomic: bigint;
  atMs: number;
}

/** What an account takes out: of its balance, or what it has earned. */
export interface WithdrawalTerms {
  id: string;
  source: 'balance' | 'earnings';
  account: AccountKey;
  destination: AccountKey;
  amountAtomic: bigint;
  atMs: number;
}

export interface WithdrawalRecord extends WithdrawalTerms {
  kind: 'withdrawal';
}

/** What was paid out is here again. */
export interface WithdrawalReturned {
  kind: 'withdrawal-return';
  id: string;
  atMs: number;
}

/** One message to the chain, and what it pays. */
export interface PayoutTerms {
  number: bigint;
  queryId: number;
  boc: Buffer;
  /** Logical time of the chain before it. */
  afterLt: string;
  createdAtS: number;
  validUntilS: number;
}

export interface PayoutRecord extends PayoutTerms {
  kind: 'payout';
  withdrawals: readonly string[];
  atMs: number;
}

/** It is over: paid, or nothing of it was sent and what it was to pay waits again. */
export interface PayoutEnd {
  kind: 'payout-end';
  number: bigint;
  outcome: 'completed' | 'failed';
  atMs: number;
}

export type LedgerRecord =
  | UsedNonce
  | CancellationRecord
  | DepositRecord
  | WithdrawalRecord
  | WithdrawalReturned
  | PayoutRecord
  | PayoutEnd;

/** What the ledger decides at once. `repeat` is a call that was answered before: the record knows its answer. */
export type Decision =
  | { kind: 'done'; payment: Payment; refund?: Refund }
  | { kind: 'refused'; reason: Refusal; retryAfterS: number; approvalId?: Buffer }
  | { kind: 'repeat'; confirmationId: Buffer };

/** A payment whose signature was checked, with what is to be done with it. */
export interface CheckedPayment extends Pick<
  Payment,
  | 'confirmationId'
  | 'digest'
  | 'payer'
  | 'seller'
  | 'nonce'
  | 'resourceHash'
  | 'flags'
  | 'validAfterS'
  | 'validBeforeS'
  | 'signature'
  | 'callKey'
  | 'amountAtomic'
> {
  kind: 'charge' | 'hold';
  chargeAtomic: bigint;
  holdS: number;
  /** As it is before anything was spent under it. */
  session: Session | undefined;
  /** What it is paid by under the grant of a chain. */
  step: ChainStep | undefined;
}

/** A link, the number of times that it must be hashed to become the anchor, and what each link is worth. */
export interface ChainStep {
  index: number;
  link: Buffer;
  unitAtomic: bigint;
}

type Refused = Extract<Decision, { kind: 'refused' }>;

const refuse = (reason: Refusal, retryAfterS = 0): Refused => ({ kind: 'refused', reason, retryAfterS });

const needsApproval = (isRejected: boolean, approvalId: Buffer | undefined): Refused => ({
  ...refuse(isRejected ? 'approval_rejected' : 'approval_required'),
  ...(approvalId && { approvalId }),
});

export const isCancelled = ({ cancelled }: Account, nonce: Buffer): boolean =>
  cancelled !== undefined && cancelled.has(nonce.toString('latin1'));

const isAboveLimit = ({ chargeAtomic }: CheckedPayment, { policy }: Account): boolean =>
  policy !== undefined && chargeAtomic > policy.maxAmountAtomic;

/**
 * The one writer's picture of all money: what it decides stands here at once, and is told to nobody before it is
 * committed. It knows no clock and no database; accounts that it needs are put into it before.
 */
export class Ledger {
  readonly accounts = new Map<AccountKey, Account>();
  readonly sessions = new Map<SessionKey, Session>();
  readonly nonces = new LiveNonces();
  /** What holds money, by name. */
  private readonly held = new Map<string, Payment>();
  private batch: Batch;

  constructor(
    private seq: bigint,
    private head: Buffer,
    private readonly rates: PaymentRates,
    private readonly approvals: Approvals,
  ) {
    this.batch = this.emptyBatch();
  }

  get position(): { seq: bigint; head: Buffer } {
    return { seq: this.seq, head: this.head };
  }

  get hasChanges(): boolean {
    const { payments, refunds, accounts, approvals, sessions, records } = this.batch;
    const sets = payments.size + accounts.size + approvals.size + sessions.size;
    return sets + refunds.length + records.length > 0;
  }

  /** What has changed since it was last taken; undefined if nothing has. */
  takeBatch(): Batch | undefined {
    if (!this.hasChanges) return undefined;
    const { batch } = this;
    this.batch = this.emptyBatch();
    return { ...batch, seq: this.seq, head: this.head };
  }

  /** One that was brought here before: what the record says of others is not known here. */
  account(key: AccountKey): Account {
    const account = this.accounts.get(key);
    if (!account) throw new Error('an account was used that was not read');
    return account;
  }

  /** Puts an account here as the record has it, or an empty one that the record does not have. */
  bring(key: AccountKey, stored: Account | undefined, nowMs: number): void {
    if (!this.accounts.has(key)) this.accounts.set(key, stored ?? newAccount(key, nowMs));
  }

  /** Puts a session here as the record has it, or a new one. */
  bringSession(session: Session): void {
    if (this.sessions.has(session.key)) return;
    const { nonce, link } = session;
    this.sessions.set(session.key, { ...session, nonce: ownBytes(nonce), link: link && ownBytes(link) });
  }

  /** Lets accounts and sessions go that nobody has asked for since; what is not written yet, and what holds money, stays. */
  evict(usedBeforeMs: number): void {
    const heldSessions = new Set(this.heldSessions());
    for (const [key, session] of this.sessions) {
      if (session.usedMs < usedBeforeMs && !this.batch.sessions.has(session) && !heldSessions.has(key))
        this.sessions.delete(key);
    }
    const needed = new Set(this.heldAccounts());
    for (const [key, account] of this.accounts) {
      if (account.usedMs < usedBeforeMs && !this.batch.accounts.has(account) && !needed.has(key))
        this.accounts.delete(key);
    }
  }

  /** Puts a payment of the record back: of those that may be tried again, and those that hold money. */
  restore(payment: Payment): void {
    this.nonces.add(payment);
    // The receipt of what is done is in the record, and nowhere else.
    if (payment.state === 'held') this.held.set(nameOf(payment), payment);
    else this.nonces.settle(payment);
  }

  /** It is on disk now, unless it has changed once more since it was taken to be written. */
  written(payment: Payment): void {
    payment.isStored = true;
    if (payment.state !== 'held' && !this.batch.payments.has(payment)) this.nonces.settle(payment);
  }

  apply(checked: CheckedPayment, nowMs: number): Decision {
    const known = this.nonces.find(checked.payer, checked.nonce);
    if (checked.step && !this.knowsLink(checked, checked.step, known))
      return refuse('invalid_ton_nanopay_hash_chain');
    if (known) return this.again(known, checked, nowMs);
    // There is no hold that it could let go.
    if (checked.chargeAtomic === 0n) return refuse('invalid_transaction_state');
    const payer = this.account(checked.payer);
    const objection = this.objectionTo(checked, payer, nowMs);
    if (objection) return objection;
    const payment = heldPayment(checked, nowMs);
    payer.available -= checked.chargeAtomic;
    payer.reserved += checked.chargeAtomic;
    this.spend(payment, checked.chargeAtomic, checked.step);
    this.nonces.add(payment);
    this.rates.count(payer, nowMs);
    if (checked.kind === 'charge') this.capture(payment, checked.chargeAtomic, nowMs);
    else {
      this.held.set(nameOf(payment), payment);
      this.touch(payment, payer, nowMs);
    }
    return { kind: 'done', payment };
  }

  /** The same nonce once more: a hold may be charged, a call may be repeated, and all else is a copy. */
  private again(known: Payment | DoneCall, checked: CheckedPayment, nowMs: number): Decision {
    if (typeof known === 'string') {
      return isSameCall(known, checked)
        ? { kind: 'repeat', confirmationId: checked.confirmationId }
        : refuse(copyRefusal(checked));
    }
    if (!known.digest.equals(checked.digest)) return refuse('duplicate_settlement');
    if (checked.chargeAtomic === 0n) return this.letGo(known, checked, nowMs);
    if (known.state === 'held' && checked.kind === 'charge') {
      if (checked.chargeAtomic > known.chargedAtomic) return refuse('invalid_ton_nanopay_amount_mismatch');
      known.callKey = checked.callKey;
      this.held.delete(nameOf(known));
      this.capture(known, checked.chargeAtomic, nowMs);
      return { kind: 'done', payment: known };
    }
    if (!known.callKey.equals(checked.callKey)) return refuse('duplicate_settlement');
    return known.state === 'held' || known.state === 'captured'
      ? { kind: 'done', payment: known }
      : refuse('duplicate_settlement');
  }

  /** Who may charge a hold may charge nothing of it. */
  private letGo(known: Payment, { callKey }: CheckedPayment, nowMs: number): Decision {
    if (known.state === 'held') {
      known.callKey = callKey;
      this.release(known, 'voided', nowMs);
    } else if (known.state !== 'voided' || !known.callKey.equals(callKey))
      return refuse('invalid_transaction_state');
    return { kind: 'done', payment: known };
  }

  /** What would be said against a charge at this moment. Nothing changes by it, and no owner is asked. */
  preview(checked: CheckedPayment, nowMs: number): Refused | undefined {
    if (checked.step && !this.isOfChain(checked, checked.step))
      return refuse('invalid_ton_nanopay_hash_chain');
    if (this.nonces.find(checked.payer, checked.nonce)) return refuse('duplicate_settlement');
    const payer = this.account(checked.payer);
    const objection = this.limitOf(checked, payer, nowMs);
    if (objection || !isAboveLimit(checked, payer)) return objection;
    const known = this.approvals.known(checked, nowMs);
    return known?.verdict === 'granted'
      ? undefined
      : needsApproval(known?.verdict === 'rejected', known?.approval.id);
  }

  private limitOf(checked: CheckedPayment, payer: Account, nowMs: number): Refused | undefined {
    const session = checked.session && this.session(checked.session.key);
    if (isCancelled(payer, checked.nonce) || (session && isCancelled(payer, session.nonce)))
      return refuse('payment_cancelled');
    const objection = session && checked.step && objectionToStep(checked.step, session, checked.chargeAtomic);
    if (objection) return refuse(objection);
    if (session && session.spentAtomic + checked.chargeAtomic > session.maxTotalAtomic)
      return refuse('invalid_ton_nanopay_session');
    if (payer.available < checked.chargeAtomic) return refuse('insufficient_funds');
    const waitS = this.rates.waitS(payer, nowMs);
    return waitS > 0 ? refuse('rate_limited', waitS) : undefined;
  }

  private objectionTo(checked: CheckedPayment, payer: Account, nowMs: number): Refused | undefined {
    const objection = this.limitOf(checked, payer, nowMs);
    if (objection || !isAboveLimit(checked, payer)) return objection;
    const { approval, isNew, verdict } = this.approvals.ask(checked, nowMs);
    if (isNew || verdict === 'granted') this.batch.approvals.add(approval);
    if (verdict === 'granted') return undefined;
    if (verdict === 'full') return refuse('rate_limited', 60);
    return needsApproval(verdict === 'rejected', approval.id);
  }

  private capture(payment: Payment, chargeAtomic: bigint, nowMs: number): void {
    const payer = this.account(payment.payer);
    const seller = this.account(payment.seller);
    payer.reserved -= payment.chargedAtomic;
    payer.available += payment.chargedAtomic - chargeAtomic;
    payer.spent += chargeAtomic;
    seller.earned += chargeAtomic;
    this.spend(payment, chargeAtomic - payment.chargedAtomic);
    payment.chargedAtomic = chargeAtomic;
    payment.state = 'captured';
    this.addReceipt(payment, nowMs);
    this.touch(payment, payer, nowMs);
    this.touchAccount(seller, nowMs);
  }

  private addReceipt(payment: Payment, nowMs: number): void {
    const { seq, unixMs, previousHead, receipt } = this.receipt('charge', payment, nowMs);
    payment.seq = seq;
    payment.unixMs = unixMs;
    payment.previousHead = previousHead;
    payment.receipt = receipt;
  }

  private receipt(
    type: 'charge' | 'refund',
    { digest, chargedAtomic: amountAtomic }: Payment,
    nowMs: number,
  ): Omit<Refund, 'payment'> {
    const [seq, unixMs, previousHead] = [++this.seq, BigInt(nowMs), this.head];
    const toSign = receiptDigest({ type, digest, amountAtomic, seq, unixMs, previousHead });
    this.head = nextHead(previousHead, toSign);
    return { seq, unixMs, previousHead, receipt: { digest: toSign, signature: undefined } };
  }

  /** A payment that holds money. */
  findHeld(confirmationId: Buffer): Payment | undefined {
    return this.held.get(confirmationId.toString('hex'));
  }

  /** Gives back a charge, or lets a hold go, for who holds the key of its last change. */
  void(payment: Payment, callKey: Buffer, nowMs: number): Exclude<Decision, { kind: 'repeat' }> {
    if (!payment.callKey.equals(callKey)) return refuse('invalid_transaction_state');
    if (payment.state === 'held') {
      // What was read before it was charged would be given back out of the money of other holds.
      if (this.findHeld(payment.confirmationId) !== payment)
        throw new Error('a hold was let go that is none');
      this.release(payment, 'voided', nowMs);
      return { kind: 'done', payment };
    }
    if (payment.state !== 'captured') return refuse('invalid_transaction_state');
    const seller = this.account(payment.seller);
    // It cannot be taken back from him here.
    if (unsettledOf(seller) < payment.chargedAtomic) return refuse('payment_paid_out');
    const payer = this.account(payment.payer);
    seller.earned -= payment.chargedAtomic;
    payer.spent -= payment.chargedAtomic;
    payer.available += payment.chargedAtomic;
    this.spend(payment, -payment.chargedAtomic);
    payment.state = 'voided';
    const refund = { payment, ...this.receipt('refund', payment, nowMs) };
    this.batch.refunds.push(refund);
    this.touch(payment, payer, nowMs);
    this.touchAccount(seller, nowMs);
    return { kind: 'done', payment, refund };
  }

  /** Who has money held, and for whom. */
  heldAccounts(): AccountKey[] {
    return [...new Set([...this.held.values()].flatMap(({ payer, seller }) => [payer, seller]))];
  }

  /** Under which grants money is held. */
  heldSessions(): SessionKey[] {
    return [...new Set([...this.held.values()].flatMap(({ session }) => session ?? []))];
  }

  /** What is given back may be spent again, but not by a link that everybody knows. */
  private spend({ session: key }: Payment, amountAtomic: bigint, step?: ChainStep): void {
    if (key === undefined) return;
    const session = this.session(key);
    if (session.link && !step) return;
    session.spentAtomic += amountAtomic;
    if (step) session.link = ownBytes(step.link);
    this.batch.sessions.add(session);
  }

  /** A chain may have gone on far since a payment; who asks again for what is done has the key of its call. */
  private knowsLink(
    checked: CheckedPayment,
    step: ChainStep,
    known: Payment | DoneCall | undefined,
  ): boolean {
    if (typeof known === 'string') return true;
    return known?.link ? known.link.equals(step.link) : this.isOfChain(checked, step);
  }

  /** Whether the link comes before or after the last one, or is the same: whoever made it knows the chain. */
  private isOfChain({ session }: CheckedPayment, { index, link, unitAtomic }: ChainStep): boolean {
    const { link: last, spentAtomic } = this.session(session!.key);
    const ahead = index - Number(spentAtomic / unitAtomic);
    if (!last || Math.abs(ahead) > maxHashesPerPayment) return false;
    return ahead >= 0 ? hashed(link, ahead).equals(last) : hashed(last, -ahead).equals(link);
  }

  /** One that was brought here before. */
  private session(key: SessionKey): Session {
    const session = this.sessions.get(key);
    if (!session) throw new Error('a session was used that was not read');
    return session;
  }

  /** From now on nothing with this nonce is charged, nor under a grant that has it; what is held goes back. */
  cancel(payer: Account, nonce: Buffer, nowMs: number): void {
    (payer.cancelled ??= new Set()).add(nonce.toString('latin1'));
    for (const payment of this.held.values()) {
      if (payment.payer !== payer.key) continue;
      const granted = payment.session === undefined ? undefined : this.session(payment.session).nonce;
      if (!payment.nonce.equals(nonce) && !granted?.equals(nonce)) continue;
      this.release(payment, 'voided', nowMs);
      this.nonces.forget(payment);
    }
    this.record({ kind: 'cancellation', account: payer.key, nonce, atMs: nowMs });
    this.touchAccount(payer, nowMs);
  }

  /** What has run out: holds go back to their owners, and what is too old to matter is forgotten. */
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
    this.spend(payment, -payment.chargedAtomic);
    payment.state = state;
    this.held.delete(nameOf(payment));
    this.touch(payment, payer, nowMs);
  }

  private touch(payment: Payment, payer: Account, nowMs: number): void {
    this.batch.payments.add(payment);
    this.touchAccount(payer, nowMs);
  }

  /** What an owner has decided about a question that was put to him. */
  decideApproval(approval: ApprovalTerms, isApproved: boolean, nowMs: number): void {
    this.approvals.decide(approval, isApproved, nowMs);
    this.batch.approvals.add(approval);
  }

  findApproval(payer: AccountKey, id: Buffer): ApprovalTerms | undefined {
    return this.approvals.find(payer, id);
  }

  /** Written with the next batch. */
  record(record: LedgerRecord): void {
    this.batch.records.push(record);
  }

  /** The account is written with the next batch. */
  touchAccount(account: Account, nowMs: number): void {
    account.updatedMs = nowMs;
    this.batch.accounts.add(account);
  }

  private emptyBatch(): Batch {
    const { seq, head } = this;
    const sets = {
      payments: new Set<Payment>(),
      accounts: new Set<Account>(),
      approvals: new Set<ApprovalTerms>(),
      sessions: new Set<Session>(),
    };
    return { ...sets, refunds: [], records: [], seq, head };
  }
}

/** A link is worth the links since the last one, and nothing once it is known. */
function objectionToStep(
  { index, unitAtomic }: ChainStep,
  { spentAtomic }: Session,
  chargeAtomic: bigint,
): Refusal | undefined {
  const worthAtomic = BigInt(index) * unitAtomic - spentAtomic;
  if (worthAtomic <= 0n) return 'duplicate_settlement';
  return worthAtomic === chargeAtomic ? undefined : 'invalid_ton_nanopay_amount_mismatch';
}

/** What is said to a copy; nothing of it can be let go either. */
export const copyRefusal = ({ chargeAtomic }: Pick<CheckedPayment, 'chargeAtomic'>): Refusal =>
  chargeAtomic === 0n ? 'invalid_transaction_state' : 'duplicate_settlement';

const noHead = Buffer.alloc(32);

const nameOf = ({ confirmationId }: Payment): string => confirmationId.toString('hex');

/** Spelled out, as all that is done for each payment: to spread an object costs more than the rest of the decision. */
const heldPayment = (checked: CheckedPayment, nowMs: number): Payment => ({
  confirmationId: checked.confirmationId,
  digest: checked.digest,
  payer: checked.payer,
  seller: checked.seller,
  nonce: checked.nonce,
  resourceHash: checked.resourceHash,
  flags: checked.flags,
  session: checked.session?.key,
  link: checked.step?.link,
  validAfterS: checked.validAfterS,
  validBeforeS: checked.validBeforeS,
  signature: checked.signature,
  callKey: checked.callKey,
  state: 'held',
  amountAtomic: checked.amountAtomic,
  chargedAtomic: checked.chargeAtomic,
  holdUntilMs: nowMs + checked.holdS * 1000,
  seq: 0n,
  unixMs: 0n,
  previousHead: noHead,
  receipt: undefined,
  isStored: false,
});
