import {
  Amount,
  AmountNumber,
  feature,
  Figure,
  Flag,
  FreeForm,
  Integer,
  internalFeature,
  internalOperation,
  ListOf,
  ListOrJson,
  Nested,
  OneOf,
  operation,
  Text,
  Timestamp,
} from '@tollbridge/rpc';
import { Address, ChainName, TokenSymbol } from '../pay-orders/fields';

// What one person can look through, and a wallet's node can try within seconds.
const maxRecipients = 1_000;
// Whole numbers up to here are exact as numbers, and so are their sums of a thousand as text.
const maxAmount = 1e15;
export const maxPayoutWarnings = 100;
const payoutId = {
  description: 'The payout',
  format: 'uuid',
  example: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d',
};
const recipientAddress = {
  description: 'Who is paid, an address of the chain',
  maxLength: 128,
  example: '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
};

export class PayoutRecipient {
  @Text({ ...recipientAddress, receivesMoney: true })
  address: string;
  @AmountNumber({
    description:
      'How much, in whole tokens: 12.5 is twelve and a half. It is taken as it is written, with at most as many digits after the point as the token has',
    max: maxAmount,
    example: 12.5,
  })
  amount: number;
}

export class PayoutRequest {
  @Address({ description: 'Who pays: the wallet of your key' })
  wallet: string;
  @ChainName({ description: 'Chain to be paid on: id, CAIP-2 or short name' })
  chain: string;
  @TokenSymbol({ description: 'Token to be paid with: symbol or contract address' })
  token: string;
  @ListOrJson(() => PayoutRecipient, {
    description: `Who is paid how much: a list of up to ${maxRecipients}, or the JSON text of one`,
    maxItems: maxRecipients,
    example: [{ address: recipientAddress.example, amount: 12.5 }],
  })
  recipients: PayoutRecipient[];
  @Flag({
    description: 'An address may stand in the list more than once, and is then paid each time',
    default: false,
    example: false,
  })
  allowDuplicates: boolean;
}

/**
 * - `LOOK_ALIKE`: begins and ends as an address that it is not
 * - `DUPLICATE`: is paid more than once
 * - `OWN_WALLET`: the payer pays himself
 * - `INSUFFICIENT_BALANCE`: the wallet holds less than amounts and fee come to
 * - `RECIPIENT_REFUSED`: the token does not let this transfer happen
 */
export const payoutWarnings = [
  ...(['LOOK_ALIKE', 'DUPLICATE', 'OWN_WALLET', 'INSUFFICIENT_BALANCE', 'RECIPIENT_REFUSED'] as const),
];
export type PayoutWarningCode = (typeof payoutWarnings)[number];

export class PayoutWarning {
  @OneOf(payoutWarnings, { description: 'What it is about', example: 'LOOK_ALIKE' })
  code: PayoutWarningCode;
  @Text({ description: 'The field that it is about', example: 'recipients[3].address' })
  field: string;
  @Text({
    description: 'The same for people',
    example: 'begins and ends as recipients[1].address but is another address: compare every character',
  })
  message: string;
}

export class PayoutPreview {
  @Address({ description: 'Who pays, in canonical form' })
  wallet: string;
  @ChainName({ description: 'CAIP-2 identifier of the chain' })
  chain: string;
  @TokenSymbol({ description: 'Symbol of the token' })
  token: string;
  @Integer({ description: 'How many transfers it is', min: 1, max: maxRecipients, example: 1 })
  recipientCount: number;
  @Figure({
    description: 'What all recipients get together, in whole tokens, without the fee',
    example: 12.5,
  })
  totalAmount: number;
  @Amount({ description: 'The same, exact, in the smallest unit', example: '12500000' })
  totalAmountAtomic: string;
  @Figure({
    description:
      'Half a percent of the total, rounded up to the smallest unit; the wallet pays it beside the total',
    example: 0.0625,
  })
  fee: number;
  @Amount({ description: 'The same, exact, in the smallest unit', example: '62500' })
  feeAtomic: string;
  @Text({ description: 'Gas of all transfers together, as the chain is now', example: '62180' })
  estimatedGas: string;
  @OneOf(['simulated', 'assumed'], {
    description:
      '`simulated`: every transfer was tried on the newest block; `assumed`: some fail as the wallet is now, and are counted as a usual one',
    example: 'simulated',
  })
  gasSource: 'simulated' | 'assumed';
  @ListOf(() => PayoutWarning, {
    description: `What to look at before paying; the first ${maxPayoutWarnings}`,
    maxItems: maxPayoutWarnings,
  })
  warnings: PayoutWarning[];
  @Integer({ description: 'How many warnings there are in all', min: 0, example: 1 })
  warningCount: number;
}

