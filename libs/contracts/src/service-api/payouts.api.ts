import { feature, internalFeature, internalOperation, merchantAuth, operation } from '@tollbridge/rpc';
import {
  Amount,
  AmountNumber,
  Figure,
  Flag,
  FreeForm,
  Integer,
  ListOf,
  ListOrJson,
  Nested,
  OneOf,
  Text,
  Timestamp,
  Unsigned,
} from '../decorators';
import { Cursor, Limit, NextCursor, UsedLimit } from '../list-fields';
import { Address, ChainName, TokenSymbol } from '../pay-orders/fields';
import { idExample } from '../shared-fields';

// One person can review this number, and a node can simulate it within seconds.
const maxRecipients = 1_000;
// Integers up to this bound are exact as JSON numbers. Sums of a thousand of them are texts.
const maxAmount = 1e15;
export const maxPayoutWarnings = 100;
const payoutId = { description: 'Id of the payout', format: 'uuid', example: idExample };
const recipientAddress = {
  description: 'Recipient: an address of the chain',
  maxLength: 256,
  example: '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
};

export class PayoutRecipient {
  @Text({ ...recipientAddress, receivesMoney: true }) address: string;
  @AmountNumber(
    'Amount in whole tokens: 12.5 is twelve and a half. Parsed exactly, with at most as many decimals as the token has',
    { max: maxAmount, example: 12.5 },
  )
  amount: number;
}

export class PayoutRequest {
  @Address(
    'Paying wallet: the wallet of the API key. In previews on chains of another family: any address of the chain',
  )
  wallet: string;
  @ChainName('Chain to pay on, any listed one: id, CAIP-2 or short name') chain: string;
  @TokenSymbol('Token to pay with: symbol or contract address') token: string;
  @ListOrJson(
    () => PayoutRecipient,
    `Recipients and amounts: a list of up to ${maxRecipients}, or the JSON text of such a list`,
    { maxItems: maxRecipients, example: [{ address: recipientAddress.example, amount: 12.5 }] },
  )
  recipients: PayoutRecipient[];
  @Flag('Whether an address may occur more than once in the list; it is then paid each time', {
    default: false,
    example: false,
  })
  allowDuplicates: boolean;
}

/**
 * - `LOOK_ALIKE`: the address begins and ends like another address
 * - `DUPLICATE`: the address is paid more than once
 * - `OWN_WALLET`: the recipient is the paying wallet
 * - `INSUFFICIENT_BALANCE`: the wallet's balance is below the amounts plus the fee
 * - `RECIPIENT_REFUSED`: the token rejects this transfer
 * - `NOT_SIMULATED`: the chain has no node in this deployment, so balance and transfers were not verified
 */
export const payoutWarnings = [
  'LOOK_ALIKE',
  'DUPLICATE',
  'OWN_WALLET',
  'INSUFFICIENT_BALANCE',
  'RECIPIENT_REFUSED',
  'NOT_SIMULATED',
] as const;
export type PayoutWarningCode = (typeof payoutWarnings)[number];

export class PayoutWarning {
  @OneOf(payoutWarnings, 'Type of the warning') code: PayoutWarningCode;
  @Text('The field that the warning concerns', { example: 'recipients[3].address' }) field: string;
  @Text('Human-readable text', {
    example: 'begins and ends as recipients[1].address but is another address: compare every character',
  })
  message: string;
}

export class PayoutPreview {
  @Address('Paying wallet, in canonical form') wallet: string;
  @ChainName('CAIP-2 identifier of the chain') chain: string;
  @TokenSymbol('Symbol of the token') token: string;
  @Integer('Number of transfers', { min: 1, max: maxRecipients, example: 1 }) recipientCount: number;
  @Figure('Sum for all recipients in whole tokens, without the fee', { example: 12.5 }) totalAmount: number;
  @Amount('The same amount, exact, in the smallest unit', { example: '12500000' }) totalAmountAtomic: string;
  @Figure('Half a percent of the total, rounded up to the smallest unit; paid on top of the total', {
    example: 0.0625,
  })
  fee: number;
  @Amount('The same amount, exact, in the smallest unit', { example: '62500' }) feeAtomic: string;
  @Text(
    "Gas of all transfers together: units of gas on EVM chains, elsewhere the usual fee in the coin's smallest unit",
    { example: '62180' },
  )
  estimatedGas: string;
  @OneOf(
    ['simulated', 'assumed'],
    "`simulated`: every transfer was simulated on the newest block. `assumed`: some fail in the wallet's current state, or the chain has no node here; they count with a typical cost",
  )
  gasSource: 'simulated' | 'assumed';
  @ListOf(() => PayoutWarning, `Warnings to review before paying; the first ${maxPayoutWarnings}`, {
    maxItems: maxPayoutWarnings,
  })
  warnings: PayoutWarning[];
  @Unsigned('Number of all warnings', { example: 1 }) warningCount: number;
}

