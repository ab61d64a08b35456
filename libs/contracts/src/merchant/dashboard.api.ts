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

export const recordTypes = ['payment', 'refund'] as const;
export type RecordType = (typeof recordTypes)[number];

/** `reversed` was completed once, and the chain has taken it back. */
export const recordStates = ['pending', 'completed', 'failed', 'expired', 'reversed'] as const;
export type RecordState = (typeof recordStates)[number];

export class TransactionFilters {
  @OneOf(recordTypes, { description: 'Only of this type', optional: true, example: 'payment' })
  type?: RecordType;
  @OneOf(recordStates, { description: 'Only in this state', optional: true, example: 'completed' })
  status?: RecordState;
  @TokenSymbol({ description: 'Only in this token, by its symbol', optional: true })
  token?: string;
  @ChainName({ description: 'Only on this chain: id, CAIP-2 or short name', optional: true })
  network?: string;
  @Timestamp({
    description: 'Only made then or later',
    optional: true,
    example: '2026-11-01T00:00:00Z',
  })
  from?: string;
  @Timestamp({ description: 'Only made before then', optional: true, example: '2026-12-01T00:00:00Z' })
  to?: string;
  @Text({
    description: '`id` of the last record of the page before',
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

const amountOf = (description: string, example: string) =>
  Text({ description, pattern: /^(0|[1-9][0-9]{0,77})$/, example });

export class TransactionRecord {
  @Text({ description: 'The record', format: 'uuid', example: orderIdExample })
  id: string;
  @Text({ description: 'Whose it is', example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' })
  wallet_address: string;
  @OneOf(recordTypes, { description: 'What it is', example: 'payment' })
  tx_type: RecordType;
  @amountOf('What was received, or is asked for; of a refund what was sent back; smallest unit', '1000000')
  amount: string;
  @TokenSymbol({ description: 'Its token' })
  token: string;
  @ChainName({ description: 'Its chain' })
  network: string;
  @OneOf(recordStates, { description: 'Where it stands', example: 'completed' })
  status: RecordState;
  @Text({
    description: 'The transaction on the chain; empty while none is known',
    minLength: 0,
    example: txExample,
  })
  tx_hash: string;
  @Text({
    description: 'Who paid, where that is known',
    nullable: true,
    example: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  })
  counterparty: string | null;
  @Text({ description: 'What it was for, for people', maxLength: 1_000, example: 'Order of shop-17' })
  description: string;
  @Text({
    description: 'The order behind it; null for what was paid without one',
    nullable: true,
    format: 'uuid',
    example: orderIdExample,
  })
  order_id: string | null;
  @Decimal({
    description: 'What it was worth in US dollars when it was paid; null before, and without a price',
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
      'What a completed record rests on: `chain`: the transaction was verified; `merchant`: the merchant confirmed it, on a network that cannot be verified here. null while it is not completed.',
    nullable: true,
    example: 'chain',
  })
  confirmed_by: 'chain' | 'merchant' | null;
  @Timestamp({ description: 'When it began', example: '2026-11-20T12:00:00.000Z' })
  created_at: string;
  @Timestamp({ description: 'When it last changed', example: '2026-11-20T12:00:07.000Z' })
  updated_at: string;
}

export class OverviewQuery {}

export class TokenVolume {
  @TokenSymbol({ description: 'The token' })
  token: string;
  @Text({
    description:
      'What was received of it on all chains, in whole tokens; null where its decimals are not known',
    nullable: true,
    maxLength: 400,
    example: '1250.5',
  })
  amount: string | null;
  @Text({ description: 'The same in US dollars, as it was paid', maxLength: 400, example: '1250.5' })
  volumeUsd: string;
  @Integer({ description: 'How many payments', min: 0, example: 17 })
  payments: number;
}

export class ChainVolume {
  @ChainName({ description: 'The chain' })
  network: string;
  @Text({ description: 'What was received there, in US dollars', maxLength: 400, example: '1250.5' })
  volumeUsd: string;
  @Integer({ description: 'How many payments', min: 0, example: 17 })
  payments: number;
}

export class DailyVolume {
  @Text({ description: 'The day, in UTC', format: 'date', example: '2026-11-20' })
  date: string;
  @Text({ description: 'What was received that day, in US dollars', maxLength: 400, example: '120.5' })
  volumeUsd: string;
  @Integer({ description: 'How many payments', min: 0, example: 3 })
  payments: number;
}

export class OverviewReply {
  @Text({
    description: 'What all completed payments were worth when they were paid, in US dollars; exact',
    maxLength: 400,
    example: '1250.5',
  })
  totalVolumeUsd: string;
  @Integer({ description: 'How many payments were completed', min: 0, example: 17 })
  totalPayments: number;
  @Figure({
    description:
      'Completed payments, of all that are completed, failed, expired or reversed: from 0 to 1, four decimals; null before the first has ended',
    nullable: true,
    example: 0.9444,
  })
  successRate: number | null;
  @Integer({ description: 'How many PayLinks can be paid at present', min: 0, example: 2 })
  activePaylinks: number;
  @Integer({
    description: 'Completed payments without a dollar value: they are in no `volumeUsd`',
    min: 0,
    example: 0,
  })
  unpricedPayments: number;
  @Integer({
    description:
      'How many of `totalPayments` the merchant confirmed by hand, on networks that cannot be verified here; their volume is in all sums',
    min: 0,
    example: 0,
  })
  confirmedByMerchant: number;
  @ListOf(() => TokenVolume, { description: 'By token, the largest value first', maxItems: 1_000 })
  volumeByToken: TokenVolume[];
  @ListOf(() => ChainVolume, { description: 'By chain, the largest value first', maxItems: 100 })
  volumeByChain: ChainVolume[];
  @ListOf(() => DailyVolume, { description: 'The last 30 days, today last', maxItems: 30 })
  daily: DailyVolume[];
}

export const dashboardApi = feature('merchant', 'dashboard', 'Merchant dashboard', {
  getOverview: operation({
    operationId: 'getMerchantOverview',
    method: 'GET',
    path: '/api/overview',
    summary: 'Read what a merchant was paid, in sums',
    description: 'Payments count on the day on which they were completed. Refunds are in no sum.',
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
      'Newest first: the newest 100, unless `limit` and `cursor` say otherwise. While there are more, the header `Link` names the next page (`rel="next"`). ' +
      "An order that another client created appears once it has brought money. `GET /api/transactions/export` takes the same filters and answers CSV: up to 1,000,000 records, each with its dollar value when it was paid; with `cursor` set to the last one's `id` it goes on from there.",
    input: TransactionsQuery,
    output: listOf(TransactionRecord),
    errors: [],
    auth: merchantAuth('read'),
  }),
});

export class ExportPageReply {
  @ListOf(() => TransactionRecord, { description: 'Newest first; none is after the last', maxItems: 500 })
  records: TransactionRecord[];
}

/** What the gateway makes a CSV file of, page by page, in the name of the wallet that asked. */
export const internalDashboardApi = internalFeature('merchant', 'dashboard-export', {
  exportPage: internalOperation({
    summary: "Read a page of a merchant's transactions to be written to a file",
    input: TransactionFilters,
    output: ExportPageReply,
    errors: [],
  }),
});
