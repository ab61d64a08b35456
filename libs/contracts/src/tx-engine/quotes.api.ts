import {
  Amount,
  Decimal,
  feature,
  Flag,
  Integer,
  ListOf,
  Nested,
  OneOf,
  operation,
  Text,
} from '@tollbridge/rpc';
import { EvmAddress, Gas, QuoteId, UnixSeconds, Usd, userExample } from './fields';

export const maxSlippageBps = 5_000;

export class TokenRef {
  @Text({
    description: 'Contract address; the zero address means the native coin of the chain',
    example: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    maxLength: 64,
  })
  address: string;
  @Integer({ description: 'Chain id', example: 8453, min: 1 })
  chainId: number;
  @Integer({
    description: 'Decimals; rejected when the contract says otherwise',
    optional: true,
    example: 6,
    min: 0,
    max: 255,
  })
  decimals?: number;
  @Text({
    description: 'For display only: the address decides',
    optional: true,
    maxLength: 64,
    example: 'USDC',
  })
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
  @Nested(() => TokenRef, { description: 'Input token; or send `tokenIn`', optional: true })
  inputToken?: TokenRef;
  @Nested(() => TokenRef, { description: 'Output token; or send `tokenOut`', optional: true })
  outputToken?: TokenRef;
  @Amount({
    description: 'Input amount, smallest unit; or send `amountIn`',
    optional: true,
    example: '100000000',
  })
  inputAmount?: string;
  @Nested(() => TokenRef, { description: 'Alias of `inputToken`', optional: true })
  tokenIn?: TokenRef;
  @Nested(() => TokenRef, { description: 'Alias of `outputToken`', optional: true })
  tokenOut?: TokenRef;
  @Amount({ description: 'Alias of `inputAmount`', optional: true, example: '100000000' })
  amountIn?: string;
  @Integer({
    description: 'Largest accepted slippage until execution, in basis points',
    default: 50,
    example: 50,
    min: 1,
    max: maxSlippageBps,
  })
  slippageBps: number;
  @EvmAddress({
    description: 'Address of the signer, where known: some providers give better quotes with it',
    optional: true,
  })
  userAddress?: string;
}

export class SwapToken {
  @Text({
    description: 'Contract address; the zero address means the native coin',
    example: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  })
  address: string;
  @Text({ description: 'Symbol', example: 'USDC' })
  symbol: string;
  @Integer({ description: 'Decimals', example: 6 })
  decimals: number;
  @Integer({ description: 'Chain id', example: 8453 })
  chainId: number;
}

export const stepTypes = ['approval', 'originSwap', 'bridge', 'destinationSwap'] as const;
export type StepType = (typeof stepTypes)[number];

export class RouteStep {
  @OneOf(stepTypes, { description: 'Type of the step', example: 'originSwap' })
  type: StepType;
  @Text({ description: 'Provider or protocol of the step', example: 'uniswap-v3' })
  venue: string;
  @Nested(() => SwapToken, { description: 'Input token' })
  tokenIn: SwapToken;
  @Nested(() => SwapToken, { description: 'Output token' })
  tokenOut: SwapToken;
  @Amount({ description: 'Input amount', allowZero: true, example: '100000000' })
  amountIn: string;
  @Amount({ description: 'Quoted output amount', allowZero: true, example: '99950000' })
  amountOut: string;
}

export class QuoteFee {
  @Text({ description: 'Purpose of the fee', example: 'Bridge fee' })
  name: string;
  @Nested(() => SwapToken, { description: 'Token of the fee' })
  token: SwapToken;
  @Amount({ description: 'Amount, smallest unit', allowZero: true, example: '50000' })
  amount: string;
  @Usd({ description: 'The same amount in US dollars; null without a recent price' })
  amountUsd: string | null;
  @Flag({ description: 'Whether `outputAmount` already excludes the fee', example: true })
  included: boolean;
}

export class AskedProvider {
  @Text({ description: 'Name of the provider', example: 'across' })
  provider: string;
  @Amount({
    description: 'Quoted output; null when the provider gave no quote',
    nullable: true,
    example: '99800000',
  })
  outputAmount: string | null;
  @Amount({
    description: 'Gas cost, in the smallest unit of the output token; null when unknown',
    nullable: true,
    allowZero: true,
    example: '12000',
  })
  gasInOutputToken: string | null;
  @Text({ description: 'Why the provider gave no quote', nullable: true, example: null })
  problem: string | null;
}

export class SwapQuoteReply {
  @QuoteId({ description: 'Id to build with' })
  quoteId: string;
  @Nested(() => SwapToken, { description: 'Input token' })
  inputToken: SwapToken;
  @Nested(() => SwapToken, { description: 'Output token' })
  outputToken: SwapToken;
  @Amount({ description: 'Input amount, smallest unit', example: '100000000' })
  inputAmount: string;
  @Amount({ description: 'Output amount, smallest unit', example: '99800000' })
  outputAmount: string;
  @Amount({ description: 'Guaranteed minimum output', example: '99301000' })
  minOutputAmount: string;
  @Decimal({ description: 'Exchange rate: output tokens for one input token', example: '0.998' })
  exchangeRate: string;
  @Decimal({
    description: 'Price impact compared with a very small amount, in percent; null when unknown',
    nullable: true,
    example: '0.02',
  })
  priceImpact: string | null;
  @Integer({ description: 'Accepted slippage in basis points', example: 50 })
  slippageBps: number;
  @ListOf(() => QuoteFee, { description: 'Fees of the route', maxItems: 20 })
  fees: QuoteFee[];
  @ListOf(() => RouteStep, { description: 'Steps of the route', maxItems: 10 })
  route: RouteStep[];
  @Text({ description: 'Provider of the route', example: 'across' })
  provider: string;
  @Text({
    description: 'Human-readable reason for choosing this route',
    maxLength: 1_000,
    example: 'across delivers the most: 99.80 USDC after gas; lifi 99.71.',
  })
  reason: string;
  @ListOf(() => AskedProvider, { description: 'All providers that were asked', maxItems: 10 })
  asked: AskedProvider[];
  @Gas({ description: 'Gas units of all transactions to sign' })
  estimatedGas: string;
  @Usd({ description: 'Cost of that gas in US dollars; null without a recent price' })
  estimatedGasUsd: string | null;
  @Integer({ description: 'Seconds until the output is delivered', example: 20, min: 0 })
  estimatedTime: number;
  @UnixSeconds({ description: 'Expiry: until when transactions can be built from the quote, Unix seconds' })
  expiresAt: number;
}

export const swapQuotesApi = feature('tx-engine', 'quotes', 'Swaps', {
  quoteSwap: operation({
    method: 'POST',
    path: '/v1/quote',
    summary: 'Quote a swap, on one chain or across chains',
    description:
      'All providers of the pair are asked in parallel, 5 seconds each; the best output after gas wins. `inputToken`, `outputToken` and `inputAmount` may also be named `tokenIn`, `tokenOut` and `amountIn`.',
    input: SwapQuoteRequest,
    output: SwapQuoteReply,
    errors: ['QUOTE_UNAVAILABLE', 'ROUTE_UNAVAILABLE', 'UPSTREAM_UNAVAILABLE'],
    auth: { key: 'publishable', permission: 'read' },
    sale: 'buys',
    // The specification answers 401 to a call without a key.
    soldAt: '/x402/v1/quote',
    style: 'envelope',
    hoisted: 'quoteId',
  }),
});
