import { getAddress, getCreate2Address, keccak256 } from 'ethers';
import type { Chain, UniswapV3Contracts } from '../registry/chain';

/** Fee tiers of Uniswap V3 pools, in millionths of a swap. */
export const uniswapFeeTiersPips = [100, 500, 3000, 10000] as const;

// Hash of the creation code of UniswapV3Pool, identical on every chain (PoolAddress.sol of v3-periphery).
const poolCodeHash = '0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54';

/** Returns the Uniswap V3 of the deployment, else the published one; null for a chain without a known Uniswap V3. */
export function uniswapOn(
  chain: Pick<Chain, 'publishedUniswapV3'> & { uniswapV3?: UniswapV3Contracts | null },
): UniswapV3Contracts | null {
  return chain.uniswapV3 ?? chain.publishedUniswapV3;
}

/** Returns the pool addresses of a token pair, one for each fee tier, whether deployed or not. */
export function uniswapPoolsOf(factory: string, one: string, other: string): string[] {
  const [token0, token1] = [one, other].map((token) => token.toLowerCase().slice(2)).sort();
  const word = (digits: string) => digits.padStart(64, '0');
  return uniswapFeeTiersPips.map((feePips) => {
    const salt = keccak256(`0x${word(token0!)}${word(token1!)}${word(feePips.toString(16))}`);
    return getAddress(getCreate2Address(factory, salt, poolCodeHash));
  });
}
