import { formatUnits } from '@tollbridge/money';
import { wholeWad } from '../across/plan-swap';
import type { MarketToken } from '../markets/market';
import type { ContractCall } from '../oneclick/evm-node';
import { bridge, inUsd, wireToken, type Prices } from './describe';
import type { LifiRequest } from './read-quote-request';
import type { Action, Estimate, FeeCost, GasCost, IncludedStep, LiFiStep, ToolDetails } from './wire';

interface Trade {
  tool: ToolDetails;
  tokenIn: MarketToken;
  tokenOut: MarketToken;
  amountInAtomic: bigint;
  amountOutAtomic: bigint;
  minAmountOutAtomic: bigint;
}

/** A swap or a bridge from one token to another, with one tool. */
export interface Hop extends Trade {
  /** Fee in the input token. The output amount already excludes it. */
  feeAtomic: bigint;
}

/** The whole transfer in one transaction. */
export interface Way {
  hops: readonly Hop[];
  tool: ToolDetails;
  call: ContractCall;
  amountOutAtomic: bigint;
  minAmountOutAtomic: bigint;
  seconds: number;
}

export interface DescribeOptions {
  id: string;
  prices: Prices;
  gas: bigint;
  gasPrice: bigint;
}

const wadDecimals = 18;

export const withRoom = (gas: bigint): bigint => (gas * 5n) / 4n;

/** Returns the step without its transaction. */
export function describeWay(way: Way, request: LifiRequest, options: DescribeOptions): LiFiStep {
  const { id, prices } = options;
  const { hops, tool, call, seconds } = way;
  const { fromToken, toToken, amountAtomic, integrator, from } = request;
  const whole = { ...way, tokenIn: fromToken, tokenOut: toToken, amountInAtomic: amountAtomic };
  return {
    type: 'lifi',
    id,
    tool: tool.key,
    toolDetails: tool,
    action: actionOf(whole, request, prices),
    estimate: {
      ...amountsOf(whole, prices),
      approvalAddress: call.to,
      executionDuration: seconds,
      feeCosts: hops.flatMap((hop) => feesOf(hop, prices)),
      gasCosts: [gasCost(from.coin, options)],
    },
    includedSteps: hops.map((hop, index): IncludedStep => {
      const isCrossing = hop.tool === bridge;
      return {
        type: isCrossing ? 'cross' : 'swap',
        id: `${id}:${index}`,
        tool: hop.tool.key,
        toolDetails: hop.tool,
        action: actionOf(hop, request, prices),
        estimate: {
          ...amountsOf(hop, prices),
          approvalAddress: call.to,
          executionDuration: isCrossing ? seconds : 0,
          feeCosts: feesOf(hop, prices),
          gasCosts: [],
        },
      };
    }),
    integrator,
  };
}

function actionOf(
  { tokenIn, tokenOut, amountInAtomic }: Trade,
  { fromAddress, toAddress, slippageWad }: LifiRequest,
  prices: Prices,
): Action {
  const recipient = toAddress ?? fromAddress;
  return {
    fromChainId: tokenIn.chain.chainId!,
    fromAmount: String(amountInAtomic),
    fromToken: wireToken(tokenIn, prices),
    toChainId: tokenOut.chain.chainId!,
    toToken: wireToken(tokenOut, prices),
    slippage: Number(formatUnits(slippageWad, wadDecimals)),
    ...(fromAddress !== null && { fromAddress }),
    ...(recipient !== null && { toAddress: recipient }),
  };
}

function amountsOf(
  { tool, tokenIn, tokenOut, amountInAtomic, amountOutAtomic, minAmountOutAtomic }: Trade,
  prices: Prices,
): Omit<Estimate, 'approvalAddress' | 'executionDuration' | 'feeCosts' | 'gasCosts'> {
  return {
    tool: tool.key,
    fromAmount: String(amountInAtomic),
    fromAmountUSD: inUsd(amountInAtomic, tokenIn, prices),
    toAmount: String(amountOutAtomic),
    toAmountMin: String(minAmountOutAtomic),
    toAmountUSD: inUsd(amountOutAtomic, tokenOut, prices),
  };
}

function feesOf({ feeAtomic, tokenIn, amountInAtomic }: Hop, prices: Prices): FeeCost[] {
  if (feeAtomic === 0n) return [];
  return [
    {
      name: 'Relayer fee',
      description: 'Paid to the relayer that delivers on the destination chain',
      percentage: formatUnits((feeAtomic * wholeWad) / amountInAtomic, wadDecimals),
      token: wireToken(tokenIn, prices),
      amount: String(feeAtomic),
      amountUSD: inUsd(feeAtomic, tokenIn, prices),
      included: true,
    },
  ];
}

function gasCost(coin: MarketToken, { gas, gasPrice, prices }: DescribeOptions): GasCost {
  const amount = gas * gasPrice;
  return {
    type: 'SEND',
    price: String(gasPrice),
    estimate: String(gas),
    limit: String(withRoom(gas)),
    amount: String(amount),
    amountUSD: inUsd(amount, coin, prices),
    token: wireToken(coin, prices),
  };
}
