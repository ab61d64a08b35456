// Verifies a provider's answer against the request, because the signer entrusts their money to it. Pure.
import { tokenKey } from '@tollbridge/chains';
import { bpsPerWhole, mulDivFloor } from '@tollbridge/money';
import { id, ZeroAddress } from 'ethers';
import { RouteRejection, type RouteToken } from './cross-chain-routes';
import { boundedBps } from './evm-wire';
import type {
  BuiltSwap,
  SwapBuildRequest,
  SwapFee,
  SwapQuote,
  SwapRequest,
  SwapStep,
  SwapStepType,
} from './swap-routes';
import { UnreadableReply } from '@tollbridge/http';

/** A provider's answer, not yet compared with the request. */
export interface SwapAnswer {
  from: RouteToken;
  to: RouteToken;
  amountInAtomic: bigint;
  amountOutAtomic: bigint;
  minAmountOutAtomic: bigint;
  steps: readonly SwapStep[];
  fees: readonly SwapFee[];
  estimatedSeconds: number;
  expiresAt: Date | null;
  spender: string;
  transaction: BuiltSwap['transaction'] & { chain: string };
}

/**
 * Verifies an answer and returns its swap.
 * @param typicalGasUnits used if the provider has no estimate
 * @throws UnreadableReply for an answer that does not match the request
 */
export function checkedSwap(answer: SwapAnswer, request: SwapRequest, typicalGasUnits: bigint): BuiltSwap {
  requireSameTrade(answer, request);
  requireSlippage(answer, request);
  requireCall(answer, request);
  const { to, data, valueAtomic, gasUnits } = answer.transaction;
  const { amountOutAtomic, minAmountOutAtomic, fees, estimatedSeconds, expiresAt } = answer;
  return {
    spender: request.from.address === null ? null : answer.spender,
    transaction: { to, data, valueAtomic, gasUnits },
    quote: {
      amountOutAtomic,
      minAmountOutAtomic,
      fees,
      estimatedSeconds,
      expiresAt,
      steps: chained(answer, request),
      gasUnits: gasUnits ?? typicalGasUnits,
      priceImpactBps: null,
    },
    validUntil: expiresAt,
  };
}

function requireSameTrade(answer: SwapAnswer, { from, to, amountInAtomic }: SwapRequest): void {
  if (!isSame(answer.from, from)) throw new UnreadableReply('it takes another token');
  if (!isSame(answer.to, to)) throw new UnreadableReply('it delivers another token');
  if (answer.amountInAtomic !== amountInAtomic) throw new UnreadableReply('it takes another amount');
  if (answer.minAmountOutAtomic === 0n) throw new UnreadableReply('it promises nothing');
  if (answer.minAmountOutAtomic > answer.amountOutAtomic)
    throw new UnreadableReply('it promises more than it expects');
}

/**
 * Some providers apply the slippage once, and some apply it to every step. A provider that applies more exceeds the
 * requested slippage.
 */
function requireSlippage(answer: SwapAnswer, { slippageBps }: SwapRequest): void {
  const parts = BigInt(Math.max(1, answer.steps.length));
  const lostBps = BigInt(boundedBps(slippageBps)) * parts;
  const keptBps = lostBps < bpsPerWhole ? bpsPerWhole - lostBps : 0n;
  // Each part may lose one unit by rounding.
  const leastAtomic = mulDivFloor(answer.amountOutAtomic, keptBps, bpsPerWhole) - parts;
  if (answer.minAmountOutAtomic < leastAtomic)
    throw new UnreadableReply('it may lose more than the slippage');
}

// Functions that token holders call themselves, on a token or on a contract with many allowances. They transfer tokens
// or approve a spender. A swap never starts with such a call.
const callsOfHolders = new Set(
  [
    'transfer(address,uint256)',
    'transferFrom(address,address,uint256)',
    'approve(address,uint256)',
    'increaseAllowance(address,uint256)',
    'increaseApproval(address,uint256)',
    'transferAndCall(address,uint256,bytes)',
    'send(address,uint256,bytes)',
    'authorizeOperator(address)',
    'safeTransferFrom(address,address,uint256)',
    'safeTransferFrom(address,address,uint256,bytes)',
    'safeTransferFrom(address,address,uint256,uint256,bytes)',
    'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
    'setApprovalForAll(address,bool)',
    'approve(address,address,uint160,uint48)',
    'transferFrom(address,address,uint160,address)',
    'transferFrom((address,address,uint160,address)[])',
  ].map((call) => id(call).slice(0, 10)),
);

function requireCall({ transaction, spender }: SwapAnswer, { from, amountInAtomic }: SwapRequest): void {
  if (callsOfHolders.has(transaction.data.slice(0, 10)))
    throw new UnreadableReply('the transaction does not call a swap');
  if (transaction.chain !== from.chain) throw new UnreadableReply('the transaction is for another chain');
  // A call of the token itself could only be a transfer, which guarantees no output.
  if (transaction.to === ZeroAddress || isAddressOf(from, transaction.to))
    throw new UnreadableReply('the transaction does not call a swap');
  const valueAtomic = from.address === null ? amountInAtomic : 0n;
  if (transaction.valueAtomic !== valueAtomic)
    throw new UnreadableReply('the transaction sends another amount of coins');
  if (from.address !== null && (spender === ZeroAddress || isAddressOf(from, spender)))
    throw new UnreadableReply('the spender is not valid');
}

