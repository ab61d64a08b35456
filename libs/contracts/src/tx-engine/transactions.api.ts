import {
  Amount,
  feature,
  Flag,
  FreeForm,
  Integer,
  ListOf,
  Nested,
  OneOf,
  operation,
  Text,
} from '@tollbridge/rpc';
import {
  EvmAddress,
  Gas,
  QuoteId,
  quoteIdExample,
  TransactionId,
  TxHash,
  UnixSeconds,
  Usd,
  userExample,
  WeiPerGas,
} from './fields';
import { stepTypes, type StepType } from './quotes.api';

export const transactionStates = [
  'building',
  'built',
  'signing',
  'submitting',
  'submitted',
  'confirming',
  'completed',
  'failed',
  'expired',
] as const;
export type TransactionState = (typeof transactionStates)[number];

export const builtTypes = ['approval', 'swap'] as const;
export type BuiltType = (typeof builtTypes)[number];

// Approvals of two tokens with a reset each, and the swap, are five; nothing needs more.
export const maxTransactions = 8;
export const maxBatchItems = 50;

export class GasSettings {
  static readonly example = { maxFeePerGas: '20000000000', maxPriorityFeePerGas: '1000000000' };
  @Amount({
    description:
      'The most gas that each transaction may use; at most what the chain allows a transaction, see EIP-7825',
    optional: true,
    example: '500000',
  })
  gasLimit?: string;
  @Amount({ description: 'Wei per gas, tip included', optional: true, example: '2000000000' })
  maxFeePerGas?: string;
  @Amount({
    description: 'Wei per gas for the block producer',
    optional: true,
    allowZero: true,
    example: '1000000000',
  })
  maxPriorityFeePerGas?: string;
  @Amount({
    description:
      'Wei per gas of transactions of the old form (type 0). Beside `maxFeePerGas` or `maxPriorityFeePerGas` it counts only on chains without EIP-1559',
    optional: true,
    example: '2000000000',
  })
  gasPrice?: string;
}

export class BuildRequest {
  static readonly example = { quoteId: quoteIdExample, userAddress: userExample, skipApprovals: false };
  @QuoteId({ description: 'The quote to build' })
  quoteId: string;
  @EvmAddress({
    description: 'Who signs and pays; receives the output unless `recipient` says otherwise',
    receivesMoney: true,
  })
  userAddress: string;
  @EvmAddress({
    description:
      'Receives the output; `userAddress` unless given. Contracts that keep what they get are rejected',
    optional: true,
    receivesMoney: true,
  })
  recipient?: string;
  @UnixSeconds({
    description: 'The chain refuses the swap after it, Unix seconds; in 20 minutes unless given',
    optional: true,
  })
  deadline?: number;
  @Nested(() => GasSettings, { description: 'In place of what the chain suggests', optional: true })
  gasSettings?: GasSettings;
  @Flag({
    description: 'Build no approvals: answer INSUFFICIENT_ALLOWANCE where one is needed',
    default: false,
    example: false,
  })
  skipApprovals: boolean;
}

export class BuiltTransaction {
  @Integer({ description: 'Chain id', example: 8453 })
  chainId: number;
  @EvmAddress({ description: 'To whom it goes' })
  to: string;
  @Text({ description: 'Call data, hex', maxLength: 131_074, example: '0x095ea7b3' })
  data: string;
  @Amount({ description: 'Wei that go with it', allowZero: true, example: '0' })
  value: string;
  @Gas({ description: 'Gas limit' })
  gas: string;
  @WeiPerGas()
  maxFeePerGas: string;
  @WeiPerGas({ description: 'Wei per unit of gas for the block producer' })
  maxPriorityFeePerGas: string;
  @WeiPerGas({
    description: 'Present for transactions of the old form (type 0), which are signed with it alone',
    optional: true,
  })
  gasPrice?: string;
  @Integer({ description: 'Nonce of the signer', example: 7, min: 0 })
  nonce: number;
  @OneOf(builtTypes, { description: 'What it does', example: 'approval' })
  type: BuiltType;
  @Text({ description: 'The same for people', example: 'Allow 100 USDC to be taken for the swap' })
  description: string;
}

export class BuiltSummary {
  @Gas({ description: 'Gas units of all of them, as simulated' })
  totalGasEstimate: string;
  @Usd({ description: 'What that costs in US dollars; null without a recent price' })
  totalGasCostUsd: string | null;
  @Integer({ description: 'How many of them are approvals', example: 1 })
  requiredApprovals: number;
  @Integer({ description: 'Seconds until the output is there', example: 20 })
  estimatedTime: number;
}