const status = {
  description: '`pending`: taken down. How far it is on the chain is told by `GET /payout/{id}`',
  example: 'pending',
};
const message = {
  description: 'What to do next, for people',
  maxLength: 500,
  example:
    'The payout is taken down as pending, and waits for approval: read it with GET /payout/0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d, sign its batches with the wallet, and approve it with another key of the wallet.',
};

export class PayoutReply extends PayoutPreview {
  @Text(payoutId)
  payoutId: string;
  @OneOf(['pending'], status)
  status: 'pending';
  @Text(message)
  message: string;
  @Timestamp({ description: 'When it was taken down', example: '2026-11-22T12:00:00.000Z' })
  createdAt: string;
}

export class PayoutQuery {
  @Text({ ...payoutId, maxLength: 64 })
  id: string;
}

/**
 * - `awaiting_approval`: its batches are to be signed by the wallet, and approved with another key than submitted it
 * - `sending`: approved; its batches are on their way
 * - `completed`: everybody was paid
 * - `partly_paid`: over, and not everybody was paid
 * - `failed`: over, and nobody was paid
 * - `rejected`: by a key of the wallet, before anything was sent
 * - `expired`: nobody approved it in time
 */
export const payoutStates = [
  ...(['awaiting_approval', 'sending', 'completed', 'partly_paid', 'failed', 'rejected', 'expired'] as const),
];
export type PayoutState = (typeof payoutStates)[number];

export const recipientStatuses = [...(['pending', 'sending', 'paid', 'refused', 'failed'] as const)];
export type RecipientStatus = (typeof recipientStatuses)[number];

const TransactionHash = (description: string) =>
  Text({ description, nullable: true, example: `0x${'5c'.repeat(32)}` });

export class PaidRecipient {
  @Text(recipientAddress)
  address: string;
  @Figure({ description: 'How much, in whole tokens', example: 12.5 })
  amount: number;
  @Amount({ description: 'The same, exact, in the smallest unit', example: '12500000' })
  amountAtomic: string;
  @OneOf(recipientStatuses, {
    description:
      '`pending`: nothing is sent; `sending`: his batch is on its way; `paid`: for good; `refused`: the token did not let him be paid, his amount went back; `failed`: his batch was not paid',
    example: 'paid',
  })
  status: RecipientStatus;
  @TransactionHash('The transaction that paid him; null before')
  transactionHash: string | null;
}

