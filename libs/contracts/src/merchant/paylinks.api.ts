import {
  Amount,
  AnyObject,
  Decimal,
  feature,
  Flag,
  FreeForm,
  Integer,
  listOf,
  merchantAuth,
  Nested,
  OneOf,
  operation,
  Text,
  Timestamp,
} from '@tollbridge/rpc';
import { MAX_TOKEN_AMOUNT } from '@tollbridge/money';
import { Address, ChainName, TokenSymbol, txExample } from '../pay-orders/fields';
import { StoreName } from './store-name';

const idExample = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';
const referenceExample = `0x7462706c${idExample.replaceAll('-', '')}`;
const imageExample = 'https://shop.example/espresso.png';
const successExample = 'https://shop.example/thanks';
const metadataExample = { table: 7 };
const WebAddress = (description: string, example: string) =>
  Text({ description, maxLength: 1_024, optional: true, example });

const name = { description: 'What is paid for', maxLength: 120, example: 'Espresso' };
const description = {
  description: 'More about it; may be empty',
  minLength: 0,
  maxLength: 500,
  example: 'A double one, in the garden',
};
const amount = {
  description: 'What a payment must be at least, smallest unit; 0 where the payer chooses',
  allowZero: true,
  max: MAX_TOKEN_AMOUNT,
  example: '3500000',
};

export class CreatePayLinkRequest {
  static readonly example = {
    name: 'Espresso',
    amount: '3500000',
    token: 'USDC',
    network: 'eip155:8453',
    description: 'A double one, in the garden',
    receiveAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    maxPayments: 100,
    metadata: metadataExample,
    successUrl: successExample,
  };
  @Text(name)
  name: string;
  @Amount({ ...amount, description: `${amount.description}: then it may be left out`, optional: true })
  amount?: string;
  @TokenSymbol({
    description:
      'Token to be paid with, one that is known on the network; `defaultToken` of your settings unless given',
    optional: true,
  })
  token?: string;
  @ChainName({
    description:
      'Network to be paid on: id, CAIP-2 or short name; `defaultChain` of your settings unless given',
    optional: true,
  })
  network?: string;
  @Text(description)
  description: string;
  @Address({ description: 'Receives the payments, an address of the network', receivesMoney: true })
  receiveAddress: string;
  @WebAddress('A picture, shown to payers by their browsers only', imageExample)
  imageUrl?: string;
  @Timestamp({
    description: 'What is paid later is not counted',
    optional: true,
    example: '2026-12-31T23:59:59Z',
  })
  expiresAt?: string;
  @Integer({
    description: 'How many payments are counted',
    min: 1,
    max: 1_000_000,
    optional: true,
    example: 100,
  })
  maxPayments?: number;
  @Flag({ description: 'Whether the payer chooses the amount', optional: true, example: false })
  openAmount?: boolean;
  @Amount({
    description: 'With openAmount: the least that counts, smallest unit; 1 unless said otherwise',
    max: MAX_TOKEN_AMOUNT,
    optional: true,
    example: '1000000',
  })
  minAmount?: string;
  @AnyObject({
    description: 'Your own notes, shown to you only: 4 KiB, 5 levels deep at most',
    maxBytes: 4_096,
    maxDepth: 5,
    optional: true,
    example: metadataExample,
  })
  metadata?: Record<string, unknown>;
  @WebAddress('Where payers can go on from the page of the link once they have paid', successExample)
  successUrl?: string;
}

