import {
  Decimal,
  feature,
  Figure,
  Flag,
  Integer,
  internalFeature,
  internalOperation,
  invalidCursor,
  listOf,
  ListOf,
  merchantAuth,
  OneOf,
  operation,
  Text,
  Timestamp,
} from '@tollbridge/rpc';
import { Limit } from '../list-fields';
import { ChainName, orderIdExample, TokenSymbol, txExample } from '../pay-orders/fields';
import { PaymentReference } from './payment-references';

export const recordTypes = ['payment', 'refund'] as const;
export type RecordType = (typeof recordTypes)[number];

/** `reversed`: was completed, and the chain later reorganised the payment away. */
export const recordStates = ['pending', 'completed', 'failed', 'expired', 'reversed'] as const;
export type RecordState = (typeof recordStates)[number];

/** Shorter texts match too much. */
export const shortestSearch = 3;
/** Of one field; a search that matches more of them returns some of them. */
export const mostMatches = 1_000;

export class TransactionFilters {
  @Text({
    description: `Search: the whole \`id\`, \`order_id\` or \`payment_request_id\`, or the start of \`tx_hash\`, of \`counterparty\`, of the description of the payment request, or of what follows \`Order of\` or \`PayLink:\` in \`description\` (the reference of the shop). Upper and lower case are the same. At least ${shortestSearch} characters. A start that more than ${mostMatches.toLocaleString('en')} records share returns ${mostMatches.toLocaleString('en')} of them`,
    optional: true,
    minLength: shortestSearch,
    maxLength: 128,
    example: 'shop-17',
  })
  q?: string;
  @OneOf(recordTypes, { description: 'Only records of this type', optional: true, example: 'payment' })
  type?: RecordType;
  @OneOf(recordStates, { description: 'Only records in this status', optional: true, example: 'completed' })
  status?: RecordState;
  @TokenSymbol({ description: 'Only records in this token, by symbol', optional: true })
  token?: string;
  @ChainName({ description: 'Only records on this chain: id, CAIP-2 or short name', optional: true })
  network?: string;
  @Timestamp({
    description: 'Only records created at or after this time',
    optional: true,
    example: '2026-11-01T00:00:00Z',
  })
  from?: string;
  @Timestamp({
    description: 'Only records created before this time',
    optional: true,
    example: '2026-12-01T00:00:00Z',
  })
  to?: string;
  @Text({
    description: '`id` of the last record on the previous page',
    optional: true,
    format: 'uuid',
    pattern: /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/,
    patternMessage: invalidCursor,
    example: orderIdExample,
  })
  cursor?: string;
}

export class TransactionsQuery extends TransactionFilters {
  @Limit(100)
  limit?: number;
}

export class TransactionLookup {
  @Text({ description: 'Id of the record', format: 'uuid', maxLength: 64, example: orderIdExample })
  id: string;
}

const amountOf = (description: string, example: string) =>
  Text({ description, pattern: /^(0|[1-9][0-9]{0,77})$/, example });