export class BuiltSet {
  @TransactionId()
  transactionId: string;
  @OneOf(transactionStates, { description: 'State of the set', example: 'built' })
  status: TransactionState;
  @ListOf(() => BuiltTransaction, { description: 'To be signed, in this order', maxItems: maxTransactions })
  transactions: BuiltTransaction[];
  @Nested(() => BuiltSummary, { description: 'All of them together' })
  summary: BuiltSummary;
  @Amount({ description: 'What comes out as of now, smallest unit', example: '99800000' })
  outputAmount: string;
  @Amount({ description: 'Less than this is never delivered', example: '99301000' })
  minOutputAmount: string;
  @UnixSeconds({ description: 'Execute before, Unix seconds' })
  validUntil: number;
}

export class ExecuteRequest {
  @TransactionId()
  transactionId: string;
  @ListOf('string', {
    description:
      'One for each built transaction, in their order: its 65-byte signature as hex, or the whole signed transaction as hex',
    maxItems: maxTransactions,
    example: [`0x${'5c'.repeat(64)}1b`],
  })
  signatures: string[];
  @Flag({
    description: 'false checks and stores the signatures, and sends nothing yet',
    default: true,
    example: true,
  })
  broadcast: boolean;
}

export const sentStatuses = ['waiting', 'pending', 'confirmed', 'failed', 'replaced', 'dropped'] as const;
export type SentStatus = (typeof sentStatuses)[number];

export class SentTransaction {
  @TxHash()
  hash: string;
  @Integer({ description: 'Chain id', example: 8453 })
  chainId: number;
  @OneOf(builtTypes, { description: 'What it does', example: 'swap' })
  type: BuiltType;
  @OneOf(sentStatuses, {
    description: '`waiting` is not sent yet: the one before it has to be mined first',
    example: 'pending',
  })
  status: SentStatus;
  @Integer({ description: 'Block, once mined', optional: true, example: 12_345_678 })
  blockNumber?: number;
  @Gas({ description: 'Gas used, once mined', optional: true })
  gasUsed?: string;
  @UnixSeconds({ description: 'When it is expected to be confirmed', optional: true })
  estimatedConfirmation?: number;
}

export class Progress {
  @Integer({ description: 'The step under way, counted from 1', example: 1, min: 0 })
  currentStep: number;
  @Integer({ description: 'Steps in all', example: 2, min: 1 })
  totalSteps: number;
  @Integer({ description: 'Steps done of all', example: 50, min: 0, max: 100 })
  percentage: number;
  @UnixSeconds({ description: 'When all is expected to be done' })
  estimatedCompletion: number;
}

export class ExecutedSet {
  @TransactionId()
  transactionId: string;
  @OneOf(transactionStates, { description: 'State of the set', example: 'submitted' })
  status: TransactionState;
  @ListOf(() => SentTransaction, { description: 'In the order of the built ones', maxItems: maxTransactions })
  transactions: SentTransaction[];
  @Nested(() => Progress, { description: 'How far it is' })
  progress: Progress;
}

export class StatusQuery {
  @TransactionId()
  transactionId: string;
  @Flag({ description: 'With the built and the sent transactions', default: false, example: true })
  includeDetails: boolean;
}

export class TransactionResult {
  @Flag({ description: 'Whether the wanted token was delivered', example: true })
  success: boolean;
  @Amount({
    description: 'What was delivered, as read on the chain; null when nothing was',
    nullable: true,
    allowZero: true,
    example: '99800000',
  })
  finalAmountOut: string | null;
  @Gas({ description: 'Gas used by your transactions' })
  actualGasUsed: string;
  @Usd({ description: 'What that gas cost in US dollars; null without a recent price' })
  totalGasCostUsd: string | null;
}

export const stepStatuses = ['pending', 'submitted', 'confirming', 'completed', 'failed'] as const;
export type StepStatus = (typeof stepStatuses)[number];

export class TimelineItem {
  @OneOf(stepTypes, { description: 'Step', example: 'originSwap' })
  step: StepType;
  @OneOf(stepStatuses, { description: 'How far it is', example: 'completed' })
  status: StepStatus;
  @TxHash({ description: 'Its transaction, once there is one', optional: true })
  txHash?: string;
  @UnixSeconds({ description: 'When it got there, Unix seconds', optional: true })
  timestamp?: number;
  @Gas({ description: 'Gas that it used', optional: true })
  gasUsed?: string;
  @Amount({
    description: 'What came out of it, smallest unit',
    optional: true,
    allowZero: true,
    example: '99800000',
  })
  amountOut?: string;
}