const Status = () =>
  OneOf(['pending'], '`pending`: recorded. `GET /payout/{id}` reports its on-chain status', {
    example: 'pending',
  });
const Message = () =>
  Text('Human-readable next step', {
    maxLength: 500,
    example:
      'The payout is taken down as pending, and waits for approval: read it with GET /payout/0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d, sign its batches with the wallet, and approve it with another key of the wallet.',
  });

export class PayoutReply extends PayoutPreview {
  @Text(payoutId) payoutId: string;
  @Status() status: 'pending';
  @Message() message: string;
  @Timestamp('Submission time', { example: '2026-11-22T12:00:00.000Z' }) createdAt: string;
}

export class PayoutQuery {
  @Text({ ...payoutId, maxLength: 64 }) id: string;
}

/**
 * - `awaiting_approval`: the wallet must sign its batches, and a key other than the submitting key must approve it
 * - `sending`: approved, and its batches are being sent
 * - `completed`: every recipient was paid
 * - `partly_paid`: ended, but some recipients were not paid
 * - `failed`: ended without a paid recipient
 * - `rejected`: rejected by a key of the wallet, before any batch was sent
 * - `expired`: not approved in time
 */
export const payoutStates = [
  'awaiting_approval',
  'sending',
  'completed',
  'partly_paid',
  'failed',
  'rejected',
  'expired',
] as const;
export type PayoutState = (typeof payoutStates)[number];

export const recipientStatuses = ['pending', 'sending', 'paid', 'refused', 'failed'] as const;
export type RecipientStatus = (typeof recipientStatuses)[number];

const TransactionHash = (description: string) =>
  Text(description, { nullable: true, example: `0x${'5c'.repeat(32)}` });

export class PaidRecipient {
  @Text(recipientAddress) address: string;
  @Figure('Amount in whole tokens', { example: 12.5 }) amount: number;
  @Amount('The same amount, exact, in the smallest unit', { example: '12500000' }) amountAtomic: string;
  @OneOf(
    recipientStatuses,
    '`pending`: nothing was sent. `sending`: the batch is being sent. `paid`: final. `refused`: the token rejected the transfer, and the amount was returned. `failed`: the batch was not paid',
    { example: 'paid' },
  )
  status: RecipientStatus;
  @TransactionHash('Transaction that paid the recipient; null before') transactionHash: string | null;
}

export class PayoutBatch {
  @Unsigned('Number of the batch', { example: 0 }) index: number;
  @Unsigned("Position of the batch's first recipient in the list", { example: 0 })
  firstRecipient: number;
  @Integer('Number of recipients in the batch', { min: 1, example: 1 }) recipientCount: number;
  @Amount('Sum for these recipients, in the smallest unit', { example: '12500000' })
  totalAmountAtomic: string;
  @Amount('Share of the fee', { allowZero: true, example: '62500' }) feeAtomic: string;
  @OneOf(
    ['waiting', 'ready', 'sending', 'paid', 'failed'],
    '`waiting`: needs its signature. `ready`: to be sent. `sending`: sent, not final yet. `paid`: final. `failed`: not paid, and no longer payable',
  )
  status: 'waiting' | 'ready' | 'sending' | 'paid' | 'failed';
  @Text('Why the batch is not paid, or not paid yet', { maxLength: 500, nullable: true })
  reason: string | null;
  @TransactionHash('Transaction that pays the batch; null before') transactionHash: string | null;
  @FreeForm(
    { type: 'object' },
    "Typed data for the wallet's `eth_signTypedData_v4`: a Permit2 permission that pays exactly this list, once; null when nothing has to be signed",
    {
      nullable: true,
      example: {
        domain: { name: 'Permit2', chainId: 8453 },
        primaryType: 'PermitWitnessTransferFrom',
        types: {},
        message: {},
      },
    },
  )
  typedData: Record<string, unknown> | null;
}

