import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { toQuantity, ZeroAddress } from 'ethers';
import { expectedFillSeconds, rejectMagicAmount, usualGas, type Approvals } from '../across/approvals';
import { outcomeOf, slowQuoteMs } from '../across/magic-amounts';
import { planLeg, type PlannedLeg, type SwapPlan } from '../across/plan-swap';
import { SwapRejection } from '../across/swap-rejection';
import { routerCall } from '../markets/uniswap';
import type { PricesRepository } from '../prices/prices.repository';
import { bridge, exchange } from './describe';
import { describeWay, withRoom, type Hop, type Way } from './describe-step';
import type { LifiRequest } from './read-quote-request';
import type { LiFiStep } from './wire';

export interface LifiStepsParts {
  approvals: Approvals;
  prices: PricesRepository;
}

// The default address, which belongs to no wallet.
const defaultAddress = '0x552008c0f6870c2f77e5cC1d2eb9bdff03e30Ea0';
const swapSeconds = 2;

/** Quotes of LI.FI: swaps on one chain, and the bridge across chains. */
export class LifiSteps {
  constructor(private readonly parts: LifiStepsParts) {}

  /** Creates a step with its transaction. @throws SwapRejection */
  async create(request: LifiRequest, id: string = randomUUID()): Promise<LiFiStep> {
    const outcome = outcomeOf(request.amountAtomic);
    rejectMagicAmount(outcome);
    if (outcome === 'slowQuote') await sleep(slowQuoteMs);
    const isOnOneChain = request.from === request.to;
    const way = isOnOneChain ? await this.onOneChain(request) : await this.acrossChains(request);
    const { node, chainId } = request.from;
    const from = request.fromAddress ?? defaultAddress;
    // Without balance or allowance, the transaction cannot be simulated.
    const gas = (await node.estimate(from, way.call)) ?? usualGas;
    const [prices, gasPrice] = await Promise.all([this.parts.prices.all(), node.feePerGas()]);
    const { to, data, value = 0n } = way.call;
    return {
      ...describeWay(way, request, { id, prices, gas, gasPrice }),
      transactionRequest: {
        to,
        from,
        data,
        value: toQuantity(value),
        chainId,
        gasPrice: toQuantity(gasPrice),
        gasLimit: toQuantity(withRoom(gas)),
      },
    };
  }

  private async onOneChain(request: LifiRequest): Promise<Way> {
    const { from: market, fromToken, toToken, amountAtomic, slippageWad } = request;
    if (market.contractOf(fromToken) === market.contractOf(toToken))
      throw new SwapRejection('SWAP_QUOTE_UNAVAILABLE', 'No possible route');
    const leg = await planLeg(market, fromToken, toToken, amountAtomic, slippageWad);
    const { path, amountInAtomic, minAmountOutAtomic } = leg;
    const recipient = request.toAddress ?? request.fromAddress ?? defaultAddress;
    const isUnwrapped = toToken.address === null;
    const data = routerCall({ path, recipient, amountInAtomic, minAmountOutAtomic, isUnwrapped });
    const value = fromToken.address === null ? amountInAtomic : 0n;
    const call = { to: market.uniswap.router, data, value };
    return { ...leg, hops: [hopOf(leg)], tool: exchange, call, seconds: swapSeconds };
  }

  private async acrossChains(request: LifiRequest): Promise<Way> {
    const { from, to, fromToken, toToken, amountAtomic, slippageWad } = request;
    const depositor = request.fromAddress ?? defaultAddress;
    const recipient = request.toAddress ?? depositor;
    const { plan, call } = await this.parts.approvals.prepare(
      {
        amountAtomic,
        slippageWad,
        depositor,
        recipient,
        tradeType: 'exactInput',
        inputToken: fromToken.address ?? ZeroAddress,
        outputToken: toToken.address ?? ZeroAddress,
        originChainId: from.chainId,
        destinationChainId: to.chainId,
        refundAddress: depositor,
        refundOnOrigin: false,
        strictTradeType: true,
        skipChecks: true,
        skipOriginTxEstimation: true,
      },
      recipient,
    );
    const { originSwap, destinationSwap } = plan;
    const hops = [
      ...(originSwap ? [hopOf(originSwap)] : []),
      bridgeHop(plan),
      ...(destinationSwap ? [hopOf(destinationSwap)] : []),
    ];
    return { ...plan, hops, tool: bridge, call, seconds: expectedFillSeconds };
  }
}

const hopOf = (leg: PlannedLeg): Hop => ({ ...leg, tool: exchange, feeAtomic: 0n });

function bridgeHop({ bridge: planned, originSwap, input, destinationSwap, output }: SwapPlan): Hop {
  return {
    ...planned,
    tool: bridge,
    feeAtomic: planned.fee.totalAtomic,
    // The native coin is wrapped before the bridge and unwrapped after it.
    tokenIn: originSwap ? planned.tokenIn : input,
    tokenOut: destinationSwap ? planned.tokenOut : output,
  };
}
