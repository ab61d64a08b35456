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
    description: 'Contract address; the zero address is the coin of the chain',
    example: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    maxLength: 64,
  })
  address: string;
  @Integer({ description: 'Chain id', example: 8453, min: 1 })
  chainId: number;
  @Integer({
    description: 'Decimals; refused when the contract says otherwise',
    optional: true,
    example: 6,
    min: 0,
    max: 255,
  })
  decimals?: number;
  @Text({ description: 'For you only: the address decides', optional: true, maxLength: 64, example: 'USDC' })
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
  @Nested(() => TokenRef, { description: 'What is given; or name it `tokenIn`', optional: true })
  inputToken?: TokenRef;
  @Nested(() => TokenRef, { description: 'What is wanted; or name it `tokenOut`', optional: true })
  outputToken?: TokenRef;
  @Amount({
    description: 'How much is given, smallest unit; or name it `amountIn`',
    optional: true,
    example: '100000000',
  })
  inputAmount?: string;
  @Nested(() => TokenRef, { description: 'Another name of `inputToken`', optional: true })
  tokenIn?: TokenRef;
  @Nested(() => TokenRef, { description: 'Another name of `outputToken`', optional: true })
  tokenOut?: TokenRef;
  @Amount({ description: 'Another name of `inputAmount`', optional: true, example: '100000000' })
  amountIn?: string;
  @Integer({
    description: 'How much worse the rate may get until it is executed, in basis points',
    default: 50,
    example: 50,
    min: 1,
    max: maxSlippageBps,
  })
  slippageBps: number;
  @EvmAddress({
    description: 'Who will sign, where known: some providers quote better for it',
    optional: true,
  })
  userAddress?: string;
}

export class SwapToken {
  @Text({
    description: 'Contract address; the zero address is the coin',
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
  @OneOf(stepTypes, { description: 'What happens', example: 'originSwap' })
  type: StepType;
  @Text({ description: 'Who does it', example: 'uniswap-v3' })
  venue: string;
  @Nested(() => SwapToken, { description: 'What goes in' })
  tokenIn: SwapToken;
  @Nested(() => SwapToken, { description: 'What comes out' })
  tokenOut: SwapToken;
  @Amount({ description: 'How much goes in', allowZero: true, example: '100000000' })
  amountIn: string;
  @Amount({ description: 'How much comes out, as quoted', allowZero: true, example: '99950000' })
  amountOut: string;
}

export class QuoteFee {
  @Text({ description: 'What it is for', example: 'Bridge fee' })
  name: string;
  @Nested(() => SwapToken, { description: 'What it is taken in' })
  token: SwapToken;
  @Amount({ description: 'How much, smallest unit', allowZero: true, example: '50000' })
  amount: string;
  @Usd({ description: 'The same in US dollars; null without a recent price' })
  amountUsd: string | null;
  @Flag({ description: 'Whether `outputAmount` is already without it', example: true })
  included: boolean;
}

export class AskedProvider {
  @Text({ description: 'Name of the provider', example: 'across' })
  provider: string;
  @Amount({
    description: 'What it would deliver; null when it gave no quote',
    nullable: true,
    example: '99800000',
  })
  outputAmount: string | null;
  @Amount({
    description: 'What its gas costs, in the smallest unit of the output token; null where unknown',
    nullable: true,
    allowZero: true,
    example: '12000',
  })
  gasInOutputToken: string | null;
  @Text({ description: 'Why it gave none', nullable: true, example: null })
  problem: string | null;
}

export class SwapQuoteReply {
  @QuoteId({ description: 'Build with it' })
  quoteId: string;
  @Nested(() => SwapToken, { description: 'What is given' })
  inputToken: SwapToken;
  @Nested(() => SwapToken, { description: 'What is wanted' })
  outputToken: SwapToken;
  @Amount({ description: 'How much is given, smallest unit', example: '100000000' })
  inputAmount: string;
  @Amount({ description: 'How much comes out, smallest unit', example: '99800000' })
  outputAmount: string;
  @Amount({ description: 'Less than this is never delivered', example: '99301000' })
  minOutputAmount: string;
  @Decimal({ description: 'Output tokens for one input token', example: '0.998' })
  exchangeRate: string;
  @Decimal({
    description: 'How much worse than for a very small amount, in percent; null where unknown',
    nullable: true,
    example: '0.02',
  })
  priceImpact: string | null;
  @Integer({ description: 'How much worse the rate may get, in basis points', example: 50 })
  slippageBps: number;
  @ListOf(() => QuoteFee, { description: 'What is taken on the way', maxItems: 20 })
  fees: QuoteFee[];
  @ListOf(() => RouteStep, { description: 'The way, step by step', maxItems: 10 })
  route: RouteStep[];
  @Text({ description: 'Whose way it is', example: 'across' })
  provider: string;
  @Text({
    description: 'Why this one, for people',
    maxLength: 1_000,
    example: 'across delivers the most: 99.80 USDC after gas; lifi 99.71.',
  })
  reason: string;
  @ListOf(() => AskedProvider, { description: 'Everyone who was asked', maxItems: 10 })
  asked: AskedProvider[];
  @Gas({ description: 'Gas units of all transactions that you would sign' })
  estimatedGas: string;
  @Usd({ description: 'What that gas costs in US dollars; null without a recent price' })
  estimatedGasUsd: string | null;
  @Integer({ description: 'Seconds until the output is there', example: 20, min: 0 })
  estimatedTime: number;
  @UnixSeconds({ description: 'Until when a transaction can be built from it, Unix seconds' })
  expiresAt: number;
}

export const swapQuotesApi = feature('tx-engine', 'quotes', 'Swaps', {
  quoteSwap: operation({
    method: 'POST',
    path: '/v1/quote',
    summary: 'Quote a swap, on one chain or across chains',
    description:
      'Everyone who serves the pair is asked at once and has 5 seconds; the best output after gas wins. `inputToken`, `outputToken` and `inputAmount` may also be named `tokenIn`, `tokenOut` and `amountIn`.',
    input: SwapQuoteRequest,
    output: SwapQuoteReply,
    errors: ['QUOTE_UNAVAILABLE', 'ROUTE_UNAVAILABLE', 'UPSTREAM_UNAVAILABLE'],
    auth: { key: 'publishable', permission: 'read' },
    style: 'envelope',
    hoisted: 'quoteId',
  }),
});
