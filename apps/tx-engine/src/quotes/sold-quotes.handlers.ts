import { Controller } from '@nestjs/common';
import {
  soldQuotesApi,
  type CheckedSwapQuote,
  type PayerQuoteRequest,
  type SwapQuoteReply,
  type SwapQuoteRequest,
} from '@tollbridge/contracts';
import { type CallContext, type FieldError, Handles, Validates } from '@tollbridge/rpc';
import { SwapQuoting } from './swap-quoting';
import { SwapRequests, validateAddresses, validateAliases } from './swap-requests';

const validate = (given: Partial<SwapQuoteRequest>, found: readonly FieldError[]): FieldError[] => [
  ...validateAliases(given, found),
  ...validateAddresses(given),
];

@Controller()
@Handles(soldQuotesApi)
export class SoldQuotesHandlers {
  constructor(
    private readonly requests: SwapRequests,
    private readonly swaps: SwapQuoting,
  ) {}

  @Validates(soldQuotesApi.operations.checkQuote)
  validateCheckQuote(given: Partial<SwapQuoteRequest>, found: readonly FieldError[]): FieldError[] {
    return validate(given, found);
  }

  async checkQuote(request: SwapQuoteRequest): Promise<CheckedSwapQuote> {
    await this.requests.read(request);
    return { isValid: true };
  }

  @Validates(soldQuotesApi.operations.quoteForPayer)
  validateQuoteForPayer(given: Partial<PayerQuoteRequest>, found: readonly FieldError[]): FieldError[] {
    return validate(given, found);
  }

  async quoteForPayer(
    { payer, ...request }: PayerQuoteRequest,
    context: CallContext,
  ): Promise<SwapQuoteReply> {
    return this.swaps.quote(await this.requests.read(request), payer, context);
  }
}
