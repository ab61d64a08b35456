import { Controller } from '@nestjs/common';
import {
  quotesApi,
  type BatchQuoteReply,
  type BatchQuoteRequest,
  type MinAmountsReply,
  type PayOption,
  type QuoteReply,
  type QuoteRequest,
  type QuoteResult,
} from '@tollbridge/contracts';
import { DomainError, type FieldError, Handles, Validates } from '@tollbridge/rpc';
import { decimalNumber } from '@tollbridge/money';
import { Deployments } from '../chains/deployments';
import { MinAmounts } from './min-amounts';
import { Quotes } from './quotes';

type Settled = Partial<Pick<QuoteRequest, 'settle_chain' | 'settle_token' | 'settle_amount'>>;

@Controller()
@Handles(quotesApi)
export class QuotesHandlers {
  constructor(
    private readonly quotes: Quotes,
    private readonly deployments: Deployments,
    private readonly minimums: MinAmounts,
  ) {}

  async quote({ settle_amount, ...pair }: QuoteRequest): Promise<QuoteReply> {
    const outcome = await this.quotes.quote(pair, BigInt(settle_amount));
    if ('quote' in outcome) return outcome.quote;
    const { error, minUsd } = outcome;
    const details = minUsd === null ? {} : { details: { min_amount_usd: decimalNumber(minUsd) } };
    throw new DomainError('QUOTE_UNAVAILABLE', error, details);
  }

  @Validates(quotesApi.operations.quote)
  validateQuote(given: Partial<QuoteRequest>): FieldError[] {
    return this.settleErrors(given);
  }

  async batchQuote(request: BatchQuoteRequest): Promise<BatchQuoteReply> {
    const quotes = request.pay_options.map(async ({ blockchain, token }) => ({
      blockchain,
      token,
      result: await this.resultOf({ blockchain, token }, request),
    }));
    return { quotes: await Promise.all(quotes) };
  }

  /** An unknown entry of `pay_options` fails alone, like an entry without a route. */
  @Validates(quotesApi.operations.batchQuote)
  validateBatchQuote(given: Partial<BatchQuoteRequest>): FieldError[] {
    return this.settleErrors(given);
  }

  minAmounts(): MinAmountsReply {
    return this.minimums.reply();
  }

  /** An unknown pay token has no route, and fails like a pair without a route. */
  private settleErrors({ settle_chain, settle_token, settle_amount }: Settled): FieldError[] {
    return [
      ...this.deployments.unknownNames({ settle_chain, settle_token }),
      ...this.deployments.amountErrors('settle_amount', { settle_chain, settle_token }, settle_amount),
    ];
  }

  private async resultOf(
    { blockchain, token }: PayOption,
    { settle_chain, settle_token, settle_amount }: BatchQuoteRequest,
  ): Promise<QuoteResult> {
    const pair = { pay_blockchain: blockchain, pay_token: token, settle_chain, settle_token };
    const outcome = await this.quotes.quote(pair, BigInt(settle_amount));
    if ('quote' in outcome) return { Ok: { quote: outcome.quote } };
    const { error, minUsd } = outcome;
    return { Error: { error, ...(minUsd !== null && { min_amount_usd: decimalNumber(minUsd) }) } };
  }
}
