import { Controller } from '@nestjs/common';
import { swapQuotesApi, type SwapQuoteReply, type SwapQuoteRequest } from '@tollbridge/contracts';
import { type CallContext, type FieldError, Handles, ownerOf, Validates } from '@tollbridge/rpc';
import { SwapQuoting } from './swap-quoting';
import { SwapRequests, validateAddresses, validateAliases } from './swap-requests';

@Controller()
@Handles(swapQuotesApi)
export class SwapQuotesHandlers {
  constructor(
    private readonly requests: SwapRequests,
    private readonly swaps: SwapQuoting,
  ) {}

  async quoteSwap(request: SwapQuoteRequest, context: CallContext): Promise<SwapQuoteReply> {
    return this.swaps.quote(await this.requests.read(request), ownerOf(context) ?? '', context);
  }

  @Validates(swapQuotesApi.operations.quoteSwap)
  validateQuoteSwap(given: Partial<SwapQuoteRequest>, found: readonly FieldError[]): FieldError[] {
    return [...validateAliases(given, found), ...validateAddresses(given)];
  }
}
