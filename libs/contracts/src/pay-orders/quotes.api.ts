import { exampleOf, feature, operation } from '@tollbridge/rpc';
import {
  Amount,
  Decimal,
  Figure,
  Integer,
  ListOf,
  Nested,
  OneOf,
  Text,
  Timestamp,
  Unsigned,
} from '../decorators';
import { ChainName, SettleAmount, TokenSymbol } from './fields';

export const payMethods = ['Direct', 'CrossChain'] as const;
export type PayMethod = (typeof payMethods)[number];

export class QuoteRequest {
  @ChainName('Chain that the payer pays on') pay_blockchain: string;
  @TokenSymbol('Token that the payer pays with') pay_token: string;
  @ChainName('Chain that the merchant is paid on') settle_chain: string;
  @TokenSymbol('Token that the merchant is paid in') settle_token: string;
  @SettleAmount() settle_amount: string;
}

export class QuoteReply {
  @OneOf(payMethods, 'Payment method') method: PayMethod;
  @Amount('Amount that the payer pays, smallest unit') pay_amount: string;
  @Text('The same amount, formatted in whole tokens', { example: '1' }) pay_amount_formatted: string;
  @Decimal('The same amount in US dollars; null without a recent price', { nullable: true, example: '1.00' })
  pay_amount_usd: string | null;
  @Amount('Amount that the merchant receives, smallest unit') receive_amount: string;
  @Text('The same amount, formatted in whole tokens', { example: '1' }) receive_amount_formatted: string;
  @Decimal('The same amount in US dollars; null without a recent price', { nullable: true, example: '1.00' })
  receive_amount_usd: string | null;
  @Integer('Seconds from payment to settlement', { example: 6 }) estimated_time: number;
  @Text('Settle tokens for one pay token', { example: '1' }) exchange_rate: string;
  @Unsigned('Slippage in basis points; 0 for Direct', { example: 0 }) slippage_bps: number;
  @Timestamp('Expiry of the quote') expires_at: string;
}

export const maxPayOptions = 50;

export class PayOption {
  @ChainName('Chain to pay on') blockchain: string;
  @TokenSymbol('Token to pay with') token: string;
}

export class BatchQuoteRequest {
  @ChainName('Chain that the merchant is paid on') settle_chain: string;
  @TokenSymbol('Token that the merchant is paid in') settle_token: string;
  @SettleAmount() settle_amount: string;
  @ListOf(() => PayOption, 'Payment options to quote', {
    maxItems: maxPayOptions,
    example: [
      { blockchain: 'base', token: 'USDC' },
      { blockchain: 'btc', token: 'BTC' },
    ],
  })
  pay_options: PayOption[];
}

export class QuoteFound {
  @Nested(() => QuoteReply, 'The quote') quote: QuoteReply;
}

export class QuoteFailed {
  @Text('Human-readable reason for a missing quote', {
    example: 'There is no liquidity for this pair at present.',
  })
  error: string;
  @Figure('Smallest payable amount in US dollars, where known', { optional: true, example: 10 })
  min_amount_usd?: number;
}

/** Exactly one of the two fields is present. */
export class QuoteResult {
  static readonly forms = { QuoteOk: ['Ok'], QuoteError: ['Error'] };
  static readonly example = { Ok: exampleOf(QuoteFound) };
  @Nested(() => QuoteFound, 'The quote', { optional: true }) Ok?: QuoteFound;
  @Nested(() => QuoteFailed, 'Reason for a missing quote', { optional: true }) Error?: QuoteFailed;
}

export class OptionQuote {
  @ChainName('Chain, as in the request') blockchain: string;
  @TokenSymbol('Token, as in the request') token: string;
  @Nested(() => QuoteResult, '`Ok` or `Error`') result: QuoteResult;
}

export class BatchQuoteReply {
  @ListOf(() => OptionQuote, 'In the order of `pay_options`', { maxItems: maxPayOptions })
  quotes: OptionQuote[];
}

export class MinAmountsQuery {}

export class MinAmount {
  @Text('Chain to pay on', { example: 'btc' }) blockchain: string;
  @Text('Token to pay with', { example: 'BTC' }) token: string;
  @Amount('Smallest amount that the merchant can be owed, in the smallest unit of `settle_token`', {
    example: '3500000',
  })
  min_settle_amount: string;
  @Figure('The same amount in US dollars', { example: 3.5 }) min_usd: number;
  @Text('Chain of the token of `min_settle_amount`', { example: 'eip155:8453' }) settle_chain: string;
  @Text('Token of `min_settle_amount`', { example: 'USDC' }) settle_token: string;
  @Timestamp('Time of the measurement') updated_at: string;
}

export class MinAmountsReply {
  @ListOf(() => MinAmount, 'Hints, not filters: the quote decides', { maxItems: 500 })
  min_amounts: MinAmount[];
  @Integer('Number of `min_amounts`', { example: 1 }) count: number;
  @Timestamp('Time of the latest measurement; null before the first', {
    nullable: true,
    example: '2026-11-20T12:00:00.000Z',
  })
  updated_at: string | null;
}

export const quotesApi = feature('pay-orders', 'quotes', 'Payment quotes', {
  quote: operation('POST /api/v1/pay/quote', {
    operationId: 'quotePayment',
    isRead: true,
    summary: 'Quote the amount that a payer must pay',
    description:
      'The same token on the same chain is quoted 1:1 and paid directly; every other pair at the live cross-chain rate. An unknown chain or token is rejected with 400; a pair without a route now returns 502.',
    input: QuoteRequest,
    output: QuoteReply,
    errors: ['QUOTE_UNAVAILABLE'],
    auth: 'public',
    timeoutMs: 8_000,
  }),
  batchQuote: operation('POST /api/v1/pay/batch-quote', {
    operationId: 'quotePaymentOptions',
    isRead: true,
    summary: 'Quote several payment options at once',
    description:
      'All options are quoted in parallel, 5 seconds each. A failed option does not affect the others.',
    input: BatchQuoteRequest,
    output: BatchQuoteReply,
    auth: 'public',
    timeoutMs: 8_000,
  }),
  minAmounts: operation('GET /api/v1/pay/min-amounts', {
    operationId: 'listMinimumAmounts',
    summary: 'List the smallest amounts of cross-chain payments',
    description:
      'Returns a snapshot that is refreshed in the background, also while the provider is unavailable.',
    input: MinAmountsQuery,
    output: MinAmountsReply,
    auth: 'public',
  }),
});
