import { internalFeature, internalOperation } from '@tollbridge/rpc';
import { Flag, Text } from '../decorators';
import { swapQuotesApi, SwapQuoteReply, SwapQuoteRequest } from './quotes.api';

export class CheckedSwapQuote {
  @Flag('Always true: an invalid request is an error') isValid: boolean;
}

export class PayerQuoteRequest extends SwapQuoteRequest {
  @Text('Wallet that has paid: owner of the quote', {
    maxLength: 128,
    example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  })
  payer: string;
}

const { errors, timeoutMs } = swapQuotesApi.operations.quoteSwap;

/** Quotes that are sold for x402 payments. */
export const soldQuotesApi = internalFeature('tx-engine', 'sold-quotes', {
  checkQuote: internalOperation({
    summary: 'Validate a request for a quote before it is paid',
    input: SwapQuoteRequest,
    output: CheckedSwapQuote,
    errors: ['UPSTREAM_UNAVAILABLE'],
    timeoutMs,
    isRead: true,
  }),
  quoteForPayer: internalOperation({
    summary: 'Quote a swap for a wallet that has paid',
    input: PayerQuoteRequest,
    output: SwapQuoteReply,
    errors,
    timeoutMs,
  }),
});
