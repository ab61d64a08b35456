import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@tollbridge/database';
import { MaxUint256 } from 'ethers';
import { wireAddress, type Market, type Markets, type MarketToken } from '../markets/market';
import type { ContractCall } from '../oneclick/evm-node';
import { usdText } from '../oneclick/quote-maths';
import type { PricesRepository } from '../prices/prices.repository';
import { erc20 } from './contracts';
import { depositCall } from './deposit-call';
import { describePlan } from './describe-plan';
import { convert, totalFees, wireToken } from './fees';
import { outcomeOf, slowQuoteMs, type Outcome } from './magic-amounts';
import { planSwap, pricedAs, type SwapPlan, type SwapTerms } from './plan-swap';
import type { ApprovalRequest } from './read-approval-request';
import { SwapRejection } from './swap-rejection';
import type { SwapApproval } from './wire';

export interface ApprovalParts {
  markets: Markets;
  prices: PricesRepository;
  /** Account that fills deposits. */
  relayer: { address: string };
  clock: Clock;
}

export interface Approval {
  plan: SwapPlan;
  call: ContractCall;
  outcome: Outcome;
}

const rejections: Partial<Record<Outcome, SwapRejection>> = {
  tooLow: new SwapRejection('AMOUNT_TOO_LOW', 'Sent amount is too low relative to fees'),
  noLiquidity: new SwapRejection('SWAP_LIQUIDITY_INSUFFICIENT', 'Insufficient liquidity'),
  noQuote: new SwapRejection('SWAP_QUOTE_UNAVAILABLE', 'No possible route'),
  serverError: new SwapRejection('UNEXPECTED_ERROR', 'Unexpected error occurred', 500),
  rateLimited: new SwapRejection(undefined, 'Too many requests', 429),
  rpcError: new SwapRejection('UPSTREAM_RPC_ERROR', 'could not detect network', 502),
};

/** @throws SwapRejection for outcomes that a quote itself reports */
export function rejectMagicAmount(outcome: Outcome): void {
  const rejection = rejections[outcome];
  if (rejection) throw rejection;
}

const expirySeconds = 30;
const ethereumExpirySeconds = 60;
const depositLifetimeSeconds = 3_600;
export const expectedFillSeconds = 3;
// Gas of a swap and a deposit, used when the chain returns no estimate.
export const usualGas = 400_000n;
// Iterations that find the input for an exact output. They converge quickly.
const tries = 6;
const toleratedShare = 100_000n;

/** `GET /swap/approval`: a quote, and the transactions that execute it. Nothing is stored. */
export class Approvals {
  constructor(private readonly parts: ApprovalParts) {}

  async answer(request: ApprovalRequest): Promise<SwapApproval> {
    const { plan, call, outcome } = await this.prepare(request);
    const { origin, input, amountInAtomic, amountOutAtomic, minAmountOutAtomic } = plan;
    const held = await this.holdings(plan, call.to, request);
    const approvals = this.approvalsOf(plan, call.to, held.allowance);
    const isCovered = approvals.length === 0 && held.balance >= amountInAtomic;
    const isTried = !request.skipOriginTxEstimation && isCovered;
    const gas = isTried ? await origin.node.estimate(request.depositor, call) : undefined;
    const token = wireAddress(input);
    const expected = String(amountInAtomic);
    if (outcome === 'slowQuote') await sleep(slowQuoteMs);
    return {
      crossSwapType: plan.type,
      amountType: request.tradeType,
      checks: {
        allowance: { token, spender: call.to, actual: String(held.allowance), expected },
        balance: { token, actual: String(held.balance), expected },
      },
      ...(approvals.length > 0 && { approvalTxns: approvals }),
      ...describePlan(plan),
      fees: {
        total: totalFees(plan, 'expected'),
        maxTotal: totalFees(plan, 'most'),
        originGas: await this.originGas(plan, gas ?? usualGas),
      },
      inputAmount: expected,
      maxInputAmount: expected,
      expectedOutputAmount: String(amountOutAtomic),
      minOutputAmount: String(minAmountOutAtomic),
      expectedFillTime: expectedFillSeconds,
      quoteExpiryTimestamp: this.expiryOf(plan),
      swapTx: await this.swapTx(plan, call, gas),
      id: randomUUID(),
    };
  }

  /**
   * @param fallbackTo receives the bridged token when the swap after the bridge fails; null refunds on the origin
   * @throws SwapRejection
   */
  async prepare(
    request: ApprovalRequest,
    fallbackTo = request.refundOnOrigin ? null : (request.refundAddress ?? request.depositor),
  ): Promise<Approval> {
    const terms = await this.termsOf(request);
    const outcome = request.tradeType === 'exactInput' ? outcomeOf(request.amountAtomic) : 'normal';
    rejectMagicAmount(outcome);
    const plan = await this.planFor(request, terms);
    await this.requireLiquidity(plan);
    const call = depositCall({
      plan,
      outcome,
      refundTo: request.refundAddress ?? request.depositor,
      recipient: request.recipient,
      fallbackTo,
      originTime: await plan.origin.node.timeAt(),
    });
    return { plan, call, outcome };
  }

  private async termsOf(request: ApprovalRequest): Promise<SwapTerms> {
    const { markets, prices } = this.parts;
    const { originChainId, destinationChainId, slippageWad, recipient } = request;
    const [origin, destination] = [markets.get(originChainId), markets.get(destinationChainId)];
    if (!origin) throw unsupported('originChainId', originChainId);
    if (!destination) throw unsupported('destinationChainId', destinationChainId);
    if (origin === destination)
      throw new SwapRejection(
        'INVALID_PARAM',
        'Origin and destination chains cannot be the same',
        400,
        'destinationChainId',
      );
    const input = tokenAt(origin, request.inputToken);
    const output = tokenAt(destination, request.outputToken);
    const isToContract = await destination.node.isContract(recipient);
    const table = await prices.all();
    const amountInAtomic = request.amountAtomic;
    return { origin, destination, input, output, amountInAtomic, slippageWad, prices: table, isToContract };
  }

