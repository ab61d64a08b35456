import { Inject, Injectable } from '@nestjs/common';
import type { ExecutedSet, ExecuteRequest } from '@tollbridge/contracts';
import { DomainError, isUuid, type CallContext, type FieldError } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import { KeyBudgets, type KeySpend } from '@tollbridge/key-budgets';
import { formatUnits } from '@tollbridge/money';
import { OutboxWorker } from '@tollbridge/bootstrap';
import { EvmChains } from '../../chains/evm-chains';
import { SwapPrices } from '../../quotes/prices';
import { SetSender } from './set-sender';
import { executedView } from '../set-view';
import { SetsRepository } from '../storage/sets.repository';
import { readSignatures, type SignatureError, type SignedTransaction } from './signatures';
import { transition, type SetFailure, type TransactionSet } from '../transaction-set';

interface Execution {
  set: TransactionSet;
  signed: readonly SignedTransaction[];
  broadcast: boolean;
  context: CallContext;
}

/** Stores the signatures of a set and broadcasts it, with an exactly-once effect. */
@Injectable()
export class SetExecution {
  constructor(
    private readonly sets: SetsRepository,
    private readonly sender: SetSender,
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
    const done = await this.take({ set, signed: read.signed, broadcast, context });
    this.outbox.wake();
    const reply = set.state === 'built' ? this.firstReply(done) : this.view(done);
    if (reply instanceof DomainError) throw reply;
    return reply;
  }

  private async take(execution: Execution): Promise<TransactionSet> {
    const { set, signed, broadcast, context } = execution;
    if (set.state !== 'built') return this.repeated(set, signed);
    const nowMs = this.clock.now();
    if (nowMs >= set.validUntilMs) throw await this.expire(set, context);
    const taken = await (broadcast ? this.send(execution, nowMs) : this.keep(execution, nowMs));
    // After a concurrent change of the set, execution starts again with the new state.
    return taken ?? this.take({ ...execution, set: (await this.sets.find(set.id))! });
  }

  /** Stores the signatures without a broadcast. Returns undefined after a concurrent change. */
  private keep({ set, signed, context }: Execution, nowMs: number): Promise<TransactionSet | undefined> {
    return this.sets.save({
      before: set,
      after: withSignatures(set, signed),
      checkAtMs: null,
      nowMs,
      context,
      reply: (it) => this.firstReply(it),
    });
  }

  /** Stores the signatures and broadcasts the set, now or later. Returns undefined after a concurrent change. */
  private async send(execution: Execution, nowMs: number): Promise<TransactionSet | undefined> {
    const readiness = await this.sender.readiness(execution.set);
    switch (readiness.kind) {
      case 'outbid':
        throw readiness.error;
      case 'nonceUsed':
        return this.afterUsedNonce(execution, readiness.reason);
      case 'now':
      case 'later':
        return this.sign(execution, { isSentNow: readiness.kind === 'now', nowMs });
    }
  }

  /** Handles a used nonce: a concurrent call may have broadcast this set. */
  private async afterUsedNonce({ set, signed }: Execution, reason: string): Promise<TransactionSet> {
    const current = (await this.sets.find(set.id))!;
    if (current.state !== 'built') return this.repeated(current, signed);
    const details = { reason: 'nonce_used', nonce: set.transactions[0]!.nonce };
    throw new DomainError('CONFLICT', `The transaction can no longer be sent: ${reason}. Build again.`, {
      details,
    });
  }

  private async sign(
    { set, signed, context }: Execution,
    { isSentNow, nowMs }: { isSentNow: boolean; nowMs: number },
  ): Promise<TransactionSet | undefined> {
    const accepted = transition({ ...withSignatures(set, signed), executedAtMs: nowMs }, 'signed');
    const after = isSentNow ? transition(accepted, 'sending') : accepted;
    const checkAtMs = isSentNow ? this.sender.leaseEndMs() : nowMs;
    const change = { before: set, after, checkAtMs, nowMs, context };
    // The reply depends on the broadcast. Until the reply is stored, a replay returns the set's state.
    const reply = (it: TransactionSet): unknown => this.firstReply(it);
    const signing = await this.spends.during(
      context,
      () => this.spendOf(set),
      () => this.sets.sign(isSentNow ? change : { ...change, reply }),
      ({ kind }) => kind === 'signed',
    );
    switch (signing.kind) {
      case 'nonceTaken':
        throw nonceTaken(set);
      case 'changed':
        return undefined;
      case 'signed':
        return isSentNow ? this.sender.sendRecorded(signing.set, 0, context, reply) : signing.set;
    }
  }

  /** The spend that executing the set reserves in the key's budget. */
  private spendOf({ id, from, to, amountInAtomic }: TransactionSet): KeySpend {
    return {
      kind: 'swap',
      reference: id,
      valueUsd: this.prices.value(from, amountInAtomic),
      description: `Swap of ${formatUnits(amountInAtomic, from.decimals)} ${from.symbol} into ${to.symbol}`,
    };
  }

  /** Returns the current state for the same signatures, and rejects others. */
  private repeated(set: TransactionSet, signed: readonly SignedTransaction[]): TransactionSet {
    if (set.state === 'expired') throw set.replacedBy === null ? tooLate(set) : wasReplaced(set.replacedBy);
    // Compares raw bytes, because the hash may belong to a replacement that the signer's wallet sent.
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

  /** Returns the reply to the first execution. A rejection by the chain fails the call. */
  private firstReply(set: TransactionSet): ExecutedSet | DomainError {
    return set.state === 'failed' ? failure(set.failure!) : this.view(set);
  }

  private view(set: TransactionSet): ExecutedSet {
    const { blockTimeMs } = this.chains.chain(set.transactions[0]!.chainId);
    return executedView(set, blockTimeMs, this.clock.now());
  }
}

function withSignatures(set: TransactionSet, signed: readonly SignedTransaction[]): TransactionSet {
  const transactions = set.transactions.map((transaction, at) => ({ ...transaction, signed: signed[at]! }));
  return { ...set, transactions };
}

const asFieldError = ({ index, reason }: SignatureError): FieldError => ({
  field: index === null ? 'signatures' : `signatures[${index}]`,
  message: reason,
});

function nonceTaken({ transactions }: TransactionSet): DomainError {
  const message = 'One of its nonces is used by another transaction that is being sent. Build again.';
  const details = { reason: 'nonce_taken', nonces: transactions.map(({ nonce }) => nonce) };
  return new DomainError('CONFLICT', message, { details });
}

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
