import { Controller } from '@nestjs/common';
import { swapQuotesApi, type SwapQuoteReply, type SwapQuoteRequest } from '@tollbridge/contracts';
import { Handles, ownerOf, type CallContext, type FieldError } from '@tollbridge/rpc';
import { problemsOfAddresses, problemsOfNames, QuoteSwap } from './quote-swap';

@Controller()
@Handles(swapQuotesApi)
export class SwapQuotesHandlers {
  constructor(private readonly swaps: QuoteSwap) {}

  quoteSwap(request: SwapQuoteRequest, context: CallContext): Promise<SwapQuoteReply> {
    return this.swaps.quote(request, ownerOf(context) ?? '', context);
  }

  problemsOfQuoteSwap(given: Partial<SwapQuoteRequest>, found: readonly FieldError[]): FieldError[] {
    return [...problemsOfNames(given, found), ...problemsOfAddresses(given)];
  }
}
