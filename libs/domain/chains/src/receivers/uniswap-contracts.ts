import { getAddress, getCreate2Address, keccak256 } from 'ethers';
import type { EvmChain, UniswapV3Contracts } from '../deployments';

/** Millionths of a swap that a Uniswap V3 pool charges. */
export const uniswapFeeTiersPips = [100, 500, 3000, 10000] as const;

// Hash of the creation code of a UniswapV3Pool, the same on every chain (PoolAddress.sol of v3-periphery).
const poolCodeHash = '0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54';

// Where Uniswap first deployed, its contracts stand at the same addresses.
const first = {
  factory: '0x1F98431c8aD98523631AE4a59f267346ea31F984',
  quoter: '0x61fFE014bA17989E743c5F6cB21bF9697530B21e',
  router: '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45',
};
const opWrappedEther = '0x4200000000000000000000000000000000000006';

/** As Uniswap publishes them, by chain: factory, QuoterV2, SwapRouter02 and what they take the coin for. */
export const publishedUniswap: Readonly<Record<string, UniswapV3Contracts>> = {
  'eip155:1': { ...first, wrappedCoin: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2' },
  'eip155:10': { ...first, wrappedCoin: opWrappedEther },
  'eip155:137': { ...first, wrappedCoin: '0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270' },
  'eip155:42161': { ...first, wrappedCoin: '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1' },
  'eip155:8453': {
    factory: '0x33128a8fC17869897dcE68Ed026d694621f6FDfD',
    quoter: '0x3d4e44Eb1374240CE5F1B871ab261CD16335B76a',
    router: '0x2626664c2603336E57B271c5C0b26F421741e481',
    wrappedCoin: opWrappedEther,
  },
  'eip155:56': {
    factory: '0xdB1d10011AD0Ff90774D0C6Bb92e5C5c8b4461F7',
    quoter: '0x78D78E420Da98ad378D7799bE8f4AF69033EB077',
    router: '0xB971eF87ede563556b2ED4b1C0b0019111Dd85d2',
    wrappedCoin: '0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c',
  },
  'eip155:43114': {
    factory: '0x740b1c1de25031C31FF4fC9A62f554A55cdC1baD',
    quoter: '0xbe0F5544EC67e9B3b2D979aaA43f18Fd87E6257F',
    router: '0xbb00FF08d01D300023C629E8fFfFcb65A5a578cE',
    wrappedCoin: '0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7',
  },
  'eip155:84532': {
    factory: '0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24',
    quoter: '0xC5290058841028F1614F3A6F0F5816cAd0df5E27',
    router: '0x94cC0AaC535CCDB3C01d6787D6413C739ae12bc4',
    wrappedCoin: opWrappedEther,
  },
};

/** Null for a chain on which no Uniswap V3 is known. */
export function uniswapOn({ id, uniswapV3 }: Pick<EvmChain, 'id' | 'uniswapV3'>): UniswapV3Contracts | null {
  return uniswapV3 ?? publishedUniswap[id] ?? null;
}

/** Where the pools of a pair of tokens are or will be, one for each fee tier. */
export function uniswapPoolsOf(factory: string, one: string, other: string): string[] {
  const [token0, token1] = [one, other].map((token) => token.toLowerCase().slice(2)).sort();
  const word = (digits: string) => digits.padStart(64, '0');
  return uniswapFeeTiersPips.map((feePips) => {
    const salt = keccak256(`0x${word(token0!)}${word(token1!)}${word(feePips.toString(16))}`);
    return getAddress(getCreate2Address(factory, salt, poolCodeHash));
  });
}
