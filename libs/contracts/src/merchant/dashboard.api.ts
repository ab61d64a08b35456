import {
  feature,
  internalFeature,
  internalOperation,
  invalidCursor,
  listOf,
  merchantAuth,
  operation,
} from '@tollbridge/rpc';
import { Decimal, Figure, Flag, ListOf, OneOf, Text, Timestamp, Unsigned } from '../decorators';
import { Limit } from '../list-fields';
import {
  ChainName,
  orderIdExample,
  payerExample,
  TokenSymbol,
  TxHash,
  walletExample,
} from '../pay-orders/fields';
import { PaymentReference } from './payment-references';
import { CurrencyCode, ExchangeRate, Price, PriceOf, RateOf } from '../price-fields';
import { Id, idExample } from '../shared-fields';

export const recordTypes = ['payment', 'refund'] as const;
export type RecordType = (typeof recordTypes)[number];

/** `reversed`: the payment was completed, but the chain later reorganised it away. */
export const recordStates = ['pending', 'completed', 'failed', 'expired', 'reversed'] as const;
export type RecordState = (typeof recordStates)[number];

/** Minimum length of a search text. Shorter texts match too many records. */
export const shortestSearch = 3;
/** Maximum matches of one field. A search with more matches returns only some of them. */
export const mostMatches = 1_000;

export class TransactionFilters {
  @Text(
    `Search: the whole \`id\`, \`order_id\` or \`payment_request_id\`, or the start of \`tx_hash\`, of \`counterparty\`, of the description of the payment request, or of what follows \`Order of\` or \`PayLink:\` in \`description\` (the reference of the shop). Upper and lower case are the same. At least ${shortestSearch} characters. A start that more than ${mostMatches.toLocaleString('en')} records share returns ${mostMatches.toLocaleString('en')} of them`,
    { optional: true, minLength: shortestSearch, maxLength: 128, example: 'shop-17' },
  )
  q?: string;
  @OneOf(recordTypes, 'Only records of this type', { optional: true }) type?: RecordType;
  @OneOf(recordStates, 'Only records in this status', { optional: true, example: 'completed' })
  status?: RecordState;
  @TokenSymbol('Only records in this token, by symbol', { optional: true }) token?: string;
  @ChainName('Only records on this chain: id, CAIP-2 or short name', { optional: true }) network?: string;
  @Timestamp('Only records created at or after this time', {
    optional: true,
    example: '2026-11-01T00:00:00Z',
  })
  from?: string;
  @Timestamp('Only records created before this time', { optional: true, example: '2026-12-01T00:00:00Z' })
  to?: string;
  @Text('`id` of the last record on the previous page', {
    optional: true,
    format: 'uuid',
    pattern: /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/,
    patternMessage: invalidCursor,
    example: orderIdExample,
  })
  cursor?: string;
}

export class TransactionsQuery extends TransactionFilters {
  @Limit(100) limit?: number;
}

export class TransactionLookup {
  @Id('Id of the record', { maxLength: 64 }) id: string;
}

const amountOf = (description: string, example: string) =>
  Text(description, { pattern: /^(0|[1-9][0-9]{0,77})$/, example });

export class TransactionRecord extends PaymentReference {
  @Id('Id of the record') id: string;
  @Text('Wallet of the merchant', { example: walletExample })
  wallet_address: string;
  @OneOf(recordTypes, 'Type of the record') tx_type: RecordType;
  @amountOf('Amount received or requested; for a refund the refunded amount; smallest unit', '1000000')
  amount: string;
  @PriceOf('The price; absent in a payment of an amount of the token') price?: Price;
  @RateOf('Rate that `amount` was fixed at; absent without a price') rate?: ExchangeRate;
  @TokenSymbol('Token') token: string;
  @ChainName('Chain') network: string;
  @OneOf(recordStates, 'Status', { example: 'completed' }) status: RecordState;
  @TxHash('Transaction hash on the chain; empty while unknown', { minLength: 0 })
  tx_hash: string;
  @Text('Address of the payer, where known', { nullable: true, example: payerExample })
  counterparty: string | null;
  @Text('Description of the payment request; without one, what was bought', {
    maxLength: 1_000,
    example: 'Order of shop-17',
  })
  description: string;
  @Id('Id of the order; null for payments without one', { nullable: true, example: idExample })
  order_id: string | null;
  @Decimal('Value in US dollars at the time of payment; null before, and without a price', {
    nullable: true,
    example: '1.00',
  })
  value_usd: string | null;
  @Decimal(
    'Value in `value_currency`: the price if the payment was priced in it, otherwise the dollar value at the rate of the day of the payment. Null before the payment, and without a rate; absent without a `value_currency`',
    { nullable: true, optional: true, example: '0.92' },
  )
  value?: string | null;
  @CurrencyCode('`defaultCurrency` of the settings; absent without one, and for USD', { optional: true })
  value_currency?: string;
  @amountOf('The fee, smallest unit', '5000')
  fee_amount: string;
  @Flag('Paid after it had failed or expired', { example: false }) late: boolean;
  @OneOf(
    ['chain', 'merchant'],
    'What a completed record is based on. `chain`: Tollbridge verified the transaction. `merchant`: the merchant confirmed it, on a network that this deployment cannot verify. Null while not completed.',
    { nullable: true, example: 'chain' },
  )
  confirmed_by: 'chain' | 'merchant' | null;
  @Timestamp('Creation time') created_at: string;
  @Timestamp('Time of the last change', { example: '2026-11-20T12:00:07.000Z' }) updated_at: string;
}

