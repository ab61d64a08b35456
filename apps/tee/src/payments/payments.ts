import { Inject, Injectable } from '@nestjs/common';
import {
  confirmationBytes,
  dialogDigest,
  digestOf,
  flags as paymentFlags,
  hashChainGrantDigest,
  paymentOffsets,
  readPayment,
  receiptDigest,
  sessionGrantDigest,
  type ChargeItem,
  type FrameItem,
  type Outcome,
  type PaymentTerms,
  type PresentedChain,
  type Refusal,
  type SettledOutcome,
  type VoidItem,
} from '@tollbridge/nanopay';
import { Clock } from '@tollbridge/data';
import type { Logger } from '@tollbridge/observability';
import { ServiceConfig, ServiceLogger } from '@tollbridge/service';
import { dialogDomainsOf, type TeeConfig } from '../config';
import { EnclaveKey } from '../enclave/enclave-key';
import { Scope } from '../enclave/scope';
import { Verifier } from '../verification/verifier';
import { hasNoKey, type Account, type AccountKey } from './account';
import {
  copyRefusal,
  type ChainStep,
  type CheckedPayment,
  type Decision,
  type Ledger,
  type Payment,
  type Refund,
} from './ledger';
import { LedgerRepository } from './ledger.repository';
import { LedgerUnavailable, LedgerWriter } from './ledger-writer';
import { isSameCall } from './live-nonces';
import { inspect } from './payment-checks';
import { provenKey } from './payer-key';
import { PaymentFigures } from './payment-figures';
import { SessionGrants } from './session-grants';
import type { Session } from './sessions';

type Done = Extract<Decision, { kind: 'done' }>;

const tooLate = 'invalid_ton_nanopay_valid_before';
const unknown: Outcome = { status: 'unknown' };
const refused = (reason: Refusal, retryAfterS = 0, approvalId?: Buffer): Outcome => ({
  ...{ status: 'refused', reason, retryAfterS, approvalId },
});

/** Checks payments, has the ledger decide, and answers when it is on disk. */
@Injectable()
export class Payments {
  /** Refunds under way by payment: the second waits for the first. */
  private readonly voiding = new Map<string, Promise<unknown>>();
  private readonly domains: ReadonlySet<string>;