export class PayLink {
  @Text({ description: 'The link', format: 'uuid', example: idExample })
  id: string;
  @Address({ description: 'The wallet that made it' })
  wallet_address: string;
  @Text(name)
  name: string;
  @Amount(amount)
  amount: string;
  @TokenSymbol({ description: 'Symbol of the token' })
  token: string;
  @ChainName({ description: 'CAIP-2 identifier of the network' })
  network: string;
  @Text(description)
  description: string;
  @Address({ description: 'Who is paid, in canonical form' })
  receive_address: string;
  @Flag({
    description:
      'Whether the wallet has proven `receive_address`: it is the own address of the wallet, or has signed (`POST /api/receivers/challenge`). A payment that also pays a PayLink of a merchant who has proven the address counts for that merchant.',
    example: true,
  })
  receiver_verified: boolean;
  @Text({
    description: 'A picture; absent without one',
    maxLength: 1_024,
    optional: true,
    example: imageExample,
  })
  image_url?: string;
  @Flag({ description: 'Whether it takes payments', example: true })
  active: boolean;
  @Integer({ description: 'Payments counted', min: 0, example: 3 })
  payment_count: number;
  @Integer({
    description:
      'How many of these the merchant confirmed by hand, since no node of the network is configured',
    min: 0,
    example: 0,
  })
  unverified_count: number;
  @Flag({
    description:
      'Whether payments can be verified: a node of the network is configured. Without one, reported payments are `unverifiable` and count only when you confirm them.',
    example: true,
  })
  verifiable: boolean;
  @Text({
    description:
      'EVM networks: bytes that a payer can append to the data of the transaction. Then the payment counts for this link only. null elsewhere.',
    nullable: true,
    example: referenceExample,
  })
  reference: string | null;
  @Flag({ description: 'Whether the payer chooses the amount', example: false })
  open_amount: boolean;
  @Amount({
    description: 'With an open amount: the least that counts; null otherwise',
    nullable: true,
    example: null,
  })
  min_amount: string | null;
  @Timestamp({
    description: 'Until when payments are counted; null is for ever',
    nullable: true,
    example: '2026-12-31T23:59:59.000Z',
  })
  expires_at: string | null;
  @Integer({
    description: 'How many payments are counted; null is without an end',
    nullable: true,
    example: 100,
  })
  max_payments: number | null;
  @FreeForm(
    { type: 'object' },
    { description: 'Your own notes; null without', nullable: true, example: metadataExample },
  )
  metadata: Record<string, unknown> | null;
  @Text({
    description: 'Where payers go on; null without',
    maxLength: 1_024,
    nullable: true,
    example: successExample,
  })
  success_url: string | null;
  @Timestamp({ description: 'When it was made', example: '2026-11-20T12:00:00.000Z' })
  created_at: string;
  @Timestamp({ description: 'When it last changed', example: '2026-11-20T12:30:00.000Z' })
  updated_at: string;
}

const paging = (what: string) => ({
  limit: { description: 'How many at most: 100, also for what is above', default: 100, min: 1, example: 20 },
  cursor: {
    description: `Goes on behind this one: the id of the last ${what} of the page before`,
    format: 'uuid',
    optional: true,
    example: idExample,
  },
});

export class PayLinksQuery {
  @Flag({
    description: 'Only those that take payments, or that do not, as it was switched',
    optional: true,
    example: true,
  })
  active?: boolean;
  @Integer({
    description: 'One page of so many links, at most 100; left out, all links are answered',
    min: 1,
    optional: true,
    example: 20,
  })
  limit?: number;
  @Text(paging('link').cursor)
  cursor?: string;
}

const linkId = { description: 'The link', format: 'uuid', example: idExample };

export class PayLinkRequest {
  @Text(linkId)
  id: string;
}

export class TogglePayLinkRequest {
  @Text(linkId)
  id: string;
  @Flag({ description: 'Whether it takes payments from now on', example: false })
  active: boolean;
}

export class PayLinkDeleted {
  @Flag({ description: 'Always true: the link is gone', example: true })
  ok: boolean;
}

export class PublicPayLink {
  @Text(linkId)
  id: string;
  @Text(name)
  name: string;
  @Amount(amount)
  amount: string;
  @TokenSymbol({ description: 'Symbol of the token' })
  token: string;
  @ChainName({ description: 'CAIP-2 identifier of the network' })
  network: string;
  @Text(description)
  description: string;
  @StoreName()
  storeName: string | null;
  @Address({ description: 'Who is paid' })
  receiveAddress: string;
  @Text({
    description: 'A picture; absent without one',
    maxLength: 1_024,
    optional: true,
    example: imageExample,
  })
  imageUrl?: string;
  @Timestamp({
    description: 'Until when payments are counted; null is for ever',
    nullable: true,
    example: '2026-12-31T23:59:59.000Z',
  })
  expiresAt: string | null;
  @Flag({ description: 'Whether the payer chooses the amount', example: false })
  openAmount: boolean;
  @Amount({
    description: 'With an open amount: the least that counts; null otherwise',
    nullable: true,
    example: null,
  })
  minAmount: string | null;
  @Text({
    description: 'Where to go on once it is paid; null without',
    maxLength: 1_024,
    nullable: true,
    example: successExample,
  })
  successUrl: string | null;
  @Address({
    description: 'Contract of the token; null for the coin of the network',
    nullable: true,
    example: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  })
  tokenAddress: string | null;
  @Integer({ description: 'Digits of the token after the point', min: 0, example: 6 })
  decimals: number;
  @Flag({
    description: 'Whether the merchant has proven the receiving address; the page warns the payer if not',
    example: true,
  })
  receiverVerified: boolean;
  @Text({
    description:
      'EVM networks: bytes that a wallet can append to the data of the transaction, so that it pays this link only; null elsewhere. Without it the payment counts too. For the coin of the network, append it only where the receiver accepts data.',
    nullable: true,
    example: referenceExample,
  })
  reference: string | null;
}

