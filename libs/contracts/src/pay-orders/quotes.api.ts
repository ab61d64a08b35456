import {
  Amount,
  Decimal,
  exampleOf,
  feature,
  Figure,
  Integer,
  ListOf,
  Nested,
  OneOf,
  operation,
  Text,
  Timestamp,
} from '@tollbridge/rpc';
import { ChainName, SettleAmount, TokenSymbol } from './fields';

export const payMethods = ['Direct', 'CrossChain'] as const;
export type PayMethod = (typeof payMethods)[number];

export class QuoteRequest {
  @ChainName({ description: 'Chain that the payer pays on' })
  pay_blockchain: string;
  @TokenSymbol({ description: 'Token that the payer pays with' })
  pay_token: string;
  @ChainName({ description: 'Chain that the merchant is paid on' })
  settle_chain: string;
  @TokenSymbol({ description: 'Token that the merchant is paid in' })
  settle_token: string;
  @SettleAmount()
  settle_amount: string;
}

export class QuoteReply {
  @OneOf(payMethods, { description: 'Payment method', example: 'Direct' })
  method: PayMethod;
  @Amount({ description: 'Amount that the payer pays, smallest unit', example: '1000000' })
  pay_amount: string;
  @Text({ description: 'The same amount, formatted in whole tokens', example: '1' })
  pay_amount_formatted: string;
  @Decimal({
    description: 'The same amount in US dollars; null without a recent price',
    nullable: true,
    example: '1.00',
  })
  pay_amount_usd: string | null;
  @Amount({ description: 'Amount that the merchant receives, smallest unit', example: '1000000' })
  receive_amount: string;
  @Text({ description: 'The same amount, formatted in whole tokens', example: '1' })
  receive_amount_formatted: string;
  @Decimal({
    description: 'The same amount in US dollars; null without a recent price',
    nullable: true,
    example: '1.00',
  })
  receive_amount_usd: string | null;
  @Integer({ description: 'Seconds from payment to settlement', example: 6 })
  estimated_time: number;
  @Text({ description: 'Settle tokens for one pay token', example: '1' })
  exchange_rate: string;
  @Integer({ description: 'Slippage in basis points; 0 for Direct', example: 0, min: 0 })
  slippage_bps: number;
  @Timestamp({ description: 'Expiry of the quote', example: '2026-11-20T12:00:00.000Z' })
  expires_at: string;
}

export const maxPayOptions = 50;

export class PayOption {
  @ChainName({ description: 'Chain to pay on' })
  blockchain: string;
  @TokenSymbol({ description: 'Token to pay with' })
  token: string;
}

export class BatchQuoteRequest {
  @ChainName({ description: 'Chain that the merchant is paid on' })
  settle_chain: string;
  @TokenSymbol({ description: 'Token that the merchant is paid in' })
  settle_token: string;
  @SettleAmount()
  settle_amount: string;
  @ListOf(() => PayOption, {
    description: 'Payment options to quote',
    maxItems: maxPayOptions,
    example: [
      { blockchain: 'base', token: 'USDC' },
      { blockchain: 'btc', token: 'BTC' },
    ],
  })
  pay_options: PayOption[];
}

export class QuoteFound {
  @Nested(() => QuoteReply, { description: 'The quote' })
  quote: QuoteReply;
}

export class QuoteFailed {
  @Text({
    description: 'Human-readable reason why there is no quote',
    example: 'There is no liquidity for this pair at present.',
  })
  error: string;
  @Figure({
    description: 'Smallest payable amount in US dollars, where known',
    optional: true,
    example: 10,
  })
  min_amount_usd?: number;
}

/** Exactly one of both fields is present. */
export class QuoteResult {
  static readonly forms = { QuoteOk: ['Ok'], QuoteError: ['Error'] };
  static readonly example = { Ok: exampleOf(QuoteFound) };
  @Nested(() => QuoteFound, { description: 'The quote', optional: true })
  Ok?: QuoteFound;
  @Nested(() => QuoteFailed, { description: 'Why there is no quote', optional: true })
  Error?: QuoteFailed;
}

export class OptionQuote {
  @ChainName({ description: 'Chain, as in the request' })
  blockchain: string;
  @TokenSymbol({ description: 'Token, as in the request' })
  token: string;
  @Nested(() => QuoteResult, { description: '`Ok` or `Error`' })
  result: QuoteResult;
}

export class BatchQuoteReply {
  @ListOf(() => OptionQuote, { description: 'In the order of `pay_options`', maxItems: maxPayOptions })
  quotes: OptionQuote[];
}

export class MinAmountsQuery {}

export class MinAmount {
  @Text({ description: 'Chain to pay on', example: 'btc' })
  blockchain: string;
  @Text({ description: 'Token to pay with', example: 'BTC' })
  token: string;
  @Amount({
    description: 'Smallest amount that the merchant can be owed, in the smallest unit of `settle_token`',
    example: '3500000',
  })
  min_settle_amount: string;
  @Figure({ description: 'The same amount in US dollars', example: 3.5 })
  min_usd: number;
  @Text({ description: 'Chain of the token in which `min_settle_amount` is given', example: 'eip155:8453' })
  settle_chain: string;
  @Text({ description: 'Token in which `min_settle_amount` is given', example: 'USDC' })
  settle_token: string;
  @Timestamp({ description: 'Time of the measurement', example: '2026-11-20T12:00:00.000Z' })
  updated_at: string;
}

export class MinAmountsReply {
  @ListOf(() => MinAmount, { description: 'Hints, not filters: the quote decides', maxItems: 500 })
  min_amounts: MinAmount[];
  @Integer({ description: 'Number of `min_amounts`', example: 1 })
  count: number;
  @Timestamp({
    description: 'Time of the latest measurement; null before the first',
    nullable: true,
    example: '2026-11-20T12:00:00.000Z',
  })
  updated_at: string | null;
}

export const quotesApi = feature('pay-orders', 'quotes', 'Payment quotes', {
  quote: operation({
    operationId: 'quotePayment',
    method: 'POST',
    path: '/api/v1/pay/quote',
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
  batchQuote: operation({
    operationId: 'quotePaymentOptions',
    method: 'POST',
    path: '/api/v1/pay/batch-quote',
    isRead: true,
    summary: 'Quote several payment options at once',
    description:
      'All options are quoted in parallel, 5 seconds each. A failed option does not affect the others.',
    input: BatchQuoteRequest,
    output: BatchQuoteReply,
    errors: [],
    auth: 'public',
    timeoutMs: 8_000,
  }),
  minAmounts: operation({
    operationId: 'listMinimumAmounts',
    method: 'GET',
    path: '/api/v1/pay/min-amounts',
    summary: 'List the smallest amounts of cross-chain payments',
    description:
      'Returns a snapshot that is refreshed in the background, also while the provider is unavailable.',
    input: MinAmountsQuery,
    output: MinAmountsReply,
    errors: [],
    auth: 'public',
  }),
});