export class PayoutBatch {
  @Integer({ description: 'Which batch it is', min: 0, example: 0 })
  index: number;
  @Integer({ description: 'Place of its first recipient in the list', min: 0, example: 0 })
  firstRecipient: number;
  @Integer({ description: 'How many recipients it has', min: 1, example: 1 })
  recipientCount: number;
  @Amount({ description: 'What they get together, in the smallest unit', example: '12500000' })
  totalAmountAtomic: string;
  @Amount({ description: 'Its part of the fee', allowZero: true, example: '62500' })
  feeAtomic: string;
  @OneOf(['waiting', 'ready', 'sending', 'paid', 'failed'], {
    description:
      '`waiting`: for its signature; `ready`: to be sent; `sending`: sent, and not yet final; `paid`: for good; `failed`: it was not paid and cannot be any more',
    example: 'waiting',
  })
  status: 'waiting' | 'ready' | 'sending' | 'paid' | 'failed';
  @Text({ description: 'Why it is not paid, or not yet', maxLength: 500, nullable: true, example: null })
  reason: string | null;
  @TransactionHash('The transaction that pays it; null before')
  transactionHash: string | null;
  @FreeForm(
    { type: 'object' },
    {
      description:
        'What the wallet signs, as `eth_signTypedData_v4` takes it: a permission of Permit2 that pays this list and nothing else, once; null when there is nothing to be signed',
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
  @Address({ description: 'Permit2, which must be allowed to move the tokens' })
  spender: string;
  @Amount({ description: 'How much it must be allowed to move', example: '12562500' })
  neededAtomic: string;
  @Amount({ description: 'How much it may move now', allowZero: true, example: '0' })
  allowedAtomic: string;
  @FreeForm(
    { type: 'object' },
    {
      description:
        'A transaction of the wallet that allows it, ready to be signed; null when it is not needed',
      nullable: true,
      example: { chainId: 8453, to: recipientAddress.example, data: '0x095ea7b3', value: '0' },
    },
  )
  transaction: { chainId: number; to: string; data: string; value: string } | null;
}

// 1,000 recipients in batches of 150.
export const maxPayoutBatches = 7;

export class PayoutRecord extends PayoutReply {
  @OneOf(payoutStates, {
    description:
      'How far it is on the chain; null when it is not for the chain: on-chain submission was not active, or it pays a coin',
    nullable: true,
    example: 'awaiting_approval',
  })
  state: PayoutState | null;
  @Timestamp({
    description: 'Until when it can be approved; null when there is nothing to approve',
    nullable: true,
    example: '2026-11-23T12:00:00.000Z',
  })
  approveBefore: string | null;
  @Nested(() => PayoutAllowance, {
    description: 'While it waits for approval: what Permit2 may move; null when the chain does not answer',
    nullable: true,
  })
  allowance: PayoutAllowance | null;
  @ListOf(() => PayoutBatch, {
    description: 'How it is sent; empty when it is not for the chain',
    maxItems: maxPayoutBatches,
  })
  batches: PayoutBatch[];
  @ListOf(() => PaidRecipient, { description: 'Who is paid how much, as given', maxItems: maxRecipients })
  recipients: PaidRecipient[];
}

export class PayoutApproval extends PayoutQuery {
  @ListOf('string', {
    description:
      "The wallet's signatures of the batches' `typedData`, in their order, as hex: of its key, or of a contract wallet (ERC-1271)",
    maxItems: maxPayoutBatches,
    example: [`0x${'5c'.repeat(64)}1b`],
  })
  signatures: string[];
}

export class PayoutDecision {
  @Text(payoutId)
  payoutId: string;
  @OneOf(payoutStates, { description: 'How far it is now', example: 'sending' })
  state: PayoutState;
}

export class PayoutStateReply {
  @OneOf(payoutStates, { description: 'How far it is', nullable: true, example: 'completed' })
  state: PayoutState | null;
}

const rules = `The fee is 0.5 % of the total, rounded up to the smallest unit of the token. At most ${maxRecipients} recipients; every address with its checksum, and once unless \`allowDuplicates\`.`;

/** Many recipients paid at once. */
export const payoutsApi = feature('service-api', 'payouts', 'Payouts', {
  previewPayout: operation({
    method: 'POST',
    path: '/payout/preview',
    summary: 'What a payout would cost, and what to look at before it',
    description: `${rules} Nothing is stored.`,
    input: PayoutRequest,
    output: PayoutPreview,
    errors: ['FORBIDDEN', 'UPSTREAM_UNAVAILABLE'],
    auth: { key: 'secret', permission: 'read' },
  }),
  submitPayout: operation({
    method: 'POST',
    path: '/payout/batch',
    summary: 'Submit a payout',
    description: `${rules} It is taken down as \`pending\`. With on-chain submission (\`PAYOUT_ONCHAIN=on\`), tokens are paid once the wallet has signed what \`GET /payout/{id}\` shows, and another key has approved it; until it is over its value is held against the budget of the key. Without, and for coins, nothing is sent, charged or held.`,
    input: PayoutRequest,
    output: PayoutReply,
    errors: ['FORBIDDEN', 'BUDGET_EXCEEDED', 'MAX_PER_TX_EXCEEDED', 'UPSTREAM_UNAVAILABLE'],
    auth: { key: 'secret', permission: 'write' },
  }),
  getPayout: operation({
    method: 'GET',
    path: '/payout/{id}',
    summary: 'A payout that you submitted, with its recipients',
    description:
      'Gas and warnings are those of the time when it was submitted. While it waits for approval, with what the wallet has to sign.',
    input: PayoutQuery,
    output: PayoutRecord,
    errors: ['NOT_FOUND'],
    auth: { key: 'secret', permission: 'read' },
  }),
  approvePayout: operation({
    method: 'POST',
    path: '/payout/{id}/approve',
    summary: 'Approve a payout, with another key than submitted it',
    description:
      'Signatures, balance, allowance and the whole on the newest block are checked before anything is stored; then every batch is sent, once. We pay the gas; the fee must cover it.',
    input: PayoutApproval,
    output: PayoutDecision,
    errors: [
      ...(['INVALID_SIGNATURE', 'SECOND_KEY_REQUIRED', 'NOT_FOUND', 'CONFLICT'] as const),
      ...(['INSUFFICIENT_BALANCE', 'INSUFFICIENT_ALLOWANCE', 'TRANSACTION_FAILED'] as const),
      ...(['GAS_LIMIT_EXCEEDED', 'UPSTREAM_UNAVAILABLE'] as const),
    ],
    auth: { key: 'secret', permission: 'write' },
  }),
  rejectPayout: operation({
    method: 'POST',
    path: '/payout/{id}/reject',
    summary: 'Reject a payout that waits for approval',
    description: 'With any key of the wallet that may write. What it held of the budget is given back.',
    input: PayoutQuery,
    output: PayoutDecision,
    errors: ['NOT_FOUND', 'CONFLICT'],
    auth: { key: 'secret', permission: 'write' },
  }),
});

/** Payouts as other services ask. */
export const internalPayoutsApi = internalFeature('service-api', 'payout-states', {
  stateOfPayout: internalOperation({
    summary: 'What became of a payout',
    input: PayoutQuery,
    output: PayoutStateReply,
    errors: ['NOT_FOUND'],
  }),
});
