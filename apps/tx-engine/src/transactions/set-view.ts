import type {
  BuiltSet,
  BuiltSummary,
  BuiltTransaction,
  ExecutedSet,
  Progress,
  SentTransaction,
  StatusDetails,
  StepStatus,
  StepType,
  TimelineItem,
  TransactionFailure,
  TransactionResult,
  TransactionStatus,
  TransactionUpdate,
} from '@tollbridge/contracts';
import {
  firstStep,
  gasEstimate,
  gasUsed,
  isAcross,
  swapOf,
  type SetTransaction,
  type TransactionSet,
} from './transaction-set';

const seconds = (ms: number): number => Math.floor(ms / 1_000);

/** Converts a transaction to sign. */
function builtView({ fees, ...transaction }: SetTransaction): BuiltTransaction {
  const { chainId, to, data, valueAtomic, gasLimitUnits, nonce, type, description } = transaction;
  const maxFeePerGas = String(fees.maxFeePerGas);
  return {
    chainId,
    to,
    data,
    nonce,
    type,
    description,
    value: String(valueAtomic),
    gas: String(gasLimitUnits),
    maxFeePerGas,
    maxPriorityFeePerGas: String(fees.maxPriorityFeePerGas),
    ...(fees.isLegacy && { gasPrice: maxFeePerGas }),
  };
}

function summaryView(set: TransactionSet): BuiltSummary {
  const { transactions, estimatedSeconds, gasCostUsd } = set;
  return {
    totalGasEstimate: String(gasEstimate(set)),
    totalGasCostUsd: gasCostUsd ?? '',
    requiredApprovals: transactions.filter(({ type }) => type === 'approval').length,
    estimatedTime: estimatedSeconds,
  };
}

export function builtSetView(set: TransactionSet): BuiltSet {
  return {
    transactionId: set.id,
    status: set.state,
    transactions: set.transactions.map(builtView),
    summary: summaryView(set),
    outputAmount: String(set.amountOutAtomic),
    minOutputAmount: String(set.minAmountOutAtomic),
    validUntil: seconds(set.validUntilMs),
  };
}

/** @param blockMs block time of the origin chain */
export function executedView(set: TransactionSet, blockMs: number, nowMs: number): ExecutedSet {
  return {
    transactionId: set.id,
    status: set.state,
    transactions: sentView(set, blockMs, nowMs),
    progress: progressView(set, nowMs),
  };
}

function sentView(set: TransactionSet, blockMs: number, nowMs: number): SentTransaction[] {
  return set.transactions.flatMap(
    ({ signed, chainId, type, status, block, gasUsedUnits }, at): SentTransaction[] => {
      if (signed === null) return [];
      const sent = { hash: signed.hash, chainId, type, status };
      if (block !== null) return [{ ...sent, blockNumber: block.height, gasUsed: String(gasUsedUnits) }];
      if (status !== 'pending' && status !== 'waiting') return [sent];
      // One block for each earlier transaction, and one for this transaction.
      const ahead = set.transactions.slice(0, at + 1).filter((it) => it.block === null).length;
      return [{ ...sent, estimatedConfirmation: seconds(nowMs + ahead * blockMs) }];
    },
  );
}

function progressView(set: TransactionSet, nowMs: number): Progress {
  const timeline = timelineOf(set);
  const done = timeline.filter(({ status }) => status === 'completed').length;
  const totalSteps = timeline.length;
  const startMs = set.executedAtMs ?? nowMs;
  return {
    currentStep: Math.min(done + 1, totalSteps),
    totalSteps,
    percentage: Math.floor((done * 100) / totalSteps),
    estimatedCompletion: seconds(set.endedAtMs ?? Math.max(nowMs, startMs + set.estimatedSeconds * 1_000)),
  };
}

/** Lists all approvals, then all steps of the swap. Steps before the bridge are part of the swap transaction. */
export function timelineOf(set: TransactionSet): TimelineItem[] {
  const approvals = set.transactions.slice(0, -1).map((transaction) => ({
    step: 'approval' as StepType,
    ...legOf(transaction, transaction.block === null ? 0 : 1),
  }));
  return [...approvals, ...set.steps.map(({ type }) => swapStepView(set, type))];
}

function swapStepView(set: TransactionSet, type: StepType): TimelineItem {
  const swap = swapOf(set);
  const item = isAfterBridge(type)
    ? { step: type, ...deliveryOf(set, type) }
    : { step: type, ...legOf(swap, isAcross(set) && set.delivery ? 1 : set.originConfirmations) };
  const isLast = type === set.steps.at(-1)!.type;
  const isFailed = set.state === 'failed' && set.failure?.step === type;
  return {
    ...item,
    ...(isFailed && { status: 'failed' as StepStatus }),
    ...(isLast && set.delivery && { amountOut: String(set.delivery.amountAtomic) }),
  };
}

const isAfterBridge = (type: StepType): boolean => type === 'bridge' || type === 'destinationSwap';

/** Returns the progress of a transaction of the signer. */
function legOf(transaction: SetTransaction, required: number): Omit<TimelineItem, 'step'> {
  const { signed, status, sentAtMs, minedAtMs, gasUsedUnits, confirmations } = transaction;
  if (signed === null || status === 'waiting') return { status: 'pending' };
  const at = minedAtMs ?? sentAtMs;
  return {
    status: legStatus(status, confirmations >= required),
    txHash: signed.hash,
    ...(at !== null && { timestamp: seconds(at) }),
    ...(gasUsedUnits !== null && { gasUsed: String(gasUsedUnits) }),
  };
}