export class OverviewQuery {}

export class TokenVolume {
  @TokenSymbol('Token') token: string;
  @Text('Amount received in this token on all chains, in whole tokens; null when its decimals are unknown', {
    nullable: true,
    maxLength: 400,
    example: '1250.5',
  })
  amount: string | null;
  @Text('The same amount in US dollars, valued at the time of payment', { maxLength: 400, example: '1250.5' })
  volumeUsd: string;
  @Unsigned('Number of payments', { example: 17 }) payments: number;
}

export class ChainVolume {
  @ChainName('Chain') network: string;
  @Text('Amount received on this chain, in US dollars', { maxLength: 400, example: '1250.5' })
  volumeUsd: string;
  @Unsigned('Number of payments', { example: 17 }) payments: number;
}

export class DailyVolume {
  @Text('Day (UTC)', { format: 'date', example: '2026-11-20' }) date: string;
  @Text('Amount received on this day, in US dollars', { maxLength: 400, example: '120.5' }) volumeUsd: string;
  @Unsigned('Number of payments', { example: 3 }) payments: number;
  @Decimal('The same amount in `currency`; absent without a `currency`', {
    optional: true,
    example: '110.40',
  })
  volume?: string;
}

export class OverviewReply {
  @Text('Exact value of all completed payments in US dollars, each at its time of payment', {
    maxLength: 400,
    example: '1250.5',
  })
  totalVolumeUsd: string;
  @Unsigned('Number of completed payments', { example: 17 }) totalPayments: number;
  @Figure(
    'Completed payments divided by all payments that are completed, failed or reversed: 0 to 1, four decimals; null before the first such payment. Expired payments are not counted: their payers left the checkout',
    { nullable: true, example: 0.9444 },
  )
  successRate: number | null;
  @Unsigned('Number of PayLinks that currently accept payments', { example: 2 }) activePaylinks: number;
  @Unsigned('Completed payments without a dollar value; `volumeUsd` excludes them', { example: 0 })
  unpricedPayments: number;
  @Unsigned(
    'Payments in `totalPayments` that the merchant confirmed, on networks that this deployment cannot verify. All sums include them',
    { example: 0 },
  )
  confirmedByMerchant: number;
  @ListOf(() => TokenVolume, 'By token, largest value first', { maxItems: 1_000 })
  volumeByToken: TokenVolume[];
  @ListOf(() => ChainVolume, 'By chain, largest value first', { maxItems: 100 }) volumeByChain: ChainVolume[];
  @ListOf(() => DailyVolume, 'The last 30 days, today last', { maxItems: 30 }) daily: DailyVolume[];
  @CurrencyCode('`defaultCurrency` of the settings; absent without one, and for USD', { optional: true })
  currency?: string;
  @Decimal(
    'Value of all completed payments in `currency`: the price of each payment that was priced in it, otherwise the dollar value at the rate of the day of the payment. Absent without a `currency`',
    { optional: true, example: '1150.46' },
  )
  totalVolume?: string;
  @Unsigned('Completed payments without a value in `currency`; absent without a `currency`', {
    optional: true,
    example: 0,
  })
  unvaluedPayments?: number;
}

export const dashboardApi = feature('merchant', 'dashboard', 'Merchant dashboard', {
  getOverview: operation('GET /api/overview', {
    operationId: 'getMerchantOverview',
    summary: 'Read the payment totals of a merchant',
    description: 'Payments count on the day of their completion (UTC). Refunds are not included.',
    input: OverviewQuery,
    output: OverviewReply,
    auth: merchantAuth('read'),
  }),
  listTransactions: operation('GET /api/transactions', {
    summary: "List a merchant's transactions",
    description:
      'Newest first: the newest 100, unless `limit` and `cursor` say otherwise. While more records exist, the header `Link` names the next page (`rel="next"`). ' +
      "An order that another client created appears after its first payment. `GET /api/transactions/export` takes the same filters and returns CSV: up to 1,000,000 records, each with its dollar value at the time of payment. Pass the last record's `id` as `cursor` to continue.",
    input: TransactionsQuery,
    output: listOf(TransactionRecord),
    auth: merchantAuth('read'),
  }),
  getTransaction: operation('GET /api/transactions/{id}', {
    operationId: 'getTransaction',
    summary: "Read one of a merchant's transactions",
    input: TransactionLookup,
    output: TransactionRecord,
    errors: ['NOT_FOUND'],
    auth: merchantAuth('read'),
  }),
});

export class ExportPageReply {
  @ListOf(() => TransactionRecord, 'Newest first; an empty list means the end', { maxItems: 500 })
  records: TransactionRecord[];
}

/** Operation for the gateway's CSV export. It returns the pages of the wallet that requested the export. */
export const internalDashboardApi = internalFeature('merchant', 'dashboard-export', {
  exportPage: internalOperation({
    summary: "Read one page of a merchant's transactions for the export",
    input: TransactionFilters,
    output: ExportPageReply,
  }),
});
