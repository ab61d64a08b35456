import { chains } from './registry';

/**
 * A second, independent list of decimals, because an error in the registry would change amounts by powers of ten.
 * Sources: the protocols for coins, Circle for USDC, Tether and its bridges for USDT, and the contracts for wrapped
 * ether and DAI. USDC and USDT have 6 decimals, except on BSC (Binance's own tokens) and on Stellar.
 */
const expected: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'eip155:1': { ETH: 18, USDC: 6, USDT: 6, WETH: 18, DAI: 18 },
  'eip155:8453': { ETH: 18, USDC: 6, USDT: 6, WETH: 18, DAI: 18 },
  'eip155:42161': { ETH: 18, USDC: 6, USDT: 6, WETH: 18, DAI: 18 },
  'eip155:137': { POL: 18, USDC: 6, USDT: 6, WETH: 18, DAI: 18 },
  'eip155:10': { ETH: 18, USDC: 6, USDT: 6, WETH: 18, DAI: 18 },
  // Binance's pegged tokens have 18 decimals.
  'eip155:56': { BNB: 18, USDC: 18, USDT: 18, ETH: 18, DAI: 18 },
  'eip155:43114': { AVAX: 18, USDC: 6, USDT: 6, 'WETH.e': 18, 'DAI.e': 18 },
  'eip155:84532': { ETH: 18, USDC: 6, WETH: 18 },
  // The smallest unit is the nanoton.
  ton: { TON: 9, USDT: 6 },
  // The smallest unit is the lamport.
  solana: { SOL: 9, USDC: 6, USDT: 6 },
  // The smallest unit is the sun.
  tron: { TRX: 6, USDT: 6 },
  // The smallest unit is the MIST.
  sui: { SUI: 9, USDC: 6, USDT: 6 },
  // The smallest unit is the satoshi.
  btc: { BTC: 8 },
  // The smallest unit is the yoctonear.
  near: { NEAR: 24, USDC: 6, USDT: 6 },
  // The smallest unit is the stroop. Every asset of Stellar has 7 decimals.
  stellar: { XLM: 7, USDC: 7 },
  // The smallest unit is the fri. Bridged ether has the decimals of Ethereum.
  starknet: { STRK: 18, USDC: 6, USDT: 6, ETH: 18 },
  // The smallest unit is the lovelace.
  cardano: { ADA: 6 },
  // The smallest unit is the microcredit.
  aleo: { ALEO: 6 },
  // The smallest unit is the drop.
  xrp: { XRP: 6 },
  // All chains of Bitcoin's family have 8 decimals.
  doge: { DOGE: 8 },
  ltc: { LTC: 8 },
  bch: { BCH: 8 },
  zec: { ZEC: 8 },
  dash: { DASH: 8 },
  // The smallest unit is the octa.
  aptos: { APT: 8, USDC: 6, USDT: 6 },
  gnosis: { xDAI: 18, USDC: 6, USDT: 6, WETH: 18 },
  scroll: { ETH: 18, USDC: 6, USDT: 6, WETH: 18, DAI: 18 },
  monad: { MON: 18, USDC: 6, USDT: 6 },
  bera: { BERA: 18, USDC: 6, USDT: 6 },
};

it.each(chains.map((chain) => [chain.id, chain] as const))(
  '%s: every token has the expected decimals',
  (id, chain) => {
    const decimals = Object.fromEntries(chain.tokens.map((token) => [token.symbol, token.decimals]));
    expect(decimals).toEqual(expected[id]);
  },
);

it('the list has exactly the chains of the registry', () => {
  expect(Object.keys(expected).sort()).toEqual(chains.map(({ id }) => id).sort());
});