/**
 * The recipient's address must appear in the call data. Otherwise another account is paid.
 * @throws UnreadableReply
 */
export function requireRecipient({ transaction }: SwapAnswer, recipient: string): void {
  if (!transaction.data.includes(recipient.slice(2).toLowerCase()))
    throw new UnreadableReply('the call data does not contain the recipient');
}

const placeOf: Readonly<Record<SwapStepType, number>> = { originSwap: 0, bridge: 1, destinationSwap: 2 };

/**
 * Verifies the steps from the input to the output token. Each step starts with the token that the previous one ended
 * with.
 */
function chained({ steps }: SwapAnswer, { from, to, amountInAtomic }: SwapRequest): SwapStep[] {
  const isCrossing = steps.some(({ type }) => type === 'bridge');
  if (isCrossing !== (from.chain !== to.chain))
    throw new UnreadableReply('the steps do not match the chains of the swap');
  if ((steps[0]?.amountInAtomic ?? 0n) > amountInAtomic)
    throw new UnreadableReply('the first step takes more than the input');
  let [token, place] = [from, -1];
  const linked = steps.map((step, at) => {
    const isLast = at === steps.length - 1;
    const next = isLast && isSame(step.tokenOut, to) ? to : step.tokenOut;
    const chain = step.type === 'originSwap' ? from.chain : to.chain;
    if (placeOf[step.type] <= place) throw new UnreadableReply('the steps are out of order');
    if (!isSame(step.tokenIn, token)) throw new UnreadableReply('a step begins with another token');
    if (next.chain !== chain) throw new UnreadableReply('a step ends on another chain');
    if (step.amountInAtomic === 0n || step.amountOutAtomic === 0n)
      throw new UnreadableReply('a step has a zero amount');
    const tokenIn = token;
    [token, place] = [next, placeOf[step.type]];
    return { ...step, tokenIn, tokenOut: next };
  });
  if (token !== to) throw new UnreadableReply('the steps end with another token');
  return linked;
}

const isAddressOf = ({ chain, address }: RouteToken, other: string): boolean =>
  address !== null && tokenKey(chain, address) === tokenKey(chain, other);

/** Whether both are the same token. Providers that wrap native coins themselves return the wrapped token instead. */
function isSame(answered: RouteToken, asked: RouteToken): boolean {
  if (answered.chain !== asked.chain || answered.decimals !== asked.decimals) return false;
  if (tokenKey(answered.chain, answered.address) === tokenKey(asked.chain, asked.address)) return true;
  return asked.address === null && isWrapped(answered, asked);
}

function isWrapped({ symbol, address }: RouteToken, coin: RouteToken): boolean {
  const names = [coin.symbol, ...(coin.symbol === 'POL' ? ['MATIC'] : [])].map((name) => `W${name}`);
  return address !== null && names.some((name) => name.toUpperCase() === symbol.toUpperCase());
}

/** Limits the minimum to the output less the slippage, because the price may also move before the build. */
export function promised(quote: SwapQuote, slippageBps: number): SwapQuote {
  const keptBps = bpsPerWhole - BigInt(boundedBps(slippageBps));
  const leastAtomic = mulDivFloor(quote.amountOutAtomic, keptBps, bpsPerWhole);
  const isLess = leastAtomic > 0n && leastAtomic < quote.minAmountOutAtomic;
  return isLess ? { ...quote, minAmountOutAtomic: leastAtomic } : quote;
}

/**
 * Builds a swap that meets the minimum. If the price has moved, the same slippage results in less than the minimum.
 * Then it builds once more with less slippage.
 * @throws RouteRejection `priceMoved`
 */
export async function keepingPromise(
  { minAmountOutAtomic, slippageBps }: SwapBuildRequest,
  build: (slippageBps: number) => Promise<BuiltSwap>,
): Promise<BuiltSwap> {
  const isEnough = ({ quote }: BuiltSwap) => quote.minAmountOutAtomic >= minAmountOutAtomic;
  const built = await build(slippageBps);
  if (isEnough(built)) return built;
  const { quote } = built;
  const mayLoseAtomic = quote.amountOutAtomic - minAmountOutAtomic;
  const losesAtomic = quote.amountOutAtomic - quote.minAmountOutAtomic;
  // Reduced in proportion, because some providers apply the slippage once and some apply it to each step.
  const lessBps =
    mayLoseAtomic > 0n ? Number((BigInt(boundedBps(slippageBps)) * mayLoseAtomic) / losesAtomic) : 0;
  // Without any slippage, a swap would almost always revert.
  if (lessBps < 1) throw new RouteRejection('priceMoved');
  const again = await build(lessBps);
  if (!isEnough(again)) throw new RouteRejection('priceMoved');
  return again;
}