/** What `TRANSACTION_FAILED` says. */
export class FailureDetails {
  @OneOf(stepTypes, { description: 'The step that failed', example: 'originSwap' })
  step: StepType;
  @TxHash({ description: 'Its transaction; null when none was mined', nullable: true })
  txHash: string | null;
  @Text({
    description: 'Why, as the contract says it where it does',
    maxLength: 1_000,
    example: 'Too little received',
  })
  reason: string;
  @Gas({ description: 'Gas that was used up' })
  gasUsed: string;
}

export class TransactionFailure {
  @OneOf(['TRANSACTION_FAILED', 'DEADLINE_EXCEEDED'], {
    description: 'Error code',
    example: 'TRANSACTION_FAILED',
  })
  code: 'TRANSACTION_FAILED' | 'DEADLINE_EXCEEDED';
  @Text({ description: 'For people', maxLength: 1_000, example: 'The swap was reverted by the chain.' })
  message: string;
  @Nested(() => FailureDetails, { description: 'What failed', nullable: true })
  details: FailureDetails | null;
}

export class StatusDetails {
  @ListOf(() => BuiltTransaction, { description: 'As built', maxItems: maxTransactions })
  built: BuiltTransaction[];
  @ListOf(() => SentTransaction, { description: 'As sent; empty before', maxItems: maxTransactions })
  sent: SentTransaction[];
  @Nested(() => BuiltSummary, { description: 'As built' })
  summary: BuiltSummary;
  @QuoteId({ description: 'What it was built from' })
  quoteId: string;
  @Text({ description: 'Whose way it is', example: 'across' })
  provider: string;
  @EvmAddress({ description: 'Who signs' })
  userAddress: string;
  @EvmAddress({ description: 'Who receives' })
  recipient: string;
  @Amount({ description: 'What is given, smallest unit', example: '100000000' })
  inputAmount: string;
  @Amount({ description: 'What was to come out when it was built', example: '99800000' })
  outputAmount: string;
  @Amount({ description: 'Less than this is never delivered', example: '99301000' })
  minOutputAmount: string;
  @UnixSeconds({ description: 'Execute before' })
  validUntil: number;
  @Integer({ description: 'Confirmations of the transaction under way', example: 1, min: 0 })
  confirmations: number;
  @Integer({ description: 'Confirmations that it needs', example: 3, min: 1 })
  requiredConfirmations: number;
}

export class TransactionStatus {
  @TransactionId()
  transactionId: string;
  @OneOf(transactionStates, { description: 'State', example: 'completed' })
  status: TransactionState;
  @Nested(() => TransactionResult, { description: 'Once it is over; null before', nullable: true })
  result: TransactionResult | null;
  @Nested(() => TransactionFailure, { description: 'Why it failed; null unless it did', nullable: true })
  failure: TransactionFailure | null;
  @ListOf(() => TimelineItem, { description: 'Every step', maxItems: 20 })
  timeline: TimelineItem[];
  @UnixSeconds({ description: 'When it was built' })
  createdAt: number;
  @UnixSeconds({ description: 'When it was over; null before', nullable: true })
  completedAt: number | null;
  @Integer({
    description: 'Seconds from execution to the end; null before',
    nullable: true,
    example: 14,
    min: 0,
  })
  totalTime: number | null;
  @Nested(() => StatusDetails, { description: 'With `includeDetails=true`', optional: true })
  details?: StatusDetails;
}

export class BatchItem {
  @Text({ description: 'Your name for it, unique in the batch', maxLength: 128, example: 'rebalance-1' })
  id: string;
  @QuoteId({ description: 'The quote to build' })
  quoteId: string;
  @EvmAddress({ description: 'Who signs, pays and receives the output', receivesMoney: true })
  userAddress: string;
}

export class BatchRequest {
  @ListOf(() => BatchItem, {
    description: 'What to build; those of one user on one chain get consecutive nonces in this order',
    maxItems: maxBatchItems,
    example: [{ id: 'rebalance-1', quoteId: quoteIdExample, userAddress: userExample }],
  })
  transactions: BatchItem[];
  @Nested(() => GasSettings, { description: 'For all of them', optional: true })
  gasSettings?: GasSettings;
}

export class BatchError {
  @Text({ description: 'Error code', example: 'QUOTE_EXPIRED' })
  code: string;
  @Text({
    description: 'For people',
    maxLength: 1_000,
    example: 'The quote has expired. Request a new quote.',
  })
  message: string;
  @FreeForm({}, { description: 'As a single build would say it', optional: true, example: null })
  details?: unknown;
}

