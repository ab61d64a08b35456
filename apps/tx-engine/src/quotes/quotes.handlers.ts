import { Controller } from '@nestjs/common';
import { swapQuotesApi, type SwapQuoteReply, type SwapQuoteRequest } from '@tollbridge/contracts';
import { type CallContext, type FieldError, Handles, ownerOf, Validates } from '@tollbridge/rpc';
import { validateAddresses, validateAliases, SwapQuoting } from './swap-quoting';

@Controller()
@Handles(swapQuotesApi)
export class SwapQuotesHandlers {
  constructor(private readonly swaps: SwapQuoting) {}

  quoteSwap(request: SwapQuoteRequest, context: CallContext): Promise<SwapQuoteReply> {
    return this.swaps.quote(request, ownerOf(context) ?? '', context);
  }

  @Validates(swapQuotesApi.operations.quoteSwap)
  validateQuoteSwap(given: Partial<SwapQuoteRequest>, found: readonly FieldError[]): FieldError[] {
    return [...validateAliases(given, found), ...validateAddresses(given)];
  }
}
