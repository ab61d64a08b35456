import { feature, operation } from '@tollbridge/rpc';
import { Amount, Flag, FreeForm, Integer, ListOf, Nested, OneOf, Text, Unsigned } from '../decorators';
import { TxHash } from '../pay-orders/fields';
import {
  EvmAddress,
  Gas,
  QuoteId,
  quoteIdExample,
  TransactionId,
  UnixSeconds,
  UsdText,
  userExample,
  WeiPerGas,
} from './fields';
import { stepTypes, type StepType } from './quotes.api';
import { Id } from '../shared-fields';

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

// In practice at most five: approvals of two tokens, each with a reset, and the swap.
export const maxTransactions = 8;
export const maxBatchItems = 50;

export class GasSettings {
  static readonly example = { maxFeePerGas: '20000000000', maxPriorityFeePerGas: '1000000000' };
  @Amount(
    "Largest gas limit of each transaction; at most the chain's limit for a transaction, see EIP-7825",
    { optional: true, example: '500000' },
  )
  gasLimit?: string;
  @Amount('Wei per gas, including the tip', { optional: true, example: '2000000000' }) maxFeePerGas?: string;
  @Amount('Tip for the block producer, wei per gas', {
    optional: true,
    allowZero: true,
    example: '1000000000',
  })
  maxPriorityFeePerGas?: string;
  @Amount(
    'Gas price of legacy transactions (type 0), wei per gas. Beside `maxFeePerGas` or `maxPriorityFeePerGas` it applies only on chains without EIP-1559',
    { optional: true, example: '2000000000' },
  )
  gasPrice?: string;
}

export class BuildRequest {
  static readonly example = { quoteId: quoteIdExample, userAddress: userExample, skipApprovals: false };
  @QuoteId('Id of the quote to build') quoteId: string;
  @EvmAddress('Wallet that signs and pays; receives the output unless `recipient` is given', {
    receivesMoney: true,
  })
  userAddress: string;
  @EvmAddress(
    'Receives the output; by default `userAddress`. Contracts that would keep the output are rejected',
    { optional: true, receivesMoney: true },
  )
  recipient?: string;
  @UnixSeconds(
    'Deadline in Unix seconds: within 24 hours, by default in 20 minutes. The chain rejects a later swap',
    { optional: true },
  )
  deadline?: number;
  @Nested(() => GasSettings, "Overrides of the chain's suggested gas", { optional: true })
  gasSettings?: GasSettings;
  @Flag('Build no approvals: return INSUFFICIENT_ALLOWANCE when one is needed', {
    default: false,
    example: false,
  })
  skipApprovals: boolean;
}

export class BuiltTransaction {
  @Integer('Chain id', { example: 8453 }) chainId: number;
  @EvmAddress('Recipient of the transaction') to: string;
  @Text('Call data, hexadecimal', { maxLength: 131_074, example: '0x095ea7b3' }) data: string;
  @Amount('Wei to send along', { allowZero: true, example: '0' }) value: string;
  @Gas('Gas limit') gas: string;
  @WeiPerGas() maxFeePerGas: string;
  @WeiPerGas('Tip for the block producer, wei per gas') maxPriorityFeePerGas: string;
  @WeiPerGas('Present for legacy transactions (type 0), which are signed with it alone', { optional: true })
  gasPrice?: string;
  @Unsigned('Nonce of the signer', { example: 7 }) nonce: number;
  @OneOf(builtTypes, 'Type of the transaction') type: BuiltType;
  @Text('Human-readable description', { example: 'Allow 100 USDC to be taken for the swap' })
  description: string;
}

export class BuiltSummary {
  @Gas('Gas units of all transactions, as simulated') totalGasEstimate: string;
  @UsdText('Cost of that gas in US dollars; empty without a recent price') totalGasCostUsd: string;
  @Integer('Number of approvals among them', { example: 1 }) requiredApprovals: number;
  @Integer('Seconds until the output is delivered', { example: 20 }) estimatedTime: number;
}