export class RecordPaymentRequest {
  @Text(linkId)
  id: string;
  @Text({
    description: 'Hash of the transaction that paid',
    pattern: /^[A-Za-z0-9+/=_:.-]{16,128}$/,
    patternMessage: 'must be the hash of a transaction, as wallets and explorers show it',
    example: txExample,
  })
  txHash: string;
}

/** What becomes of a payment; only `counted` is part of `payment_count`. */
export const payLinkPaymentStatuses = [
  'pending',
  'unverifiable',
  'counted',
  'excess',
  'late',
  'inactive',
  'rejected',
] as const;
export type PayLinkPaymentStatus = (typeof payLinkPaymentStatuses)[number];

export class RecordPaymentReply {
  @Flag({ description: 'Whether the payment is counted', example: true })
  success: boolean;
  @Flag({ description: 'Whether it was read on the chain', example: true })
  verified: boolean;
  @OneOf(['pending', 'unverifiable', 'excess', 'late', 'inactive'], {
    description:
      'Where neither counted nor wrong: `pending` is counted by itself once it has its confirmations; `unverifiable` waits until the merchant confirms or rejects it, since no node of the network is configured; the others are real payments that came when the link took none',
    optional: true,
    example: 'pending',
  })
  status?: 'pending' | 'unverifiable' | 'excess' | 'late' | 'inactive';
  @Text({
    description: 'Why it is not counted',
    maxLength: 300,
    optional: true,
    example: 'The transaction was reverted: nothing was paid.',
  })
  error?: string;
}

export class PayLinkPaymentsQuery {
  @Text(linkId)
  id: string;
  @Integer(paging('payment').limit)
  limit?: number;
  @Text(paging('payment').cursor)
  cursor?: string;
}

/** What the receiver of an unverifiable payment holds of the token, as an indexer of the network says. */
export class ReceiverBalance {
  @Amount({
    description: 'When the payment was reported; null where it was not read',
    allowZero: true,
    nullable: true,
    example: '10000000',
  })
  at_report: string | null;
  @Amount({
    description: 'Now; null where it was not read',
    allowZero: true,
    nullable: true,
    example: '13500000',
  })
  now: string | null;
}

export class PayLinkPayment {
  @Text({ description: 'The payment', format: 'uuid', example: idExample })
  id: string;
  @Text({ description: 'The transaction', example: txExample })
  tx_hash: string;
  @OneOf(payLinkPaymentStatuses, {
    description:
      '`counted` is part of `payment_count`; `unverifiable` waits for your decision; `excess`, `late` and `inactive` are real payments that came when the link took none',
    example: 'counted',
  })
  status: PayLinkPaymentStatus;
  @Flag({ description: 'Whether it was read on the chain', example: true })
  verified: boolean;
  @Flag({ description: 'Whether you confirmed it by hand', example: false })
  confirmed: boolean;
  @Amount({ description: 'What was paid, smallest unit', nullable: true, example: '3500000' })
  amount: string | null;
  @Address({
    description: 'Who paid',
    nullable: true,
    example: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  })
  payer: string | null;
  @Decimal({
    description: 'US dollars when it was counted; null without a price',
    nullable: true,
    example: '3.50',
  })
  value_usd: string | null;
  @Text({ description: 'Why it is not counted', maxLength: 300, nullable: true, example: null })
  reason: string | null;
  @Timestamp({ description: 'Time of its block', nullable: true, example: '2026-11-20T12:29:58.000Z' })
  paid_at: string | null;
  @Timestamp({ description: 'When it was reported', example: '2026-11-20T12:30:00.000Z' })
  recorded_at: string;
  @Nested(() => ReceiverBalance, {
    description:
      'While the payment waits for your decision: what the receiver held and holds, smallest unit. It is an aid and no proof: other transfers change it too. null otherwise.',
    nullable: true,
  })
  receiver_balance: ReceiverBalance | null;
}

export class DecidePaymentRequest {
  @Text(linkId)
  id: string;
  @Text({ description: 'The payment', format: 'uuid', example: idExample })
  paymentId: string;
}