  private async planFor(request: ApprovalRequest, terms: SwapTerms): Promise<SwapPlan> {
    const { tradeType, strictTradeType } = request;
    if (tradeType === 'exactInput') return planSwap(terms);
    const { input, output, prices, amountInAtomic: wanted } = terms;
    let amount = convert(wanted, pricedAs(output, prices), pricedAs(input, prices)) + 1n;
    let best: SwapPlan | undefined;
    for (let round = 0; round < tries; round++) {
      const plan = await planSwap({ ...terms, amountInAtomic: amount });
      const isGuaranteed = tradeType === 'minOutput' || plan.type === 'bridgeableToBridgeable';
      if (!isGuaranteed && strictTradeType)
        throw new SwapRejection(
          'SWAP_TYPE_NOT_GUARANTEED',
          'Can not guarantee exactOutput for the requested route',
        );
      const reached = tradeType === 'minOutput' ? plan.minAmountOutAtomic : plan.amountOutAtomic;
      if (reached >= wanted) best = plan;
      if (reached >= wanted && reached - wanted <= wanted / toleratedShare) break;
      // Slightly more than proportional, so that a rounding difference does not cost another iteration.
      amount = (amount * wanted) / reached + amount / 1_000_000n + 1n;
    }
    if (!best) throw new SwapRejection('SWAP_QUOTE_UNAVAILABLE', 'No possible route');
    return best;
  }

  private async requireLiquidity({ destination, bridge }: SwapPlan): Promise<void> {
    const { address } = bridge.tokenOut;
    const data = erc20.encodeFunctionData('balanceOf', [this.parts.relayer.address]);
    const [held] = await destination.node.callMany([{ target: address!, data }]);
    if (bridge.amountOutAtomic > BigInt(held ?? 0))
      throw new SwapRejection('AMOUNT_TOO_HIGH', 'Amount exceeds max. deposit limit');
  }

  private async holdings(
    { origin, input, amountInAtomic }: SwapPlan,
    spender: string,
    { depositor, skipChecks }: ApprovalRequest,
  ): Promise<{ allowance: bigint; balance: bigint }> {
    if (skipChecks) return { allowance: amountInAtomic, balance: amountInAtomic };
    if (input.address === null)
      return { allowance: MaxUint256, balance: await origin.node.coinsOf(depositor) };
    const target = input.address;
    const [allowance, balance] = await origin.node.callMany([
      { target, data: erc20.encodeFunctionData('allowance', [depositor, spender]) },
      { target, data: erc20.encodeFunctionData('balanceOf', [depositor]) },
    ]);
    return { allowance: BigInt(allowance ?? 0), balance: BigInt(balance ?? 0) };
  }

  private approvalsOf(
    { origin, input, amountInAtomic }: SwapPlan,
    spender: string,
    allowance: bigint,
  ): { chainId: number; to: string; data: string }[] {
    if (input.address === null || allowance >= amountInAtomic) return [];
    const approve = (amount: bigint) => ({
      chainId: origin.chainId,
      to: input.address!,
      data: erc20.encodeFunctionData('approve', [spender, amount]),
    });
    // Tether on Ethereum reverts when a non-zero allowance is changed to another non-zero allowance.
    const isReset = input.symbol === 'USDT' && origin.chainId === 1 && allowance > 0n;
    return [...(isReset ? [approve(0n)] : []), approve(amountInAtomic)];
  }

  private async originGas(
    { origin, prices }: SwapPlan,
    gas: bigint,
  ): Promise<SwapApproval['fees']['originGas']> {
    const amount = gas * (await origin.node.feePerGas());
    const { coin } = origin;
    return {
      amount: String(amount),
      amountUsd: usdText(amount, pricedAs(coin, prices)),
      token: wireToken(coin),
    };
  }

  private expiryOf({ destinationSwap, origin }: SwapPlan): number {
    const nowSeconds = Math.floor(this.parts.clock.now() / 1_000);
    if (!destinationSwap) return nowSeconds + depositLifetimeSeconds;
    return nowSeconds + (origin.chainId === 1 ? ethereumExpirySeconds : expirySeconds);
  }

  private async swapTx(
    { origin }: SwapPlan,
    { to, data, value = 0n }: ContractCall,
    gas: bigint | undefined,
  ): Promise<SwapApproval['swapTx']> {
    const { chainId, node } = origin;
    const shared = {
      ecosystem: 'evm',
      simulationSuccess: gas !== undefined,
      chainId,
      to,
      data,
      ...(value > 0n && { value: String(value) }),
    } as const;
    if (gas === undefined) return shared;
    const fee = String(await node.feePerGas());
    return { ...shared, gas: String(gas), maxFeePerGas: fee, maxPriorityFeePerGas: '1000000000' };
  }
}

function unsupported(param: string, chainId: number): SwapRejection {
  return new SwapRejection('INVALID_PARAM', `Unsupported chain id: ${chainId}`, 400, param);
}

function tokenAt(market: Market, address: string): MarketToken {
  const token = market.find(address);
  if (token) return token;
  const message = `Unable to find tokenDetails for address: ${address}, on chain with id: ${market.chainId}`;
  throw new SwapRejection(undefined, message, 404);
}