  constructor(
    private readonly writer: LedgerWriter,
    private readonly repository: LedgerRepository,
    private readonly verifier: Verifier,
    private readonly scope: Scope,
    private readonly key: EnclaveKey,
    private readonly grants: SessionGrants,
    private readonly figures: PaymentFigures,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) config: TeeConfig,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    this.domains = dialogDomainsOf(config);
  }

  /** Outcomes in the order of the items; each is durable, refused, or unknown. */
  process(items: readonly FrameItem[]): Promise<Outcome[]> {
    return Promise.all(items.map((item) => this.processOne(item)));
  }

  private async processOne(item: FrameItem): Promise<Outcome> {
    const startedMs = performance.now();
    try {
      const outcome = item.kind === 'void' ? await this.void(item) : await this.charge(item);
      this.figures.count(outcome, performance.now() - startedMs);
      return outcome;
    } catch (error) {
      if (!(error instanceof LedgerUnavailable)) this.logger.error({ err: error }, 'a payment failed');
      return unknown;
    }
  }

  private async charge(item: ChargeItem): Promise<Outcome> {
    const terms = inspect(item, this.scope, this.clock.now() / 1000);
    if (terms === tooLate) return this.late(checkedOf(item, readPayment(item.payment)), item.kind);
    if (typeof terms === 'string') return refused(terms);
    if (this.verifier.isFull) return unknown;
    const checked = checkedOf(item, terms);
    const objection = await this.check(item, terms, checked);
    if (objection) return objection;

    if (item.kind === 'check') return this.preview(checked);
    const keys = [checked.payer, checked.seller];
    const ledger = this.pictureNow(keys, checked.session) ?? (await this.picture(keys, checked.session));
    const decision = ledger.apply(checked, this.clock.now());
    return decision.kind === 'done' ? this.settled(decision) : this.outcomeOf(decision, checked);
  }

  /** Nothing more is charged, but who repeats his call learns what became of it. */
  private async late(checked: CheckedPayment, kind: ChargeItem['kind']): Promise<Outcome> {
    const known = this.writer.ready().nonces.find(checked.payer, checked.nonce);
    const isSame =
      known && (Buffer.isBuffer(known) ? isSameCall(known, checked) : isRepeated(known, checked));
    if (!isSame || kind !== 'charge') return refused(tooLate);
    // A charge that is being written is not in the record yet.
    await this.writer.committed();
    const outcome = await this.repeated(checked.confirmationId, checked);
    return outcome.status === 'refused' ? refused(tooLate) : outcome;
  }

  private async preview(checked: CheckedPayment): Promise<Outcome> {
    const ledger = await this.picture([checked.payer], checked.session);
    const objection = ledger.preview(checked, this.clock.now());
    if (objection) return refused(objection.reason, objection.retryAfterS, objection.approvalId);
    return checkedOutcome(checked);
  }

  /** Whether it is signed by who pays. What costs little is asked first. */
  private async check(
    item: ChargeItem,
    terms: PaymentTerms,
    checked: CheckedPayment,
  ): Promise<Outcome | undefined> {
    const keys = [checked.payer];
    const ledger = this.writer.withNow(keys) ?? (await this.writer.with(keys));
    const payer = ledger.account(checked.payer);
    const known = ledger.nonces.find(checked.payer, checked.nonce);
    // A copy of what was done costs neither a look at its signature nor one at the record.
    if (Buffer.isBuffer(known) && !isSameCall(known, checked)) return refused(copyRefusal(checked));
    if (!known && payer.available < checked.chargeAtomic) return refused('insufficient_funds');
    const misfit = misfitOf(item, terms);
    if (misfit) return refused(misfit);
    const { network } = this.scope.deployment;
    const key = payer.publicKey ?? (await provenKey(item, terms.from, network));
    if (!key || hasNoKey(payer)) return refused('invalid_ton_nanopay_unknown_key');
    const isNewKey = payer.publicKey === undefined;
    const objection = await this.objectionToProof(item, terms, checked, { key, isNewKey });
    if (objection) return objection === 'unknown' ? unknown : refused(objection);
    if (isNewKey && item.kind !== 'check') await this.register(payer, key);
    return undefined;
  }

  private objectionToProof(
    item: ChargeItem,
    terms: PaymentTerms,
    checked: CheckedPayment,
    wallet: { key: Buffer; isNewKey: boolean },
  ): Promise<Refusal | 'unknown' | undefined> {
    if (item.session) return this.grants.objectionTo(item, terms, checked, wallet);
    if (item.chain) return this.grants.objectionToChain(item, terms, checked, wallet);
    return this.objectionToSignature(item, terms, checked, wallet);
  }

  private async objectionToSignature(
    { dialog, signature }: ChargeItem,
    terms: PaymentTerms,
    { digest }: CheckedPayment,
    { key, isNewKey }: { key: Buffer; isNewKey: boolean },
  ): Promise<Refusal | 'unknown' | undefined> {
    if (dialog && !this.domains.has(dialog.domain)) return 'invalid_ton_nanopay_signature';
    const signed = dialog ? dialogDigest(terms.from, dialog, digest) : digest;
    const verdict = await this.verifier.check(signed, key, signature, isNewKey);
    if (verdict === undefined) return 'unknown';
    if (verdict === 'weakKey') return 'invalid_ton_nanopay_weak_key';
    return verdict === 'wrong' ? 'invalid_ton_nanopay_signature' : undefined;
  }

  private pictureNow(keys: readonly AccountKey[], session: Session | undefined): Ledger | undefined {
    return this.writer.withNow(keys, session?.key);
  }

  private picture(keys: readonly AccountKey[], session: Session | undefined): Promise<Ledger> {
    return session ? this.writer.withSession(keys, session.key, session) : this.writer.with(keys);
  }

  /** Written with the payment that it was proven by, or with the next that succeeds. */
  private async register({ key }: Account, publicKey: Buffer): Promise<void> {
    const ledger = await this.writer.with([key]);
    ledger.account(key).publicKey ??= Buffer.from(publicKey);
  }

  private async outcomeOf(decision: Exclude<Decision, Done>, checked: CheckedPayment): Promise<Outcome> {
    if (decision.kind === 'repeat') return this.repeated(decision.confirmationId, checked);
    const { reason, retryAfterS, approvalId } = decision;
    // Who is told of a question must find it; and who is told of a copy, or of too little money, would be told what
    // never was if the charge that is the reason were lost.
    await this.writer.committed();
    return refused(reason, retryAfterS, approvalId);
  }

  /** As it was decided: what others decide while this is written is not on disk with it. */
  private async settled({ payment, refund }: Done): Promise<Outcome> {
    const outcome = settledOutcome(payment, refund);
    const { receipt } = refund ?? payment;
    await this.writer.committed();
    if (receipt) outcome.signature = receipt.signature!;
    return outcome;
  }

  /** What was answered to the same call before, from the record. */
  private async repeated(
    confirmationId: Buffer,
    { callKey, digest, chargeAtomic }: CheckedPayment,
  ): Promise<Outcome> {
    const payment = await this.repository.payment(confirmationId);
    const isSame = payment && isRepeated(payment, { callKey, digest });
    if (chargeAtomic === 0n)
      return isSame && payment.state === 'voided'
        ? this.refundedAgain(payment)
        : refused('invalid_transaction_state');
    if (!isSame || payment.state !== 'captured') return refused('duplicate_settlement');
    return this.signedAgain(payment);
  }

  /** A receipt of the record is signed anew: the signature of the same is the same. */
  async signedAgain(payment: Payment): Promise<Outcome> {
    const terms = { type: 'charge' as const, digest: payment.digest, amountAtomic: payment.chargedAtomic };
    const digest = receiptDigest({ ...terms, ...placeOf(payment) });
    const signature = this.key.sign(digest);
    return settledOutcome({ ...payment, receipt: { digest, signature } });
  }

  /** One at a time for each payment: what the record says must not be read while another changes it. */
  private async void(item: VoidItem): Promise<Outcome> {
    const name = item.confirmationId.toString('hex');
    const before = this.voiding.get(name);
    const done = (async () => {
      await before?.catch(() => undefined);
      return this.voidNow(item);
    })();
    this.voiding.set(name, done);
    try {
      return await done;
    } finally {
      if (this.voiding.get(name) === done) this.voiding.delete(name);
    }
  }

  private async voidNow({ confirmationId, callKey }: VoidItem): Promise<Outcome> {
    // A charge that is being written is not in the record yet.
    await this.writer.committed();
    const held = this.writer.ready().findHeld(confirmationId);
    const payment = held ?? (await this.repository.payment(confirmationId));
    if (!payment || !payment.callKey.equals(callKey)) return refused('invalid_transaction_state');
    if (payment.state === 'voided') return this.refundedAgain(payment);
    const { payer, seller, session } = payment;
    const ledger: Ledger = await (session === undefined
      ? this.writer.with([payer, seller])
      : this.writer.withSession([payer, seller], session));
    if (payment.state === 'held' && ledger.findHeld(confirmationId) !== payment)
      throw new LedgerUnavailable('the hold has changed since it was read');
    const decision = ledger.void(payment, callKey, this.clock.now());
    if (decision.kind === 'refused') return refused(decision.reason);
    return this.settled(decision);
  }

  async refundedAgain(payment: Payment): Promise<Outcome> {
    const refund = await this.repository.refund(payment);
    // A hold that was let go has no receipt.
    if (!refund) return settledOutcome(payment);
    const terms = { type: 'refund' as const, digest: payment.digest, amountAtomic: payment.chargedAtomic };
    const digest = receiptDigest({ ...terms, ...placeOf(refund) });
    const signature = this.key.sign(digest);
    return settledOutcome(payment, { ...refund, receipt: { digest, signature } });
  }
}