/** Links that anybody can pay by a plain transfer. */
export const paylinksApi = feature('merchant', 'paylinks', 'PayLinks', {
  listPayLinks: operation({
    method: 'GET',
    path: '/api/paylinks',
    summary: 'Your links, newest first',
    description:
      'All of them: a wallet has at most 1,000. With `limit` one page; while there are more, the header `Link` names the next one (`rel="next"`).',
    input: PayLinksQuery,
    output: listOf(PayLink),
    errors: [],
    auth: merchantAuth('read'),
    isWholeList: true,
  }),
  createPayLink: operation({
    method: 'POST',
    path: '/api/paylinks',
    summary: 'Make a link',
    description: 'A wallet has at most 1,000 of them (409).',
    input: CreatePayLinkRequest,
    output: PayLink,
    errors: ['CONFLICT'],
    auth: merchantAuth('write'),
  }),
  togglePayLink: operation({
    operationId: 'setPayLinkActive',
    method: 'PUT',
    path: '/api/paylinks/{id}/toggle',
    summary: 'Switch a link on or off',
    description: 'What was paid while it was on is counted, also when it is reported later.',
    input: TogglePayLinkRequest,
    output: PayLink,
    errors: ['NOT_FOUND'],
    auth: merchantAuth('write'),
  }),
  deletePayLink: operation({
    method: 'DELETE',
    path: '/api/paylinks/{id}',
    summary: 'Delete a link',
    input: PayLinkRequest,
    output: PayLinkDeleted,
    errors: ['NOT_FOUND'],
    auth: merchantAuth('write'),
  }),
  getPublicPayLink: operation({
    method: 'GET',
    path: '/api/paylinks/{id}/public',
    summary: 'What a payer needs',
    description: 'Only while the link takes payments: it is on, has not expired and is not used up.',
    input: PayLinkRequest,
    output: PublicPayLink,
    errors: ['NOT_FOUND'],
    auth: 'public',
  }),
  recordPayLinkPayment: operation({
    operationId: 'reportPayLinkPayment',
    method: 'POST',
    path: '/api/paylinks/{id}/pay',
    summary: 'Report the transaction that paid a link',
    description:
      'The transaction is looked up on the network: a transfer of the genuine token, to the receiver, of the amount or more, made after the link, with enough confirmations, never counted before. A transaction that ends with the `reference` of another link is rejected; and while the receiver is unproven, so is one that pays a link of a merchant who has proven it. The same hash again gets the same answer. On a network without a configured node the report is kept as `unverifiable` and not counted until the merchant confirms it. At most 50 transactions that are not mined yet, and 100 unverifiable ones, are kept for a link (409), and without a key 20 reports a minute are taken from one address.',
    input: RecordPaymentRequest,
    output: RecordPaymentReply,
    errors: ['NOT_FOUND', 'CONFLICT'],
    auth: 'public',
    // Each may cost a look at a chain.
    callsPerMinute: 20,
  }),
  listPayLinkPayments: operation({
    method: 'GET',
    path: '/api/paylinks/{id}/payments',
    summary: 'What was reported for a link, newest first',
    description:
      'At most 100 at once. While there are more, the header `Link` names the next page (`rel="next"`).',
    input: PayLinkPaymentsQuery,
    output: listOf(PayLinkPayment),
    errors: ['NOT_FOUND'],
    auth: merchantAuth('read'),
  }),
  confirmPayLinkPayment: operation({
    method: 'POST',
    path: '/api/paylinks/{id}/payments/{paymentId}/confirm',
    summary: 'Confirm an unverifiable payment',
    description:
      'It counts from then on: in `payment_count`, the dashboard and the ledger, marked as confirmed by you and not by the network. A repeated call gets the same payment. 409 when the payment is not `unverifiable`, its transaction counts for another of your links or settles an order, the link has all its payments, or another merchant has proven the receiver and has a link that it pays.',
    input: DecidePaymentRequest,
    output: PayLinkPayment,
    errors: ['NOT_FOUND', 'CONFLICT'],
    auth: merchantAuth('write'),
  }),
  rejectPayLinkPayment: operation({
    method: 'POST',
    path: '/api/paylinks/{id}/payments/{paymentId}/reject',
    summary: 'Reject an unverifiable payment',
    description:
      'It never counts. A repeated call gets the same payment. 409 for a payment that is not `unverifiable`.',
    input: DecidePaymentRequest,
    output: PayLinkPayment,
    errors: ['NOT_FOUND', 'CONFLICT'],
    auth: merchantAuth('write'),
  }),
});
