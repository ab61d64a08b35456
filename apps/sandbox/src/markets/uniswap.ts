import { getAddress, Interface, solidityPacked } from 'ethers';
import type { Market } from './market';

export interface SwapPath {
  /** Token contracts from the input to the output. */
  tokens: readonly string[];
  /** Fees of the pools between these tokens, in millionths. */
  feesPips: readonly number[];
}

export interface PathQuote {
  path: SwapPath;
  amountOutAtomic: bigint;
}

const factory = new Interface(['function getPool(address, address, uint24) view returns (address)']);
const quoter = new Interface([
  'function quoteExactInput(bytes path, uint256 amountIn) returns (uint256 amountOut, uint160[] sqrtPrices, uint32[] ticks, uint256 gasEstimate)',
]);
const router = new Interface([
  'function exactInput((bytes path, address recipient, uint256 amountIn, uint256 amountOutMinimum) params) payable returns (uint256)',
  'function unwrapWETH9(uint256 amountMinimum, address recipient) payable',
  'function multicall(bytes[] data) payable returns (bytes[] results)',
]);
const feeTiers = [100, 500, 3000, 10000] as const;
/** The router's constant that means the router itself as the recipient. */
const routerItself = '0x0000000000000000000000000000000000000002';
// The offset of the input amount: after the selector, the tuple offset, the path offset and the recipient.
export const amountInOffset = 4 + 3 * 32;

interface Pool {
  tokens: readonly [string, string];
  feePips: number;
}

/** Returns the best route over at most two pools; undefined when no pool returns an output. */
export async function bestQuote(
  market: Market,
  from: string,
  to: string,
  amountInAtomic: bigint,
): Promise<PathQuote | undefined> {
  const paths = pathsOf(await poolsOf(market), from, to);
  const answers = await market.node.callMany(
    paths.map((path) => ({
      target: market.uniswap.quoter,
      data: quoter.encodeFunctionData('quoteExactInput', [packed(path), amountInAtomic]),
    })),
  );
  let best: PathQuote | undefined;
  for (const [index, answer] of answers.entries()) {
    if (answer === undefined) continue;
    const [amountOutAtomic] = quoter.decodeFunctionResult('quoteExactInput', answer) as unknown as [bigint];
    if (amountOutAtomic > (best?.amountOutAtomic ?? 0n)) best = { path: paths[index]!, amountOutAtomic };
  }
  return best;
}

async function poolsOf(market: Market): Promise<Pool[]> {
  const contracts = [...new Set(market.tokens.map((token) => market.contractOf(token)))];
  const candidates = contracts.flatMap((one, index) =>
    contracts
      .slice(index + 1)
      .flatMap((other) => feeTiers.map((feePips): Pool => ({ tokens: [one, other], feePips }))),
  );
  const answers = await market.node.callMany(
    candidates.map(({ tokens, feePips }) => ({
      target: market.uniswap.factory,
      data: factory.encodeFunctionData('getPool', [...tokens, feePips]),
    })),
  );
  return candidates.filter((_, index) => BigInt(answers[index] ?? 0) !== 0n);
}

function pathsOf(pools: readonly Pool[], from: string, to: string): SwapPath[] {
  const next = (token: string): { token: string; feePips: number }[] =>
    pools.flatMap(({ tokens: [one, other], feePips }) => {
      if (one === token) return [{ token: other, feePips }];
      return other === token ? [{ token: one, feePips }] : [];
    });
  return next(from).flatMap((first): SwapPath[] => {
    if (first.token === to) return [{ tokens: [from, to], feesPips: [first.feePips] }];
    return next(first.token)
      .filter(({ token }) => token === to)
      .map((last) => ({ tokens: [from, first.token, to], feesPips: [first.feePips, last.feePips] }));
  });
}

function packed({ tokens, feesPips }: SwapPath): string {
  const parts = tokens.flatMap((token, index) => (index === 0 ? [token] : [feesPips[index - 1]!, token]));
  return solidityPacked(
    parts.map((_, index) => (index % 2 === 0 ? 'address' : 'uint24')),
    parts,
  );
}

export interface RouterSwap {
  path: SwapPath;
  recipient: string;
  amountInAtomic: bigint;
  minAmountOutAtomic: bigint;
  /** Whether the native coin is delivered instead of WETH. */
  isUnwrapped?: boolean;
}

/** Encodes a call of SwapRouter02. */
export function routerCall(swap: RouterSwap): string {
  const { path, recipient, amountInAtomic, minAmountOutAtomic, isUnwrapped = false } = swap;
  const exactInput = router.encodeFunctionData('exactInput', [
    [packed(path), isUnwrapped ? routerItself : recipient, amountInAtomic, minAmountOutAtomic],
  ]);
  if (!isUnwrapped) return exactInput;
  const unwrap = router.encodeFunctionData('unwrapWETH9', [minAmountOutAtomic, recipient]);
  return router.encodeFunctionData('multicall', [[exactInput, unwrap]]);
}

export interface ReadSwap {
  tokenIn: string;
  amountInAtomic: bigint;
  tokenOut: string;
  isUnwrapped: boolean;
  recipient: string;
}

/** Parses a swap that `routerCall` encoded; undefined for other call data. */
export function readRouterCall(data: string): ReadSwap | undefined {
  const call = router.parseTransaction({ data });
  if (call?.name === 'multicall') {
    const [exactInput, unwrap] = call.args[0] as string[];
    const swap = exactInput && readRouterCall(exactInput);
    const unwrapping = unwrap && router.parseTransaction({ data: unwrap });
    if (!swap || !unwrapping || unwrapping.name !== 'unwrapWETH9') return undefined;
    return { ...swap, isUnwrapped: true, recipient: String(unwrapping.args[1]) };
  }
  if (call?.name !== 'exactInput') return undefined;
  const [path, recipient, amountInAtomic] = call.args[0] as unknown as [string, string, bigint];
  const addressDigits = 40;
  const tokenIn = getAddress(path.slice(0, 2 + addressDigits));
  const tokenOut = getAddress(`0x${path.slice(-addressDigits)}`);
  return { tokenIn, amountInAtomic, tokenOut, isUnwrapped: false, recipient };
}
