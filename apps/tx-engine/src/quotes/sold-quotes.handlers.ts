import { Controller } from '@nestjs/common';
import {
  soldQuotesApi,
  type CheckedSwapQuote,
  type PayerQuoteRequest,
  type SwapQuoteReply,
  type SwapQuoteRequest,
} from '@tollbridge/contracts';
import { type CallContext, type FieldError, Handles, Validates } from '@tollbridge/rpc';
import { validateAddresses, validateAliases, SwapQuoting } from './swap-quoting';

const validate = (given: Partial<SwapQuoteRequest>, found: readonly FieldError[]): FieldError[] => [
  ...validateAliases(given, found),
  ...validateAddresses(given),
];

@Controller()
@Handles(soldQuotesApi)
export class SoldQuotesHandlers {
  constructor(private readonly swaps: SwapQuoting) {}

  @Validates(soldQuotesApi.operations.checkQuote)
  validateCheckQuote(given: Partial<SwapQuoteRequest>, found: readonly FieldError[]): FieldError[] {
    return validate(given, found);
  }

  async checkQuote(request: SwapQuoteRequest): Promise<CheckedSwapQuote> {
    await this.swaps.check(request);
    return { isValid: true };
  }

  @Validates(soldQuotesApi.operations.quoteForPayer)
  validateQuoteForPayer(given: Partial<PayerQuoteRequest>, found: readonly FieldError[]): FieldError[] {
    return validate(given, found);
  }

  quoteForPayer({ payer, ...request }: PayerQuoteRequest, context: CallContext): Promise<SwapQuoteReply> {
    return this.swaps.quote(request, payer, context);
  }
}
