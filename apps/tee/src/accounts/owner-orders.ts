import { Inject, Injectable } from '@nestjs/common';
import type { ApprovalOrder, CancellationRequest, OwnerProof, PolicyOrder } from '@tollbridge/contracts';
import { DomainError } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import { approvalDecisionBytes, cancellationBytes, policyBytes } from '@tollbridge/nanopay-protocol';
import { addressOf, keyOf, type Account, type AccountKey, setKeyIfUnset } from '../ledger/rules/account';
import type { ApprovalTerms } from '../ledger/rules/approvals';
import { isCancelled } from '../ledger/rules/charge-rules';
import type { Ledger } from '../ledger/ledger';
import type { Payment } from '../ledger/rules/payment';
import { ledgerAmount } from '../ledger/rules/ledger-amount';
import { LedgerRepository } from '../ledger/storage/ledger.repository';
import { LedgerUnavailable, LedgerWriter } from '../ledger/storage/ledger-writer';
import type { DoneCall } from '../ledger/rules/live-nonces';
import { OwnerProofs } from './owner-proof';

// Cancellations never expire, because a payment may be signed for any future time. They are loaded with their account.
const maxCancelled = 2_000;

/** Orders of account owners: policies, approval decisions and cancellations. */
@Injectable()
export class OwnerOrders {
  /** Nonces of orders in progress, which are not in the database yet. */
  private readonly nonces = new Set<string>();