export class BatchItemResult {
  @Text({ description: 'Your name for it', example: 'rebalance-1' })
  id: string;
  @TransactionId({
    description:
      'The built set, whose transactions GET …/status?includeDetails=true shows; null when it failed',
    nullable: true,
  })
  transactionId: string | null;
  @OneOf(['built', 'failed'], { description: 'Whether it was built', example: 'built' })
  status: 'built' | 'failed';
  @Gas({ description: 'Gas units of its transactions; null when it failed', nullable: true })
  gasEstimate: string | null;
  @Nested(() => BatchError, { description: 'Why it was not built', optional: true })
  error?: BatchError;
}

export class BatchSummary {
  @Integer({ description: 'Transactions to sign in all', example: 3 })
  totalTransactions: number;
  @Gas({ description: 'Gas units of all' })
  totalGasEstimate: string;
  @Usd({ description: 'What they cost in US dollars; null without a recent price' })
  totalGasCostUsd: string | null;
  @Usd({
    description:
      'What the batch saves against building one by one, in US dollars: the gas of the approvals that it needs fewer, because one approval covers all items of one user, token and spender',
  })
  estimatedSavings: string | null;
}

export class BatchReply {
  @Text({ description: 'The batch', format: 'uuid', example: '0199aa12-0c55-7f03-a6b2-6d1e8f3c5b90' })
  batchId: string;
  @ListOf(() => BatchItemResult, { description: 'In the order of the request', maxItems: maxBatchItems })
  transactions: BatchItemResult[];
  @Nested(() => BatchSummary, { description: 'All of them together' })
  summary: BatchSummary;
}

const buildErrors = [
  'INVALID_QUOTE',
  'QUOTE_EXPIRED',
  'CONFLICT',
  'QUOTE_UNAVAILABLE',
  'INSUFFICIENT_BALANCE',
  'INSUFFICIENT_ALLOWANCE',
  'GAS_LIMIT_EXCEEDED',
  'DEADLINE_EXCEEDED',
  'TRANSACTION_FAILED',
  'UPSTREAM_UNAVAILABLE',
] as const;

export const transactionsApi = feature('tx-engine', 'transactions', 'Swaps', {
  buildTransactions: operation({
    operationId: 'buildSwap',
    method: 'POST',
    path: '/v1/transaction/build',
    summary: 'Build the transactions of a quote',
    description:
      'Approvals come first and only where the allowance is short, for exactly the amount. Gas is found by simulating them in their order. Sign each as built: nonce and fees are part of what is signed. One quote and signer have one set: the same request answers the same set until it is signed or cannot be executed any more; a request with other terms replaces it, and the replaced set expires. Once the set is signed, building the quote again answers CONFLICT.',
    input: BuildRequest,
    output: BuiltSet,
    errors: buildErrors,
    auth: { key: 'publishable', permission: 'pay' },
    style: 'envelope',
    timeoutMs: 20_000,
  }),
  executeTransactions: operation({
    operationId: 'executeSwap',
    method: 'POST',
    path: '/v1/transaction/execute',
    summary: 'Submit the signatures of built transactions',
    description:
      'Safe to repeat: a set is sent once, and the same signatures are answered with how far it is. Each transaction is sent when the one before it is mined.',
    input: ExecuteRequest,
    output: ExecutedSet,
    errors: [
      'NOT_FOUND',
      'INVALID_SIGNATURE',
      'BUDGET_EXCEEDED',
      'MAX_PER_TX_EXCEEDED',
      'UPSTREAM_UNAVAILABLE',
      'CONFLICT',
      'DEADLINE_EXCEEDED',
      'GAS_LIMIT_EXCEEDED',
      'TRANSACTION_FAILED',
    ],
    auth: { key: 'publishable', permission: 'pay' },
    style: 'envelope',
    timeoutMs: 20_000,
  }),
  transactionStatus: operation({
    operationId: 'getSwapStatus',
    method: 'GET',
    path: '/v1/transaction/{transactionId}/status',
    summary: 'Read how far a set of transactions is',
    input: StatusQuery,
    output: TransactionStatus,
    errors: ['NOT_FOUND'],
    auth: { key: 'publishable', permission: 'read' },
    style: 'envelope',
  }),
  batchTransactions: operation({
    operationId: 'buildSwaps',
    method: 'POST',
    path: '/v1/transaction/batch',
    summary: 'Build several quotes at once',
    description: `Up to ${maxBatchItems}. One that cannot be built does not spoil the others. Sign and execute each by itself, in the order of the request.`,
    input: BatchRequest,
    output: BatchReply,
    errors: [],
    auth: { key: 'publishable', permission: 'pay' },
    style: 'envelope',
    timeoutMs: 30_000,
  }),
});
