import {
  Amount,
  AmountNumber,
  feature,
  Figure,
  Flag,
  Integer,
  ListOf,
  ListOrJson,
  OneOf,
  operation,
  Text,
  Timestamp,
} from '@tollbridge/bus';
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
  @Text(recipientAddress)
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

const status = { description: '`pending`: taken down, and not sent', example: 'pending' };
const message = {
  description: 'What that means, for people',
  maxLength: 500,
  example:
    'The payout is taken down as pending. On-chain submission is not yet active: nothing is sent or charged.',
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

export class PaidRecipient {
  @Text(recipientAddress)
  address: string;
  @Figure({ description: 'How much, in whole tokens', example: 12.5 })
  amount: number;
  @Amount({ description: 'The same, exact, in the smallest unit', example: '12500000' })
  amountAtomic: string;
}

export class PayoutRecord extends PayoutReply {
  @ListOf(() => PaidRecipient, { description: 'Who is paid how much, as given', maxItems: maxRecipients })
  recipients: PaidRecipient[];
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
    description: `${rules} It is taken down as \`pending\`: on-chain submission is not yet active, nothing is sent, charged or counted against the budget of the key.`,
    input: PayoutRequest,
    output: PayoutReply,
    errors: ['FORBIDDEN', 'UPSTREAM_UNAVAILABLE'],
    auth: { key: 'secret', permission: 'write' },
  }),
  getPayout: operation({
    method: 'GET',
    path: '/payout/{id}',
    summary: 'A payout that you submitted, with its recipients',
    description: 'Gas and warnings are those of the time when it was submitted.',
    input: PayoutQuery,
    output: PayoutRecord,
    errors: ['NOT_FOUND'],
    auth: { key: 'secret', permission: 'read' },
  }),
});