export class PayoutAllowance {
  @Address('Address of Permit2, which needs the allowance') spender: string;
  @Amount('Required allowance', { example: '12562500' }) neededAtomic: string;
  @Amount('Current allowance', { allowZero: true, example: '0' }) allowedAtomic: string;
  @FreeForm(
    {
      type: 'object',
      properties: {
        chainId: { type: 'integer', description: 'Chain id', examples: [8453] },
        to: { type: 'string', description: 'The token contract', examples: [recipientAddress.example] },
        data: { type: 'string', description: 'Calldata, hexadecimal', examples: ['0x095ea7b3'] },
        value: { type: 'string', description: 'Native amount, wei', examples: ['0'] },
      },
      required: ['chainId', 'to', 'data', 'value'],
    },
    'Transaction that approves the allowance, ready for the wallet to sign; null when not needed',
    {
      nullable: true,
      example: { chainId: 8453, to: recipientAddress.example, data: '0x095ea7b3', value: '0' },
    },
  )
  transaction: { chainId: number; to: string; data: string; value: string } | null;
}

// Enough for 1,000 recipients in batches of 150.
export const maxPayoutBatches = 7;

export class PayoutRecord extends PayoutReply {
  @OneOf(
    payoutStates,
    'On-chain status; null for a payout that is not paid on chain: on-chain submission was off, or it pays the native coin',
    { nullable: true, example: 'awaiting_approval' },
  )
  state: PayoutState | null;
  @Timestamp('Deadline for the approval; null when there is nothing to approve', {
    nullable: true,
    example: '2026-11-23T12:00:00.000Z',
  })
  approveBefore: string | null;
  @Nested(
    () => PayoutAllowance,
    'While the payout waits for approval: the allowance of Permit2; null when the chain does not respond',
    { nullable: true },
  )
  allowance: PayoutAllowance | null;
  @ListOf(() => PayoutBatch, 'Batches of the payout; empty when it is not paid on chain', {
    maxItems: maxPayoutBatches,
  })
  batches: PayoutBatch[];
  @ListOf(() => PaidRecipient, 'Recipients and amounts, as submitted', { maxItems: maxRecipients })
  recipients: PaidRecipient[];
}

export class PayoutsQuery {
  @OneOf(payoutStates, 'Only payouts with this on-chain status', { optional: true }) state?: PayoutState;
  @Limit(20) limit?: number;
  @Cursor({ maxLength: 128, example: 'MTc2MzY0MDAwMDAwMC45YTNkMWM0NA' }) cursor?: string;
}

/** A payout in a list, without its recipients. */
export class PayoutSummary {
  @Text(payoutId) payoutId: string;
  @ChainName('CAIP-2 identifier of the chain') chain: string;
  @TokenSymbol('Symbol of the token') token: string;
  @Integer('Number of transfers', { min: 1, max: maxRecipients, example: 1 }) recipientCount: number;
  @Amount('Sum for all recipients, without the fee, smallest unit', { example: '12500000' })
  totalAmountAtomic: string;
  @Amount('Fee on top of the sum, smallest unit', { example: '62500' }) feeAtomic: string;
  @OneOf(payoutStates, 'On-chain status; null for a payout that is not paid on chain', {
    nullable: true,
    example: 'awaiting_approval',
  })
  state: PayoutState | null;
  @Timestamp('Deadline for the approval; null when there is nothing to approve', {
    nullable: true,
    example: '2026-11-23T12:00:00.000Z',
  })
  approveBefore: string | null;
  @Timestamp('Submission time', { example: '2026-11-22T12:00:00.000Z' }) createdAt: string;
}

export class PayoutsReply {
  @ListOf(() => PayoutSummary, 'Newest first', { maxItems: 100 }) payouts: PayoutSummary[];
  @UsedLimit(20) limit: number;
  @NextCursor() next_cursor: string | null;
}

