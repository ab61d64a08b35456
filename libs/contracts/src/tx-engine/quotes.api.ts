import { feature, operation } from '@tollbridge/rpc';
import { Amount, Decimal, Flag, Integer, ListOf, Nested, OneOf, Text, Unsigned } from '../decorators';
import { EvmAddress, Gas, QuoteId, UnixSeconds, Usd, userExample } from './fields';
import { usdcExample } from '../pay-orders/fields';

export const maxSlippageBps = 5_000;

export class TokenRef {
  @Text('Contract address; the zero address means the native coin of the chain', {
    example: usdcExample,
    maxLength: 64,
  })
  address: string;
  @Integer('Chain id', { example: 8453, min: 1 }) chainId: number;
  @Integer('Decimals; rejected when the contract says otherwise', {
    optional: true,
    example: 6,
    min: 0,
    max: 255,
  })
  decimals?: number;
  @Text('For display only: the address decides', { optional: true, maxLength: 64, example: 'USDC' })
  symbol?: string;
}

export class SwapQuoteRequest {
  static readonly forms = {
    SwapQuoteByInput: ['inputToken', 'outputToken', 'inputAmount'],
    SwapQuoteByTokenIn: ['tokenIn', 'tokenOut', 'amountIn'],
  };
  static readonly example = {
    inputToken: { address: '0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2', chainId: 8453, symbol: 'USDT' },
    outputToken: { address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', chainId: 8453, symbol: 'USDC' },
    inputAmount: '100000000',
    slippageBps: 50,
    userAddress: userExample,
  };
  @Nested(() => TokenRef, 'Input token; or send `tokenIn`', { optional: true }) inputToken?: TokenRef;
  @Nested(() => TokenRef, 'Output token; or send `tokenOut`', { optional: true }) outputToken?: TokenRef;
  @Amount('Input amount, smallest unit; or send `amountIn`', { optional: true, example: '100000000' })
  inputAmount?: string;
  @Nested(() => TokenRef, 'Alias of `inputToken`', { optional: true }) tokenIn?: TokenRef;
  @Nested(() => TokenRef, 'Alias of `outputToken`', { optional: true }) tokenOut?: TokenRef;
  @Amount('Alias of `inputAmount`', { optional: true, example: '100000000' }) amountIn?: string;
  @Integer('Largest accepted slippage until execution, in basis points', {
    default: 50,
    example: 50,
    min: 1,
    max: maxSlippageBps,
  })
  slippageBps: number;
  @EvmAddress('Address of the signer, where known: some providers give better quotes with it', {
    optional: true,
  })
  userAddress?: string;
}

export class SwapToken {
  @Text('Contract address; the zero address means the native coin', { example: usdcExample }) address: string;
  @Text('Symbol', { example: 'USDC' }) symbol: string;
  @Integer('Decimals', { example: 6 }) decimals: number;
  @Integer('Chain id', { example: 8453 }) chainId: number;
}

export const stepTypes = ['approval', 'originSwap', 'bridge', 'destinationSwap'] as const;
export type StepType = (typeof stepTypes)[number];

export class RouteStep {
  @OneOf(stepTypes, 'Type of the step', { example: 'originSwap' }) type: StepType;
  @Text('Provider or protocol of the step', { example: 'uniswap-v3' }) venue: string;
  @Nested(() => SwapToken, 'Input token') tokenIn: SwapToken;
  @Nested(() => SwapToken, 'Output token') tokenOut: SwapToken;
  @Amount('Input amount', { allowZero: true, example: '100000000' }) amountIn: string;
  @Amount('Quoted output amount', { allowZero: true, example: '99950000' }) amountOut: string;
}

export class QuoteFee {
  @Text('Purpose of the fee', { example: 'Bridge fee' }) name: string;
  @Nested(() => SwapToken, 'Token of the fee') token: SwapToken;
  @Amount('Amount, smallest unit', { allowZero: true, example: '50000' }) amount: string;
  @Usd('The same amount in US dollars; null without a recent price') amountUsd: string | null;
  @Flag('Whether `outputAmount` already excludes the fee') included: boolean;
}

export class AskedProvider {
  @Text('Name of the provider', { example: 'across' }) provider: string;
  @Amount('Quoted output; null when the provider gave no quote', { nullable: true, example: '99800000' })
  outputAmount: string | null;
  @Amount('Gas cost, in the smallest unit of the output token; null when unknown', {
    nullable: true,
    allowZero: true,
    example: '12000',
  })
  gasInOutputToken: string | null;
  @Text('Why the provider gave no quote', { nullable: true }) problem: string | null;
}

export class SwapQuoteReply {
  @QuoteId('Id to build with') quoteId: string;
  @Nested(() => SwapToken, 'Input token') inputToken: SwapToken;
  @Nested(() => SwapToken, 'Output token') outputToken: SwapToken;
  @Amount('Input amount, smallest unit', { example: '100000000' }) inputAmount: string;
  @Amount('Output amount, smallest unit', { example: '99800000' }) outputAmount: string;
  @Amount('Guaranteed minimum output', { example: '99301000' }) minOutputAmount: string;
  @Decimal('Exchange rate: output tokens for one input token', { example: '0.998' }) exchangeRate: string;
  @Decimal('Price impact compared with a very small amount, in percent; null when unknown', {
    nullable: true,
    example: '0.02',
  })
  priceImpact: string | null;
  @Integer('Accepted slippage in basis points', { example: 50 }) slippageBps: number;
  @ListOf(() => QuoteFee, 'Fees of the route', { maxItems: 20 }) fees: QuoteFee[];
  @ListOf(() => RouteStep, 'Steps of the route', { maxItems: 10 }) route: RouteStep[];
  @Text('Provider of the route', { example: 'across' }) provider: string;
  @Text('Human-readable reason for choosing this route', {
    maxLength: 1_000,
    example: 'across delivers the most: 99.80 USDC after gas; lifi 99.71.',
  })
  reason: string;
  @ListOf(() => AskedProvider, 'All providers that were asked', { maxItems: 10 }) asked: AskedProvider[];
  @Gas('Gas units of all transactions to sign') estimatedGas: string;
  @Usd('Cost of that gas in US dollars; null without a recent price') estimatedGasUsd: string | null;
  @Unsigned('Seconds until the output is delivered', { example: 20 }) estimatedTime: number;
  @UnixSeconds('Expiry: until when transactions can be built from the quote, Unix seconds') expiresAt: number;
}

export const swapQuotesApi = feature('tx-engine', 'quotes', 'Swaps', {
  quoteSwap: operation('POST /v1/quote', {
    summary: 'Quote a swap, on one chain or across chains',
    description:
      'All providers of the pair are asked in parallel, 5 seconds each; the best output after gas wins. `inputToken`, `outputToken` and `inputAmount` may also be named `tokenIn`, `tokenOut` and `amountIn`.',
    input: SwapQuoteRequest,
    output: SwapQuoteReply,
    errors: ['QUOTE_UNAVAILABLE', 'ROUTE_UNAVAILABLE', 'UPSTREAM_UNAVAILABLE'],
    auth: { key: 'publishable', permission: 'read' },
    sale: 'buys',
    // The specification requires 401 for a call without a key, so the sale has its own path.
    soldAt: '/x402/v1/quote',
    style: 'envelope',
    hoisted: 'quoteId',
  }),
});