const isRepeated = (
  payment: Payment,
  { callKey, digest }: Pick<CheckedPayment, 'callKey' | 'digest'>,
): boolean => payment.callKey.equals(callKey) && payment.digest.equals(digest);

const placeOf = ({ seq, unixMs, previousHead }: Pick<Payment, 'seq' | 'unixMs' | 'previousHead'>) => ({
  ...{ seq, unixMs, previousHead },
});

const noSignature = Buffer.alloc(64);

const checkedOutcome = ({ digest, chargeAtomic }: CheckedPayment): Outcome => ({
  ...{ status: 'checked', digest, amountAtomic: chargeAtomic },
  ...{ seq: 0n, unixMs: 0n, previousHead: Buffer.alloc(32), signature: noSignature },
});

/** A hold has no receipt: its fields are zeros. */
function settledOutcome(payment: Payment, refund?: Refund): SettledOutcome {
  const { seq, unixMs, previousHead, receipt } = refund ?? payment;
  const status = payment.state === 'held' ? 'held' : payment.state === 'captured' ? 'captured' : 'voided';
  return {
    status,
    digest: payment.digest,
    amountAtomic: payment.chargedAtomic,
    seq,
    unixMs,
    previousHead,
    signature: receipt?.signature ?? noSignature,
  };
}