function legStatus(status: SetTransaction['status'], isDeep: boolean): StepStatus {
  if (status === 'confirmed') return isDeep ? 'completed' : 'confirming';
  return status === 'pending' || status === 'waiting' ? 'submitted' : 'failed';
}

/** Returns the progress on the destination chain. Before the delivery, the bridge shows the swap transaction. */
function deliveryOf(set: TransactionSet, type: StepType): Omit<TimelineItem, 'step'> {
  const { delivery, destinationConfirmations } = set;
  if (delivery) {
    const isDeep = delivery.confirmations >= destinationConfirmations;
    return {
      status: isDeep ? 'completed' : 'confirming',
      txHash: delivery.txHash,
      timestamp: seconds(delivery.atMs),
      gasUsed: String(type === 'bridge' && firstStep(set) === 'bridge' ? swapOf(set).gasUsedUnits : 0n),
    };
  }
  const { signed, block, sentAtMs } = swapOf(set);
  const isUnderWay = type === 'bridge' && (block !== null || firstStep(set) === 'bridge');
  if (!isUnderWay || signed === null || sentAtMs === null) return { status: 'pending' };
  return { status: 'submitted', txHash: signed.hash, timestamp: seconds(sentAtMs) };
}

/** Returns the current step with the confirmations of its transaction. */
export function currentStep(set: TransactionSet): {
  step: StepType;
  txHash: string | null;
  confirmations: number;
  required: number;
} {
  const timeline = timelineOf(set);
  const at = timeline.findIndex(({ status }) => status !== 'completed');
  const { step, txHash = null } = timeline[at < 0 ? timeline.length - 1 : at]!;
  const isDelivered = isAfterBridge(step) && set.delivery !== null;
  const transaction = isDelivered ? set.delivery : set.transactions.find((it) => it.signed?.hash === txHash);
  const required = isDelivered
    ? set.destinationConfirmations
    : step === 'approval'
      ? 1
      : set.originConfirmations;
  // Capped, because more confirmations than required would publish an update for every block.
  return { step, txHash, confirmations: Math.min(transaction?.confirmations ?? 0, required), required };
}

/** Returns the update of a set for the stream. */
export function updateOf(set: TransactionSet, nowMs: number): TransactionUpdate {
  const { step, txHash, confirmations, required } = currentStep(set);
  return {
    transactionId: set.id,
    status: set.state,
    step,
    txHash,
    confirmations,
    requiredConfirmations: required,
    timestamp: seconds(nowMs),
    version: set.version,
    ...(set.state === 'failed' && set.failure?.isSpent && { spent: true }),
  };
}

export function statusView(set: TransactionSet): TransactionStatus {
  const { createdAtMs, endedAtMs } = set;
  return {
    transactionId: set.id,
    status: set.state,
    result: resultOf(set),
    failure: failureOf(set),
    timeline: timelineOf(set),
    createdAt: seconds(createdAtMs),
    completedAt: endedAtMs === null ? null : seconds(endedAtMs),
    // The difference of the two rounded numbers above, so that the three values agree.
    totalTime: endedAtMs === null ? null : seconds(endedAtMs) - seconds(createdAtMs),
  };
}

function resultOf(set: TransactionSet): TransactionResult | null {
  if (set.state !== 'completed' && set.state !== 'failed') return null;
  return {
    success: set.state === 'completed',
    finalAmountOut: String(set.delivery?.amountAtomic ?? 0n),
    actualGasUsed: String(gasUsed(set)),
    totalGasCostUsd: set.gasCostUsd ?? '',
  };
}

function failureOf(set: TransactionSet): TransactionFailure | null {
  if (set.state === 'expired') {
    const message =
      set.replacedBy === null
        ? 'The transaction was not executed before validUntil. Build again.'
        : `It was replaced by ${set.replacedBy}, which was built from the same quote with other terms.`;
    return { code: 'DEADLINE_EXCEEDED', message, details: null };
  }
  const { failure } = set;
  if (!failure) return null;
  const { step, txHash, reason } = failure;
  const message = `The step ${step} failed: ${reason}.`;
  const details = { step, txHash, reason, gasUsed: String(gasUsed(set)) };
  return { code: 'TRANSACTION_FAILED', message, details };
}

/** Returns the details of a status with `includeDetails`. */
export function detailsView(set: TransactionSet, blockMs: number, nowMs: number): StatusDetails {
  const { confirmations, required } = currentStep(set);
  return {
    built: set.transactions.map(builtView),
    sent: sentView(set, blockMs, nowMs),
    summary: summaryView(set),
    quoteId: set.quoteId,
    provider: set.provider,
    userAddress: set.user,
    recipient: set.recipient,
    inputAmount: String(set.amountInAtomic),
    outputAmount: String(set.amountOutAtomic),
    minOutputAmount: String(set.minAmountOutAtomic),
    validUntil: seconds(set.validUntilMs),
    confirmations,
    requiredConfirmations: required,
  };
}
