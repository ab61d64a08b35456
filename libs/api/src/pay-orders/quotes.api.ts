import { Amount, feature, Integer, OneOf, operation, Text, Timestamp } from '@tollbridge/bus';
import { ChainName, TokenSymbol } from './fields';

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
  @Amount({
    description: 'What the merchant must receive, in the smallest unit of the settle token',
    example: '1000000',
  })
  settle_amount: string;
}

export class QuoteReply {
  @OneOf(payMethods, { description: 'How it would be paid', example: 'Direct' })
  method: PayMethod;
  @Amount({ description: 'What the payer pays, smallest unit', example: '1000000' })
  pay_amount: string;
  @Text({ description: 'The same for people', example: '1' })
  pay_amount_formatted: string;
  @Amount({ description: 'What the merchant receives, smallest unit', example: '1000000' })
  receive_amount: string;
  @Text({ description: 'The same for people', example: '1' })
  receive_amount_formatted: string;
  @Integer({ description: 'Seconds from payment to settlement', example: 6 })
  estimated_time: number;
  @Text({ description: 'Settle tokens for one pay token', example: '1' })
  exchange_rate: string;
  @Integer({ description: 'Slippage in basis points; 0 for Direct', example: 0, min: 0 })
  slippage_bps: number;
  @Timestamp({ description: 'Until when the quote holds', example: '2026-11-20T12:00:00.000Z' })
  expires_at: string;
}

export const quotesApi = feature('pay-orders', 'quotes', 'Quotes', {
  quote: operation({
    method: 'POST',
    path: '/api/v1/pay/quote',
    summary: 'Quote what a payer must pay',
    description: 'The same token on the same chain is quoted 1:1 and paid directly.',
    input: QuoteRequest,
    output: QuoteReply,
    errors: ['QUOTE_UNAVAILABLE'],
    auth: 'public',
  }),
});