  constructor(
    private readonly writer: LedgerWriter,
    private readonly repository: LedgerRepository,
    private readonly proofs: OwnerProofs,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  /** @param order with a raw address */
  async setPolicy({ address, maxAmount, rateLimit, proof, isOwner }: PolicyOrder): Promise<Account> {
    const key = keyOf(address);
    const maxAmountAtomic = ledgerAmount(maxAmount, 'maxAmount');
    const message = (signed: OwnerProof): Buffer =>
      policyBytes(this.proofs.scopeOf(address), { maxAmountAtomic, rateLimit, ...timesOf(signed) });
    return this.whenWritable(async () => {
      const ledger = await this.writer.with([key]);
      const account = ledger.account(key);
      // A limit on an unused account cannot harm its owner.
      const isUnused = account.publicKey === undefined && account.deposited === 0n;
      if (!proof && !isOwner && !isUnused)
        throw new DomainError('FORBIDDEN', 'Only the owner of the account can set its policy. Send proof.');
      const apply = (now: Ledger, nowMs: number): Account => {
        const changed = now.account(key);
        changed.policy = { maxAmountAtomic, rateLimit };
        now.touchAccount(changed, nowMs);
        return changed;
      };
      const changed = proof
        ? await this.applySigned(proof, account, message(proof), apply)
        : apply(await this.writer.with([key]), this.clock.now());
      await this.writer.committed();
      return { ...changed };
    });
  }

  decide({ id, isApproved, proof, owner }: ApprovalOrder): Promise<ApprovalTerms> {
    const name = Buffer.from(id, 'hex');
    return this.whenWritable(async () => {
      const stored = await this.repository.approval(name);
      if (!stored) throw new DomainError('NOT_FOUND', 'The approval does not exist. Check its id.');
      const { payer } = stored;
      const address = addressOf(payer);
      if (!proof && owner !== address)
        throw new DomainError('FORBIDDEN', 'Only the payer can decide this approval. Send proof.');
      const apply = (ledger: Ledger, nowMs: number): ApprovalTerms =>
        decideNow(ledger, { payer, id: name, isApproved }, nowMs);
      const ledger = await this.writer.with([payer]);
      const message = (signed: OwnerProof): Buffer =>
        approvalDecisionBytes(this.proofs.scopeOf(address), {
          approvalId: name,
          isApproved,
          ...timesOf(signed),
        });
      const decided = proof
        ? await this.applySigned(proof, ledger.account(payer), message(proof), apply)
        : apply(ledger, this.clock.now());
      const answer = { ...decided };
      await this.writer.committed();
      return answer;
    });
  }

  /**
   * Blocks all charges with this nonce. The order is idempotent, so it needs no nonce.
   * @param request with a raw address
   */
  cancel({ address, nonce: hex, proof }: CancellationRequest): Promise<void> {
    const [key, nonce] = [keyOf(address), Buffer.from(hex, 'hex')];
    const message = cancellationBytes(this.proofs.scopeOf(address), nonce, BigInt(proof.validBefore));
    return this.whenWritable(async () => {
      const account = (await this.writer.with([key])).account(key);
      const publicKey = await this.proofs.check(proof, account, address, message);
      const stored = await this.repository.paymentWith(key, nonce);
      const ledger = await this.writer.with([key]);
      const payer = ledger.account(key);
      if (isCharged(ledger.nonces.find(key, nonce), stored))
        throw new DomainError('CONFLICT', 'The payment was already charged, so it cannot be cancelled.');
      if (!isCancelled(payer, nonce)) {
        if ((payer.cancelled?.size ?? 0) >= maxCancelled)
          throw new DomainError(
            'CONFLICT',
            'The account has the maximum number of cancelled payments. Retry when some have expired.',
          );
        setKeyIfUnset(payer, publicKey);
        ledger.cancel(payer, nonce, this.clock.now());
      }
      await this.writer.committed();
    });
  }

  /** Applies a signed order at most once per nonce. The nonce is stored in the same commit. */
  async applySigned<T>(
    proof: OwnerProof,
    account: Account,
    message: Buffer,
    apply: (ledger: Ledger, nowMs: number) => T,
  ): Promise<T> {
    const publicKey = await this.proofs.check(proof, account, addressOf(account.key), message);
    const { nonce, validBeforeS } = timesOf(proof);
    const name = account.key + nonce.toString('latin1');
    if (this.nonces.has(name) || (await this.repository.isNonceUsed(account.key, nonce))) throw nonceUsed();
    // The same order may have started while the query ran.
    if (this.nonces.has(name)) throw nonceUsed();
    this.nonces.add(name);
    try {
      const ledger = await this.writer.with([account.key]);
      const done = apply(ledger, this.clock.now());
      setKeyIfUnset(ledger.account(account.key), publicKey);
      ledger.record({ kind: 'nonce', account: account.key, nonce, validBeforeS });
      ledger.touchAccount(ledger.account(account.key), this.clock.now());
      await this.writer.committed();
      return done;
    } finally {
      this.nonces.delete(name);
    }
  }

  /** Maps an unavailable ledger to 503. */
  async whenWritable<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof LedgerUnavailable)
        throw new DomainError(
          'SERVICE_UNAVAILABLE',
          'The payment ledger is not reachable. Retry after retryAfter seconds.',
          {
            cause: error,
          },
        );
      throw error;
    }
  }
}

/** @param known the payment in memory, reduced to its call when it is finished; the stored payment may be older */
function isCharged(known: Payment | DoneCall | undefined, stored: Payment | undefined): boolean {
  if (typeof known === 'object') return known.state === 'captured';
  if (known) return stored?.state !== 'voided' && stored?.state !== 'expired';
  return stored?.state === 'captured';
}

const nonceUsed = (): DomainError =>
  new DomainError('CONFLICT', 'The nonce was already used. Sign with a new nonce.');

const timesOf = ({ nonce, validBefore }: OwnerProof) => ({
  nonce: Buffer.from(nonce, 'hex'),
  validBeforeS: BigInt(validBefore),
});

function decideNow(
  ledger: Ledger,
  { payer, id, isApproved }: { payer: AccountKey; id: Buffer; isApproved: boolean },
  nowMs: number,
): ApprovalTerms {
  const approval = ledger.findApproval(payer, id);
  if (!approval || approval.expiresMs <= nowMs)
    throw new DomainError('CONFLICT', 'The approval has expired.');
  const wanted = isApproved ? 'approved' : 'rejected';
  // The same decision again is a replay.
  if (approval.status === wanted) return approval;
  if (approval.status !== 'pending')
    throw new DomainError('CONFLICT', `The approval was already ${approval.status}.`);
  ledger.decideApproval(approval, isApproved, nowMs);
  return approval;
}