function checkedOf(item: ChargeItem, terms: PaymentTerms): CheckedPayment {
  const digest = digestOf(item.payment);
  const hashOf = (offset: number) => item.payment.toString('latin1', offset + 4, offset + 36);
  return {
    // A check asks what a charge would come to.
    kind: item.kind === 'hold' ? 'hold' : 'charge',
    confirmationId: confirmationBytes(digest),
    digest,
    payer: hashOf(paymentOffsets.from),
    seller: hashOf(paymentOffsets.to),
    nonce: terms.nonce,
    resourceHash: terms.resourceHash,
    flags: terms.flags,
    validAfterS: terms.validAfterS,
    validBeforeS: terms.validBeforeS,
    signature: item.signature,
    callKey: item.callKey,
    amountAtomic: terms.amountAtomic,
    chargeAtomic: item.amountAtomic,
    holdS: item.holdS,
    session: item.chain ? chainOf(item, item.chain, terms) : sessionOf(item, terms),
    step: item.chain && stepOf(item.chain),
  };
}

/** By whom or what it is paid, its flags say; it must come with that, and with nothing else. */
function misfitOf({ session, chain }: ChargeItem, { flags }: PaymentTerms): Refusal | undefined {
  if (((flags & paymentFlags.session) !== 0) !== (session !== undefined))
    return 'invalid_ton_nanopay_session';
  const isChain = (flags & paymentFlags.hashChain) !== 0;
  const isOne = session === undefined || chain === undefined;
  return isOne && isChain === (chain !== undefined) ? undefined : 'invalid_ton_nanopay_hash_chain';
}

// Copies: the rest of its frame need not be kept as long.
const stepOf = ({ index, link, unitAtomic }: PresentedChain): ChainStep => ({
  ...{ index, link: Buffer.from(link), unitAtomic },
});

function chainOf({ payment }: ChargeItem, chain: PresentedChain, terms: PaymentTerms): Session {
  const { nonce, unitAtomic, length, anchor, validBeforeS } = chain;
  return {
    key: hashChainGrantDigest(terms, terms.to, chain).toString('latin1'),
    account: payment.toString('latin1', paymentOffsets.from + 4, paymentOffsets.to),
    nonce: Buffer.from(nonce),
    ...{ spentAtomic: 0n, maxTotalAtomic: unitAtomic * BigInt(length), validBeforeS, usedMs: 0 },
    link: Buffer.from(anchor),
  };
}

function sessionOf({ session, payment }: ChargeItem, terms: PaymentTerms): Session | undefined {
  if (!session) return undefined;
  const { nonce, maxTotalAtomic, validBeforeS } = session;
  return {
    key: sessionGrantDigest(terms, session).toString('latin1'),
    account: payment.toString('latin1', paymentOffsets.from + 4, paymentOffsets.to),
    // A copy: the rest of its frame need not be kept as long.
    nonce: Buffer.from(nonce),
    ...{ spentAtomic: 0n, maxTotalAtomic, validBeforeS, usedMs: 0 },
    link: undefined,
  };
}