export class BuiltSet {
  @TransactionId() transactionId: string;
  @OneOf(transactionStates, 'State of the transaction set', { example: 'built' }) status: TransactionState;
  @ListOf(() => BuiltTransaction, 'Transactions to sign, in this order', { maxItems: maxTransactions })
  transactions: BuiltTransaction[];
  @Nested(() => BuiltSummary, 'Totals of all transactions') summary: BuiltSummary;
  @Amount('Current expected output, smallest unit', { example: '99800000' }) outputAmount: string;
  @Amount('Guaranteed minimum output', { example: '99301000' }) minOutputAmount: string;
  @UnixSeconds('Deadline for the execution, Unix seconds') validUntil: number;
}

export class ExecuteRequest {
  @TransactionId() transactionId: string;
  @ListOf(
    'string',
    'One for each built transaction, in order: its 65-byte signature or the whole signed transaction, hexadecimal',
    { maxItems: maxTransactions, example: [`0x${'5c'.repeat(64)}1b`] },
  )
  signatures: string[];
  @Flag('false verifies and stores the signatures without sending', { default: true }) broadcast: boolean;
}

export const sentStatuses = ['waiting', 'pending', 'confirmed', 'failed', 'replaced', 'dropped'] as const;
export type SentStatus = (typeof sentStatuses)[number];

export class SentTransaction {
  @TxHash() hash: string;
  @Integer('Chain id', { example: 8453 }) chainId: number;
  @OneOf(builtTypes, 'Type of the transaction', { example: 'swap' }) type: BuiltType;
  @OneOf(sentStatuses, '`waiting`: not sent yet, because the previous one is not mined', {
    example: 'pending',
  })
  status: SentStatus;
  @Integer('Block number, once mined', { optional: true, example: 12_345_678 }) blockNumber?: number;
  @Gas('Gas used, once mined', { optional: true }) gasUsed?: string;
  @UnixSeconds('Expected confirmation time', { optional: true }) estimatedConfirmation?: number;
}

export class Progress {
  @Unsigned('Current step, from 1', { example: 1 }) currentStep: number;
  @Integer('Number of steps', { example: 2, min: 1 }) totalSteps: number;
  @Integer('Completed steps of all steps', { example: 50, min: 0, max: 100 }) percentage: number;
  @UnixSeconds('Expected completion time') estimatedCompletion: number;
}

export class ExecutedSet {
  @TransactionId() transactionId: string;
  @OneOf(transactionStates, 'State of the transaction set', { example: 'submitted' })
  status: TransactionState;
  @ListOf(() => SentTransaction, 'In the order of the built transactions', { maxItems: maxTransactions })
  transactions: SentTransaction[];
  @Nested(() => Progress, 'Progress') progress: Progress;
}

export class StatusQuery {
  @TransactionId() transactionId: string;
  @Flag('Include the built and sent transactions', { default: false }) includeDetails: boolean;
}

export class TransactionResult {
  @Flag('Whether the output token was delivered') success: boolean;
  @Amount('Delivered amount, as read on the chain; 0 when nothing was delivered', {
    allowZero: true,
    example: '99800000',
  })
  finalAmountOut: string;
  @Gas('Gas used by the transactions') actualGasUsed: string;
  @UsdText('Cost of that gas in US dollars; empty without a recent price') totalGasCostUsd: string;
}

export const stepStatuses = ['pending', 'submitted', 'confirming', 'completed', 'failed'] as const;
export type StepStatus = (typeof stepStatuses)[number];

export class TimelineItem {
  @OneOf(stepTypes, 'Step', { example: 'originSwap' }) step: StepType;
  @OneOf(stepStatuses, 'State of the step', { example: 'completed' }) status: StepStatus;
  @TxHash('Transaction of the step, once known', { optional: true }) txHash?: string;
  @UnixSeconds('Time of that state, Unix seconds', { optional: true }) timestamp?: number;
  @Gas("Gas that the signer's transactions used for the step; 0 where the route provider sends it", {
    optional: true,
  })
  gasUsed?: string;
  @Amount('Output of the step, smallest unit', { optional: true, allowZero: true, example: '99800000' })
  amountOut?: string;
}