export class TransactionRecord extends PaymentReference {
  @Text({ description: 'Id of the record', format: 'uuid', example: orderIdExample })
  id: string;
  @Text({ description: 'Wallet of the merchant', example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' })
  wallet_address: string;
  @OneOf(recordTypes, { description: 'Type of the record', example: 'payment' })
  tx_type: RecordType;
  @amountOf('Amount received or requested; for a refund the refunded amount; smallest unit', '1000000')
  amount: string;
  @TokenSymbol({ description: 'Token' })
  token: string;
  @ChainName({ description: 'Chain' })
  network: string;
  @OneOf(recordStates, { description: 'Status', example: 'completed' })
  status: RecordState;
  @Text({
    description: 'Transaction hash on the chain; empty while unknown',
    minLength: 0,
    example: txExample,
  })
  tx_hash: string;
  @Text({
    description: 'Address of the payer, where known',
    nullable: true,
    example: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  })
  counterparty: string | null;
  @Text({
    description: 'Description of the payment request, or what was bought where there is none',
    maxLength: 1_000,
    example: 'Order of shop-17',
  })
  description: string;
  @Text({
    description: 'Id of the order; null for payments without one',
    nullable: true,
    format: 'uuid',
    example: orderIdExample,
  })
  order_id: string | null;
  @Decimal({
    description: 'Value in US dollars at the time of payment; null before, and without a price',
    nullable: true,
    example: '1.00',
  })
  value_usd: string | null;
  @amountOf('The fee, smallest unit', '5000')
  fee_amount: string;
  @Flag({ description: 'Paid after it had failed or expired', example: false })
  late: boolean;
  @OneOf(['chain', 'merchant'], {
    description:
      'What a completed record is based on. `chain`: Tollbridge verified the transaction. `merchant`: the merchant confirmed it, on a network that this deployment cannot verify. Null while not completed.',
    nullable: true,
    example: 'chain',
  })
  confirmed_by: 'chain' | 'merchant' | null;
  @Timestamp({ description: 'Creation time', example: '2026-11-20T12:00:00.000Z' })
  created_at: string;
  @Timestamp({ description: 'Time of the last change', example: '2026-11-20T12:00:07.000Z' })
  updated_at: string;
}

export class OverviewQuery {}

export class TokenVolume {
  @TokenSymbol({ description: 'Token' })
  token: string;
  @Text({
    description:
      'Amount received in this token on all chains, in whole tokens; null when its decimals are unknown',
    nullable: true,
    maxLength: 400,
    example: '1250.5',
  })
  amount: string | null;
  @Text({
    description: 'The same amount in US dollars, valued at the time of payment',
    maxLength: 400,
    example: '1250.5',
  })
  volumeUsd: string;
  @Integer({ description: 'Number of payments', min: 0, example: 17 })
  payments: number;
}

export class ChainVolume {
  @ChainName({ description: 'Chain' })
  network: string;
  @Text({ description: 'Amount received on this chain, in US dollars', maxLength: 400, example: '1250.5' })
  volumeUsd: string;
  @Integer({ description: 'Number of payments', min: 0, example: 17 })
  payments: number;
}

export class DailyVolume {
  @Text({ description: 'Day (UTC)', format: 'date', example: '2026-11-20' })
  date: string;
  @Text({ description: 'Amount received on this day, in US dollars', maxLength: 400, example: '120.5' })
  volumeUsd: string;
  @Integer({ description: 'Number of payments', min: 0, example: 3 })
  payments: number;
}

export class OverviewReply {
  @Text({
    description: 'Exact value of all completed payments in US dollars, each at its time of payment',
    maxLength: 400,
    example: '1250.5',
  })
  totalVolumeUsd: string;
  @Integer({ description: 'Number of completed payments', min: 0, example: 17 })
  totalPayments: number;
  @Figure({
    description:
      'Completed payments divided by all payments that are completed, failed or reversed: 0 to 1, four decimals; null before the first such payment. Expired payments are not counted: their payers left the checkout',
    nullable: true,
    example: 0.9444,
  })
  successRate: number | null;
  @Integer({ description: 'Number of PayLinks that currently accept payments', min: 0, example: 2 })
  activePaylinks: number;
  @Integer({
    description: 'Completed payments without a dollar value; `volumeUsd` excludes them',
    min: 0,
    example: 0,
  })
  unpricedPayments: number;
  @Integer({
    description:
      'Payments in `totalPayments` that the merchant confirmed, on networks that this deployment cannot verify. All sums include them',
    min: 0,
    example: 0,
  })
  confirmedByMerchant: number;
  @ListOf(() => TokenVolume, { description: 'By token, largest value first', maxItems: 1_000 })
  volumeByToken: TokenVolume[];
  @ListOf(() => ChainVolume, { description: 'By chain, largest value first', maxItems: 100 })
  volumeByChain: ChainVolume[];
  @ListOf(() => DailyVolume, { description: 'The last 30 days, today last', maxItems: 30 })
  daily: DailyVolume[];
}

export const dashboardApi = feature('merchant', 'dashboard', 'Merchant dashboard', {
  getOverview: operation({
    operationId: 'getMerchantOverview',
    method: 'GET',
    path: '/api/overview',
    summary: 'Read the payment totals of a merchant',
    description: 'Payments count on the day of their completion (UTC). Refunds are not included.',
    input: OverviewQuery,
    output: OverviewReply,
    errors: [],
    auth: merchantAuth('read'),
  }),
  listTransactions: operation({
    method: 'GET',
    path: '/api/transactions',
    summary: "List a merchant's transactions",
    description:
      'Newest first: the newest 100, unless `limit` and `cursor` say otherwise. While more records exist, the header `Link` names the next page (`rel="next"`). ' +
      "An order that another client created appears after its first payment. `GET /api/transactions/export` takes the same filters and returns CSV: up to 1,000,000 records, each with its dollar value at the time of payment. Pass the last record's `id` as `cursor` to continue.",
    input: TransactionsQuery,
    output: listOf(TransactionRecord),
    errors: [],
    auth: merchantAuth('read'),
  }),
  getTransaction: operation({
    operationId: 'getTransaction',
    method: 'GET',
    path: '/api/transactions/{id}',
    summary: "Read one of a merchant's transactions",
    input: TransactionLookup,
    output: TransactionRecord,
    errors: ['NOT_FOUND'],
    auth: merchantAuth('read'),
  }),
});

export class ExportPageReply {
  @ListOf(() => TransactionRecord, {
    description: 'Newest first; an empty list means the end',
    maxItems: 500,
  })
  records: TransactionRecord[];
}

/** The pages from which the gateway writes the CSV export, for the wallet that requested it. */
export const internalDashboardApi = internalFeature('merchant', 'dashboard-export', {
  exportPage: internalOperation({
    summary: "Read one page of a merchant's transactions for the export",
    input: TransactionFilters,
    output: ExportPageReply,
    errors: [],
  }),
});
