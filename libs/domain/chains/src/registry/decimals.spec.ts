import { chains } from './registry';

/**
 * A second, independent list of the decimals, because an error in the registry changes amounts by powers of ten.
 * Sources: the protocols for coins, Circle for USDC, Tether and its bridges for USDT, and the contracts for wrapped
 * ether and DAI. USDC and USDT have 6 decimals, except on BSC (Binance's own tokens) and on Stellar.
 */
const expected: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'eip155:1': { ETH: 18, USDC: 6, USDT: 6, WETH: 18, DAI: 18 },
  'eip155:8453': { ETH: 18, USDC: 6, USDT: 6, WETH: 18, DAI: 18 },
  'eip155:42161': { ETH: 18, USDC: 6, USDT: 6, WETH: 18, DAI: 18 },
  'eip155:137': { POL: 18, USDC: 6, USDT: 6, WETH: 18, DAI: 18 },
  'eip155:10': { ETH: 18, USDC: 6, USDT: 6, WETH: 18, DAI: 18 },
  // Binance's pegged tokens: 18 throughout.
  'eip155:56': { BNB: 18, USDC: 18, USDT: 18, ETH: 18, DAI: 18 },
  'eip155:43114': { AVAX: 18, USDC: 6, USDT: 6, 'WETH.e': 18, 'DAI.e': 18 },
  'eip155:84532': { ETH: 18, USDC: 6, WETH: 18 },
  // Nanotons.
  ton: { TON: 9, USDT: 6 },
  // Lamports.
  solana: { SOL: 9, USDC: 6, USDT: 6 },
  // Sun.
  tron: { TRX: 6, USDT: 6 },
  // MIST.
  sui: { SUI: 9, USDC: 6, USDT: 6 },
  // Satoshis.
  btc: { BTC: 8 },
  // Yoctonear.
  near: { NEAR: 24, USDC: 6, USDT: 6 },
  // Stroops; every asset of Stellar has 7.
  stellar: { XLM: 7, USDC: 7 },
  // Fri; bridged ether as on Ethereum.
  starknet: { STRK: 18, USDC: 6, USDT: 6, ETH: 18 },
  // Lovelace.
  cardano: { ADA: 6 },
  // Microcredits.
  aleo: { ALEO: 6 },
  // Drops.
  xrp: { XRP: 6 },
  // All of Bitcoin's family.
  doge: { DOGE: 8 },
  ltc: { LTC: 8 },
  bch: { BCH: 8 },
  zec: { ZEC: 8 },
  dash: { DASH: 8 },
  // Octas.
  aptos: { APT: 8, USDC: 6, USDT: 6 },
  gnosis: { xDAI: 18, USDC: 6, USDT: 6, WETH: 18 },
  scroll: { ETH: 18, USDC: 6, USDT: 6, WETH: 18, DAI: 18 },
  monad: { MON: 18, USDC: 6, USDT: 6 },
  bera: { BERA: 18, USDC: 6, USDT: 6 },
};

it.each(chains.map((chain) => [chain.id, chain] as const))(
  '%s: every token has its decimals',
  (id, chain) => {
    const decimals = Object.fromEntries(chain.tokens.map((token) => [token.symbol, token.decimals]));
    expect(decimals).toEqual(expected[id]);
  },
);

it('the list has every chain of the registry, and no other', () => {
  expect(Object.keys(expected).sort()).toEqual(chains.map(({ id }) => id).sort());
});