/** Details of `TRANSACTION_FAILED`. */
export class FailureDetails {
  @OneOf(stepTypes, 'The failed step', { example: 'originSwap' }) step: StepType;
  @TxHash('Transaction of the step; null when none was mined', { nullable: true }) txHash: string | null;
  @Text('Revert reason of the contract, when it gives one', {
    maxLength: 1_000,
    example: 'Too little received',
  })
  reason: string;
  @Gas('Gas used') gasUsed: string;
}

export class TransactionFailure {
  @OneOf(['TRANSACTION_FAILED', 'DEADLINE_EXCEEDED'], 'Error code')
  code: 'TRANSACTION_FAILED' | 'DEADLINE_EXCEEDED';
  @Text('Human-readable text', { maxLength: 1_000, example: 'The swap was reverted by the chain.' })
  message: string;
  @Nested(() => FailureDetails, 'The failed step and transaction', { nullable: true })
  details: FailureDetails | null;
}

export class StatusDetails {
  @ListOf(() => BuiltTransaction, 'Transactions as built', { maxItems: maxTransactions })
  built: BuiltTransaction[];
  @ListOf(() => SentTransaction, 'Transactions as sent; empty before', { maxItems: maxTransactions })
  sent: SentTransaction[];
  @Nested(() => BuiltSummary, 'Totals as built') summary: BuiltSummary;
  @QuoteId('Id of the quote') quoteId: string;
  @Text('Provider of the route', { example: 'across' }) provider: string;
  @EvmAddress('Wallet that signs') userAddress: string;
  @EvmAddress('Wallet that receives the output') recipient: string;
  @Amount('Input amount, smallest unit', { example: '100000000' }) inputAmount: string;
  @Amount('Expected output at build time', { example: '99800000' }) outputAmount: string;
  @Amount('Guaranteed minimum output', { example: '99301000' }) minOutputAmount: string;
  @UnixSeconds('Deadline for the execution') validUntil: number;
  @Unsigned('Confirmations of the current transaction', { example: 1 }) confirmations: number;
  @Integer('Required confirmations', { example: 3, min: 1 }) requiredConfirmations: number;
}

export class TransactionStatus {
  @TransactionId() transactionId: string;
  @OneOf(transactionStates, 'State', { example: 'completed' }) status: TransactionState;
  @Nested(() => TransactionResult, 'Result once ended; null before', { nullable: true })
  result: TransactionResult | null;
  @Nested(() => TransactionFailure, 'Why the set failed; null unless it did', { nullable: true })
  failure: TransactionFailure | null;
  @ListOf(() => TimelineItem, 'All steps', { maxItems: 20 }) timeline: TimelineItem[];
  @UnixSeconds('Build time') createdAt: number;
  @UnixSeconds('End time; null before', { nullable: true }) completedAt: number | null;
  @Unsigned('Seconds from `createdAt` to `completedAt`; null before the end', { nullable: true, example: 14 })
  totalTime: number | null;
  @Nested(() => StatusDetails, 'With `includeDetails=true`', { optional: true }) details?: StatusDetails;
}

export class BatchItem {
  @Text('Your own name for the item, unique in the batch', { maxLength: 128, example: 'rebalance-1' })
  id: string;
  @QuoteId('Id of the quote to build') quoteId: string;
  @EvmAddress('Wallet that signs, pays and receives the output', { receivesMoney: true }) userAddress: string;
}

export class BatchRequest {
  @ListOf(
    () => BatchItem,
    'Items to build; those of one user on one chain get consecutive nonces in this order',
    {
      isFilled: true,
      maxItems: maxBatchItems,
      example: [{ id: 'rebalance-1', quoteId: quoteIdExample, userAddress: userExample }],
    },
  )
  transactions: BatchItem[];
  @Nested(() => GasSettings, 'Gas settings of all items', { optional: true }) gasSettings?: GasSettings;
}

export class BatchError {
  @Text('Error code', { example: 'QUOTE_EXPIRED' }) code: string;
  @Text('Human-readable text', { maxLength: 1_000, example: 'The quote has expired. Request a new quote.' })
  message: string;
  @FreeForm({}, 'Details, as for a single build; an empty object without any', { example: {} })
  details: unknown;
}

