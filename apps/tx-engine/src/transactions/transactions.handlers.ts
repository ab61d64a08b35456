import { Controller, Inject } from '@nestjs/common';
import {
  transactionsApi,
  type BatchItemResult,
  type BatchReply,
  type BatchRequest,
  type BuildRequest,
  type BuiltSet,
  type ExecutedSet,
  type ExecuteRequest,
  type StatusQuery,
  type TransactionStatus,
} from '@tollbridge/contracts';
import {
  type CallContext,
  DomainError,
  type FieldError,
  Handles,
  isUuid,
  ownerOf,
  Validates,
} from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import { OutboxWorker } from '@tollbridge/bootstrap';
import { v7 as uuid } from 'uuid';
import { EvmChains } from '../chains/evm-chains';
import { validateAddresses } from './building/build-order';
import { SetBuilder } from './building/set-builder';
import type { BuiltSets } from './storage/built-sets';
import { SetExecution } from './sending/set-execution';
import { validateGasSettings } from './building/gas-fees';
import { builtSetView, detailsView, statusView } from './set-view';
import { SetsRepository } from './storage/sets.repository';
import { gasEstimate, type TransactionSet } from './transaction-set';

@Controller()
@Handles(transactionsApi)
export class TransactionsHandlers {
  constructor(
    private readonly sets: SetsRepository,
    private readonly builder: SetBuilder,
    private readonly executor: SetExecution,
    private readonly chains: EvmChains,
    private readonly outbox: OutboxWorker,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  async buildTransactions(request: BuildRequest, context: CallContext): Promise<BuiltSet> {
    const owner = ownerOf(context) ?? '';
    const replyOf = ({ results: [built] }: BuiltSets): BuiltSet => {
      if (!built || built instanceof DomainError) throw built;
      return builtSetView(built);
    };
    const run = { gasSettings: request.gasSettings, owner, batchId: null };
    const reply = await this.builder.build([request], run, context, replyOf);
    this.outbox.wake();
    return reply;
  }

  @Validates(transactionsApi.operations.buildTransactions)
  validateBuildTransactions(request: Partial<BuildRequest>): FieldError[] {
    return [...validateAddresses(request), ...validateGasSettings(request.gasSettings)];
  }

  executeTransactions(request: ExecuteRequest, context: CallContext): Promise<ExecutedSet> {
    return this.executor.execute(request, ownerOf(context) ?? '', context);
  }

  async transactionStatus(query: StatusQuery, context: CallContext): Promise<TransactionStatus> {
    const { transactionId, includeDetails } = query;
    const set = isUuid(transactionId)
      ? await this.sets.find(transactionId, ownerOf(context) ?? '')
      : undefined;
    if (!set) throw new DomainError('NOT_FOUND', 'The transaction does not exist. Check transactionId.');
    if (!includeDetails) return statusView(set);
    const { blockTimeMs } = this.chains.chain(set.transactions[0]!.chainId);
    return { ...statusView(set), details: detailsView(set, blockTimeMs, this.clock.now()) };
  }

  async batchTransactions(request: BatchRequest, context: CallContext): Promise<BatchReply> {
    const batchId = uuid();
    const orders = request.transactions.map(({ quoteId, userAddress }) => {
      return { quoteId, userAddress, skipApprovals: false };
    });
    const owner = ownerOf(context) ?? '';
    const replyOf = (built: BuiltSets) => batchView(batchId, request, built);
    const run = { gasSettings: request.gasSettings, owner, batchId };
    const reply = await this.builder.build(orders, run, context, replyOf);
    this.outbox.wake();
    return reply;
  }

  @Validates(transactionsApi.operations.batchTransactions)
  validateBatchTransactions({ transactions, gasSettings }: Partial<BatchRequest>): FieldError[] {
    const ids = new Set<string>();
    const repeated = (transactions ?? []).flatMap(({ id }, at) => {
      const isRepeated = id !== undefined && ids.has(id);
      ids.add(id);
      return isRepeated ? [{ field: `transactions[${at}].id`, message: 'is repeated in the batch' }] : [];
    });
    return [...repeated, ...validateGasSettings(gasSettings)];
  }
}

function batchView(
  batchId: string,
  { transactions }: BatchRequest,
  { results, gasCostUsd, savedUsd }: BuiltSets,
): BatchReply {
  const done = [...new Set(results)].filter((it): it is TransactionSet => !(it instanceof DomainError));
  return {
    batchId,
    transactions: transactions.map(({ id }, at) => itemView(id, results[at]!)),
    summary: {
      totalTransactions: done.reduce((sum, set) => sum + set.transactions.length, 0),
      totalGasEstimate: String(done.reduce((sum, set) => sum + gasEstimate(set), 0n)),
      totalGasCostUsd: gasCostUsd ?? '',
      estimatedSavings: savedUsd ?? '',
    },
  };
}

function itemView(id: string, result: TransactionSet | DomainError): BatchItemResult {
  if (!(result instanceof DomainError))
    return { id, transactionId: result.id, status: 'built', gasEstimate: String(gasEstimate(result)) };
  const { code, message, details } = result;
  const error = { code, message, details: details ?? {} };
  return { id, transactionId: null, status: 'failed', gasEstimate: null, error };
}
