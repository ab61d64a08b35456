import { Inject, Injectable } from '@nestjs/common';
import type { ExecutedSet, ExecuteRequest } from '@tollbridge/contracts';
import { DomainError, isUuid, type CallContext, type FieldError } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import { KeyBudgets, type KeySpend } from '@tollbridge/key-budgets';
import { formatUnits } from '@tollbridge/money';
import { OutboxWorker } from '@tollbridge/bootstrap';
import { EvmChains } from '../chains/evm-chains';
import { SwapPrices } from '../quotes/prices';
import { SendSet } from './send-set';
import { executedView } from './set-view';
import { SetsRepository } from './sets.repository';
import { readSignatures, type SignatureError, type SignedTransaction } from './signatures';
import { transition, type SetFailure, type TransactionSet } from './transaction-set';

/** Stores the signatures of a set and broadcasts it, with an exactly-once effect. */
@Injectable()
export class ExecuteSet {
  constructor(
    private readonly sets: SetsRepository,
    private readonly sender: SendSet,
    private readonly chains: EvmChains,
    private readonly spends: KeyBudgets,
    private readonly prices: SwapPrices,
    private readonly outbox: OutboxWorker,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  async execute(request: ExecuteRequest, owner: string, context: CallContext): Promise<ExecutedSet> {
    const { transactionId, signatures, broadcast } = request;
    const set = isUuid(transactionId) ? await this.sets.find(transactionId, owner) : undefined;
    if (!set) throw new DomainError('NOT_FOUND', 'The transaction does not exist. Check transactionId.');
    const read = readSignatures(signatures, set.transactions, set.user);
    if ('problems' in read)
      throw new DomainError('INVALID_SIGNATURE', undefined, { details: read.problems.map(asFieldError) });
    const done = await this.take(set, read.signed, broadcast, context);
    this.outbox.wake();
    const reply = set.state === 'built' ? this.firstReply(done) : this.view(done);
    if (reply instanceof DomainError) throw reply;
    return reply;
  }

  private async take(
    set: TransactionSet,
    signed: readonly SignedTransaction[],
    broadcast: boolean,
    context: CallContext,
  ): Promise<TransactionSet> {
    if (set.state !== 'built') return this.repeated(set, signed);
    const nowMs = this.clock.now();
    if (nowMs >= set.validUntilMs) throw await this.expire(set, context);
    const withSignatures: TransactionSet = {
      ...set,
      transactions: set.transactions.map((transaction, at) => ({ ...transaction, signed: signed[at]! })),
    };
    if (!broadcast) {
      const saved = await this.sets.save({
        before: set,
        after: withSignatures,
        checkAtMs: null,
        nowMs,
        context,
        reply: (it) => this.firstReply(it),
      });
      return saved ?? this.again(set, signed, broadcast, context);
    }
    const readiness = await this.sender.readiness(set);
    if (typeof readiness === 'object') {
      if ('outbid' in readiness) throw readiness.outbid;
      // A concurrent call may have broadcast this set itself.
      const current = (await this.sets.find(set.id))!;
      if (current.state !== 'built') return this.repeated(current, signed);
      const details = { reason: 'nonce_used', nonce: set.transactions[0]!.nonce };
      throw new DomainError(
        'CONFLICT',
        `The transaction can no longer be sent: ${readiness.used}. Build again.`,
        {
          details,
        },
      );
    }
    const accepted = transition({ ...withSignatures, executedAtMs: nowMs }, 'signed');
    const after = readiness === 'now' ? transition(accepted, 'sending') : accepted;
    const checkAtMs = readiness === 'now' ? this.sender.leaseEndMs() : nowMs;
    const change = { before: set, after, checkAtMs, nowMs, context };
    // The reply depends on the broadcast. Until it is stored, a replay of the call reads the set's state.
    const reply = (it: TransactionSet): unknown => this.firstReply(it);
    const taken = await this.spends.during(
      context,
      () => this.spendOf(set),
      () => this.sets.sign(readiness === 'now' ? change : { ...change, reply }),
      (outcome) => typeof outcome === 'object',
    );
    if (taken === 'taken')
      throw new DomainError(
        'CONFLICT',
        'One of its nonces is used by another transaction that is being sent. Build again.',
        { details: { reason: 'nonce_taken', nonces: set.transactions.map(({ nonce }) => nonce) } },
      );
    if (taken === 'changed') return this.again(set, signed, broadcast, context);
    return readiness === 'now' ? this.sender.sendRecorded(taken, 0, context, reply) : taken;
  }

  /** What the execution of a set reserves of the key's budget. */
  private spendOf({ id, from, to, amountInAtomic }: TransactionSet): KeySpend {
    return {
      kind: 'swap',
      reference: id,
      valueUsd: this.prices.value(from, amountInAtomic),
      description: `Swap of ${formatUnits(amountInAtomic, from.decimals)} ${from.symbol} into ${to.symbol}`,
    };
  }

  /** A concurrent call changed the set: starts over with its new state. */
  private async again(
    { id }: TransactionSet,
    signed: readonly SignedTransaction[],
    broadcast: boolean,
    context: CallContext,
  ): Promise<TransactionSet> {
    return this.take((await this.sets.find(id))!, signed, broadcast, context);
  }

  /** The same signatures return the current state; others are rejected. */
  private repeated(set: TransactionSet, signed: readonly SignedTransaction[]): TransactionSet {
    if (set.state === 'expired') throw set.replacedBy === null ? tooLate(set) : wasReplaced(set.replacedBy);
    // Compared by raw bytes: the hash may belong to a replacement that the signer's wallet sent.
    const isSame = set.transactions.every((transaction, at) => transaction.signed?.raw === signed[at]!.raw);
    if (isSame) return set;
    const details = { reason: 'other_signatures', status: set.state };
    throw new DomainError('CONFLICT', 'The transaction is already being executed with other signatures.', {
      details,
    });
  }

  private async expire(set: TransactionSet, context: CallContext): Promise<DomainError> {
    const nowMs = this.clock.now();
    const after = { ...transition(set, 'expired'), endedAtMs: nowMs };
    await this.sets.save({ before: set, after, checkAtMs: null, nowMs, context });
    this.outbox.wake();
    return tooLate(set);
  }

  /** The reply to the first execution; a rejection by the chain fails the call. */
  private firstReply(set: TransactionSet): ExecutedSet | DomainError {
    return set.state === 'failed' ? failure(set.failure!) : this.view(set);
  }

  private view(set: TransactionSet): ExecutedSet {
    const { blockTimeMs } = this.chains.chain(set.transactions[0]!.chainId);
    return executedView(set, blockTimeMs, this.clock.now());
  }
}

const asFieldError = ({ index, reason }: SignatureError): FieldError => ({
  field: index === null ? 'signatures' : `signatures[${index}]`,
  message: reason,
});

function wasReplaced(transactionId: string): DomainError {
  const message = 'Its quote was built again with other terms. Execute the set that replaced it.';
  return new DomainError('INVALID_QUOTE', message, { details: { reason: 'replaced', transactionId } });
}

function tooLate({ validUntilMs }: TransactionSet): DomainError {
  const details = { validUntil: Math.floor(validUntilMs / 1_000) };
  return new DomainError('DEADLINE_EXCEEDED', 'validUntil has passed. Build again.', {
    details,
  });
}

function failure({ step, txHash, reason }: SetFailure): DomainError {
  const details = { step, txHash, reason, gasUsed: '0' };
  return new DomainError('TRANSACTION_FAILED', `The chain rejected the transaction: ${reason}.`, { details });
}