export class BatchItemResult {
  @Text('Your own name for the item', { example: 'rebalance-1' }) id: string;
  @TransactionId(
    'Id of the built set; null when it failed. GET …/status?includeDetails=true returns its transactions',
    { nullable: true },
  )
  transactionId: string | null;
  @OneOf(['built', 'failed'], 'Whether the item was built') status: 'built' | 'failed';
  @Gas('Gas units of its transactions; null when it failed', { nullable: true }) gasEstimate: string | null;
  @Nested(() => BatchError, 'Why the item was not built', { optional: true }) error?: BatchError;
}

export class BatchSummary {
  @Integer('Number of transactions to sign', { example: 3 }) totalTransactions: number;
  @Gas('Gas units of all transactions') totalGasEstimate: string;
  @UsdText('Cost of that gas in US dollars; empty without a recent price') totalGasCostUsd: string;
  @UsdText(
    'US dollars saved compared with separate builds: the gas of approvals that are not needed, because one approval covers all items of one user, token and spender; empty without a recent price',
  )
  estimatedSavings: string;
}

export class BatchReply {
  @Id('Id of the batch', { example: '0199aa12-0c55-7f03-a6b2-6d1e8f3c5b90' }) batchId: string;
  @ListOf(() => BatchItemResult, 'In the order of the request', { maxItems: maxBatchItems })
  transactions: BatchItemResult[];
  @Nested(() => BatchSummary, 'Totals of all items') summary: BatchSummary;
}

const buildErrors = [
  'INVALID_QUOTE',
  'QUOTE_EXPIRED',
  'QUOTE_UNAVAILABLE',
  'INSUFFICIENT_BALANCE',
  'INSUFFICIENT_ALLOWANCE',
  'GAS_LIMIT_EXCEEDED',
  'DEADLINE_EXCEEDED',
  'TRANSACTION_FAILED',
  'UPSTREAM_UNAVAILABLE',
] as const;

export const transactionsApi = feature('tx-engine', 'transactions', 'Swaps', {
  buildTransactions: operation('POST /v1/transaction/build', {
    operationId: 'buildSwap',
    summary: 'Build the transactions of a quote',
    description:
      'Approvals come first, only where the allowance is too low, and for exactly the amount. Gas is found by simulating the transactions in order. Sign each one as built: nonce and fees are part of the signed data. One quote and signer have one set: the same request returns the same set until it is signed or can no longer be executed; a request with other terms replaces it, and the replaced set expires. The quote of a signed or replaced set returns INVALID_QUOTE, with the reason in `details`: of a signed one when it is built again, of a replaced one when it is executed.',
    input: BuildRequest,
    output: BuiltSet,
    errors: buildErrors,
    auth: { key: 'publishable', permission: 'pay' },
    style: 'envelope',
    timeoutMs: 20_000,
  }),
  executeTransactions: operation('POST /v1/transaction/execute', {
    operationId: 'executeSwap',
    summary: 'Submit the signatures of built transactions',
    description:
      'Idempotent: a set is sent once, and repeating the same signatures returns its current state. Each transaction is sent once the previous one is mined.',
    input: ExecuteRequest,
    output: ExecutedSet,
    errors: [
      'NOT_FOUND',
      'INVALID_QUOTE',
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
  transactionStatus: operation('GET /v1/transaction/{transactionId}/status', {
    operationId: 'getSwapStatus',
    summary: 'Read the state of a transaction set',
    input: StatusQuery,
    output: TransactionStatus,
    errors: ['NOT_FOUND'],
    auth: { key: 'publishable', permission: 'read' },
    style: 'envelope',
  }),
  batchTransactions: operation('POST /v1/transaction/batch', {
    operationId: 'buildSwaps',
    summary: 'Build several quotes at once',
    description: `Up to ${maxBatchItems}. An item that cannot be built does not affect the others. Sign and execute each item by itself, in the order of the request.`,
    input: BatchRequest,
    output: BatchReply,
    auth: { key: 'publishable', permission: 'pay' },
    style: 'envelope',
    timeoutMs: 30_000,
  }),
});