export class PayoutApproval extends PayoutQuery {
  @ListOf(
    'string',
    "The wallet's signatures of the batches' `typedData`, in batch order, hexadecimal: from its key, or from a contract wallet (ERC-1271)",
    { maxItems: maxPayoutBatches, example: [`0x${'5c'.repeat(64)}1b`] },
  )
  signatures: string[];
}

export class PayoutDecision {
  @Text(payoutId) payoutId: string;
  @OneOf(payoutStates, 'Status after the call', { example: 'sending' }) state: PayoutState;
}

export class PayoutStateReply {
  @OneOf(payoutStates, 'Status', { nullable: true, example: 'completed' }) state: PayoutState | null;
}

const rules = `The fee is 0.5 % of the total, rounded up to the smallest unit of the token. At most ${maxRecipients} recipients; every address with its checksum, and once unless \`allowDuplicates\`.`;

/** Payouts to many recipients. */
export const payoutsApi = feature('service-api', 'payouts', 'Payouts', {
  previewPayout: operation('POST /payout/preview', {
    isRead: true,
    summary: 'Preview the cost and warnings of a payout',
    description: `${rules} Nothing is stored. Every listed chain is answered; transfers are simulated on EVM chains with nodes.`,
    input: PayoutRequest,
    output: PayoutPreview,
    errors: ['FORBIDDEN', 'UPSTREAM_UNAVAILABLE'],
    auth: { key: 'secret', permission: 'read' },
  }),
  submitPayout: operation('POST /payout/batch', {
    summary: 'Submit a payout',
    description: `${rules} The payout is recorded as \`pending\`. With on-chain submission (\`PAYOUT_ONCHAIN=on\`), tokens are paid after the wallet signed what \`GET /payout/{id}\` returns and another key approved the payout; until it ends, its value is reserved in the budget of the key. Without on-chain submission, on other chains, and for native coins, nothing is sent, charged or held.`,
    input: PayoutRequest,
    output: PayoutReply,
    errors: ['FORBIDDEN', 'BUDGET_EXCEEDED', 'MAX_PER_TX_EXCEEDED', 'UPSTREAM_UNAVAILABLE'],
    auth: { key: 'secret', permission: 'write' },
  }),
  listPayouts: operation('GET /payout', {
    summary: 'List your payouts',
    input: PayoutsQuery,
    output: PayoutsReply,
    auth: merchantAuth('read'),
  }),
  getPayout: operation('GET /payout/{id}', {
    summary: 'Read a payout with its recipients',
    description:
      'Gas and warnings are from the time of submission. While the payout waits for approval, the reply contains what the wallet has to sign.',
    input: PayoutQuery,
    output: PayoutRecord,
    errors: ['NOT_FOUND'],
    auth: merchantAuth('read'),
  }),
  approvePayout: operation('POST /payout/{id}/approve', {
    summary: 'Approve a payout, with another key than the submitting one, or with the wallet',
    description:
      'The service verifies signatures, balance, allowance and a simulation on the newest block before it stores the approval. It then sends every batch once. The operator pays the gas, which the fee must cover.',
    input: PayoutApproval,
    output: PayoutDecision,
    errors: [
      'INVALID_SIGNATURE',
      'SECOND_KEY_REQUIRED',
      'NOT_FOUND',
      'CONFLICT',
      'INSUFFICIENT_BALANCE',
      'INSUFFICIENT_ALLOWANCE',
      'TRANSACTION_FAILED',
      'GAS_LIMIT_EXCEEDED',
      'UPSTREAM_UNAVAILABLE',
    ],
    auth: merchantAuth('write'),
  }),
  rejectPayout: operation('POST /payout/{id}/reject', {
    summary: 'Reject a payout that waits for approval',
    description:
      'Any key of the wallet with `write` permission may reject, and so may the wallet. The held budget is released.',
    input: PayoutQuery,
    output: PayoutDecision,
    errors: ['NOT_FOUND', 'CONFLICT'],
    auth: merchantAuth('write'),
  }),
});

/** Payout operations for other services. */
export const internalPayoutsApi = internalFeature('service-api', 'payout-states', {
  stateOfPayout: internalOperation({
    summary: 'Read the state of a payout',
    input: PayoutQuery,
    output: PayoutStateReply,
    errors: ['NOT_FOUND'],
  }),
});
