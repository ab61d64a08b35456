import type { TransactionReceipt, TransactionResponse } from 'ethers';
import { fromBytes32, periphery, spokePool } from '../across/contracts';
import type { Market, MarketToken } from '../markets/market';
import { readRouterCall } from '../markets/uniswap';
import { inUsd, linkOf, wireToken, type Prices } from './describe';

export interface Sent {
  market: Market;
  transaction: TransactionResponse;
  receipt: TransactionReceipt | null;
}

/** A token with an amount. */
export interface Holding {
  token: MarketToken;
  amountAtomic: bigint;
}

/** @param holding the transferred token with its amount; undefined when it cannot be read */
export async function describeReceipt(
  market: Market,
  { hash, gasUsed, gasPrice, blockNumber }: TransactionReceipt,
  holding: Holding | undefined,
  prices: Prices,
): Promise<object> {
  const { coin, chainId, node } = market;
  const gasAmount = gasUsed * gasPrice;
  return {
    txHash: hash,
    txLink: linkOf(market, hash),
    chainId,
    ...(holding && {
      amount: String(holding.amountAtomic),
      amountUSD: inUsd(holding.amountAtomic, holding.token, prices),
      token: wireToken(holding.token, prices),
    }),
    gasPrice: String(gasPrice),
    gasUsed: String(gasUsed),
    gasToken: wireToken(coin, prices),
    gasAmount: String(gasAmount),
    gasAmountUSD: inUsd(gasAmount, coin, prices),
    timestamp: await node.timeAt(blockNumber),
  };
}

export async function describeSent(sent: Sent, prices: Prices): Promise<object> {
  const { market, transaction, receipt } = sent;
  const { hash, value } = transaction;
  if (!receipt) return { txHash: hash, txLink: linkOf(market, hash), chainId: market.chainId };
  const described = await describeReceipt(market, receipt, givenBy(market, transaction), prices);
  return { ...described, value: String(value) };
}

/** Returns the user's input, as far as the transaction shows it. */
function givenBy(market: Market, { data, value }: TransactionResponse): Holding | undefined {
  if (value > 0n) return { token: market.coin, amountAtomic: value };
  const [contract, amountAtomic] = namedIn(data) ?? [];
  const token = contract === undefined ? undefined : market.find(contract);
  return token && { token, amountAtomic: amountAtomic! };
}

function namedIn(data: string): [string | undefined, bigint] | undefined {
  const swap = readRouterCall(data);
  if (swap) return [swap.tokenIn, swap.amountInAtomic];
  const deposit = spokePool.parseTransaction({ data });
  if (deposit?.name === 'deposit')
    return [fromBytes32(String(deposit.args['inputToken'])), deposit.args['inputAmount'] as bigint];
  const swapAndBridge = periphery.parseTransaction({ data });
  if (swapAndBridge?.name !== 'swapAndBridge') return undefined;
  const { swapToken, swapTokenAmount } = swapAndBridge.args[0] as {
    swapToken: string;
    swapTokenAmount: bigint;
  };
  return [swapToken, swapTokenAmount];
}
