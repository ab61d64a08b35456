import { MaxInt256, MaxUint256, parseUnits, toQuantity, type Signer } from 'ethers';
import { artifact } from './artifacts';
import { Sender } from './sender';
import type { UniswapDeployment } from './uniswap';

export interface PooledToken {
  symbol: string;
  address: string;
  decimals: number;
}

export interface PoolPlan {
  /** Symbols of the two tokens. */
  tokens: readonly [string, string];
  /** Fee in millionths. */
  feePips: 100 | 500 | 3000 | 10000;
}

export interface PoolsOptions {
  uniswap: UniswapDeployment;
  /** The signer must be a minter of every token except the wrapped coin. */
  tokens: readonly PooledToken[];
  /** Price of one token in US dollars, as a decimal string, by symbol. */
  prices: Readonly<Record<string, string>>;
  pools?: readonly PoolPlan[];
}

/** Only some pairs have a direct pool, so that other pairs need two hops. */
export const defaultPools: readonly PoolPlan[] = [
  { tokens: ['USDC', 'USDT'], feePips: 100 },
  { tokens: ['USDC', 'DAI'], feePips: 100 },
  { tokens: ['USDC', 'WETH'], feePips: 500 },
  { tokens: ['USDT', 'WETH'], feePips: 500 },
  { tokens: ['DAI', 'WETH'], feePips: 3000 },
];

// On each side of a pool: a swap of a million dollars changes its price by two basis points.
const depthUsd = 10_000_000_000n;
const priceDecimals = 12;
const tickSpacings = { 100: 1, 500: 10, 3000: 60, 10000: 200 } as const;
const highestTick = 887_272;
const mintAbi = ['function mint(address to, uint256 amount)'];
const depositAbi = ['function deposit() payable'];
const approveAbi = ['function approve(address spender, uint256 amount)'];

interface Side {
  address: string;
  amountAtomic: bigint;
}

/** Opens pools at the given prices with full-range liquidity. The signer owns the liquidity. */
export async function openPools(
  signer: Signer,
  { uniswap, tokens, prices, pools = defaultPools }: PoolsOptions,
): Promise<void> {
  const sender = await Sender.of(signer);
  const sideOf = (symbol: string): Side => {
    const token = tokens.find((it) => it.symbol === symbol);
    const price = prices[symbol];
    if (!token || !price) throw new Error(`A pool of ${symbol} needs the token and its price`);
    const amountAtomic =
      (depthUsd * 10n ** BigInt(token.decimals + priceDecimals)) / parseUnits(price, priceDecimals);
    return { address: token.address, amountAtomic };
  };
  const sides = pools.map((pool) => inOrder(sideOf(pool.tokens[0]), sideOf(pool.tokens[1])));
  await provide(sender, uniswap, sides.flat());
  for (const [index, { feePips }] of pools.entries())
    await openPool(sender, uniswap, { sides: sides[index]!, feePips });
  await sender.mined();
}

/** Mints the total amount of every token for the sender, and approves the position manager for it. */
async function provide(sender: Sender, uniswap: UniswapDeployment, sides: readonly Side[]): Promise<void> {
  const needs = new Map<string, bigint>();
  for (const { address, amountAtomic } of sides)
    needs.set(address, (needs.get(address) ?? 0n) + amountAtomic);
  for (const [token, amountAtomic] of needs) {
    if (token === uniswap.wrappedCoin) {
      const held = await sender.provider.getBalance(sender.address);
      await sender.provider.send('anvil_setBalance', [sender.address, toQuantity(held + amountAtomic)]);
      await sender.call(token, depositAbi, 'deposit', [], amountAtomic);
    } else {
      await sender.call(token, mintAbi, 'mint', [sender.address, amountAtomic]);
    }
    await sender.call(token, approveAbi, 'approve', [uniswap.positionManager, MaxUint256]);
  }
}

async function openPool(
  sender: Sender,
  { positionManager }: UniswapDeployment,
  { sides: [low, high], feePips }: { sides: [Side, Side]; feePips: PoolPlan['feePips'] },
): Promise<void> {
  const { abi } = artifact('NonfungiblePositionManager');
  const spacing = tickSpacings[feePips];
  const tick = Math.floor(highestTick / spacing) * spacing;
  const sqrtPriceX96 = squareRoot((high.amountAtomic << 192n) / low.amountAtomic);
  await sender.call(positionManager, abi, 'createAndInitializePoolIfNecessary', [
    low.address,
    high.address,
    feePips,
    sqrtPriceX96,
  ]);
  const position = {
    token0: low.address,
    token1: high.address,
    fee: feePips,
    tickLower: -tick,
    tickUpper: tick,
    amount0Desired: low.amountAtomic,
    amount1Desired: high.amountAtomic,
    amount0Min: 0n,
    amount1Min: 0n,
    recipient: sender.address,
    deadline: MaxInt256,
  };
  await sender.call(positionManager, abi, 'mint', [position]);
}

/** A pool orders its tokens by address. */
function inOrder(one: Side, other: Side): [Side, Side] {
  return BigInt(one.address) < BigInt(other.address) ? [one, other] : [other, one];
}

/** Integer square root, by Newton's method. */
function squareRoot(square: bigint): bigint {
  let root = 1n << BigInt(Math.ceil(square.toString(2).length / 2));
  for (;;) {
    const next = (root + square / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}
