import type { Chain, ChainFamily, Token, TokenFacts } from '../registry/chain';

// Source: the example of EIP-55.
const evmSampleAddress = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

const unsigned = (bits: bigint): string => String(2n ** bits - 1n);
const signed64 = unsigned(63n);

/** Maximum amount of a transfer on chains of each family, except for the coins in `maxCoins`. */
const maxAmounts: Readonly<Record<ChainFamily, string>> = {
  evm: unsigned(256n),
  tron: unsigned(256n),
  starknet: unsigned(256n),
  // VarUInteger 16 has at most 15 bytes.
  ton: unsigned(120n),
  near: unsigned(128n),
  solana: unsigned(64n),
  sui: unsigned(64n),
  aptos: unsigned(64n),
  aleo: unsigned(64n),
  cardano: unsigned(64n),
  stellar: signed64,
  utxo: signed64,
  // Total supply of XRP in drops.
  xrp: '100000000000000000',
};

/** Maximum amount of coins that the chain stores in fewer bits than its token contracts. */
const maxCoins: Partial<Readonly<Record<ChainFamily, string>>> = { tron: signed64 };

/** Returns the maximum amount of a transfer of the coin, or of a token with its own contract. */
export const maxAmountOf = (family: ChainFamily, address: string | null): string =>
  (address === null ? maxCoins[family] : undefined) ?? maxAmounts[family];

/** Facts that are derived from others. Optional facts are those that most chains lack. */
type Derived = 'logo' | 'nativeSymbol' | 'tokens' | 'chainId';
type Optional =
  | 'isTestnet'
  | 'usesMemo'
  | 'oneClick'
  | 'defiLlama'
  | 'isEthereumRollup'
  | 'isServedByAcross'
  | 'publishedUniswapV3'
  | 'knownContracts'
  | 'capsTransactionGas';
type ChainFacts = Omit<Chain, Derived | Optional> &
  Partial<Pick<Chain, Optional>> & { readonly tokens: readonly [TokenFacts, ...TokenFacts[]] };

type SetByEvm = 'id' | 'caip2' | 'family' | 'sampleAddress' | 'balanceProtocols' | 'coinFeeAtomic';
type EvmFacts = Omit<ChainFacts, SetByEvm> & { readonly chainId: number; readonly id?: string };

/** Describes a chain of any family. The first token is the chain's coin. */
export function chain(facts: ChainFacts): Chain {
  return complete(facts, null);
}

/**
 * Describes an EVM chain, and fills in everything that follows from its chain id. The first token is the chain's coin.
 */
export function evmChain({ chainId, ...facts }: EvmFacts): Chain {
  const caip2 = `eip155:${chainId}`;
  const derived = {
    caip2,
    family: 'evm',
    sampleAddress: evmSampleAddress,
    balanceProtocols: ['evm'],
    // The cost is read from the chain, because the gas price changes.
    coinFeeAtomic: null,
  } as const;
  return complete({ id: caip2, ...derived, ...facts }, chainId);
}

function complete(facts: ChainFacts, chainId: number | null): Chain {
  return {
    isTestnet: false,
    usesMemo: false,
    oneClick: null,
    defiLlama: null,
    isEthereumRollup: false,
    isServedByAcross: false,
    publishedUniswapV3: null,
    knownContracts: [],
    capsTransactionGas: false,
    ...facts,
    chainId,
    nativeSymbol: facts.tokens[0].symbol,
    logo: `/logos/chains/${facts.shortName}.svg`,
    tokens: facts.tokens.map((token) => toToken(token, facts.family)),
  };
}

function toToken(token: TokenFacts, family: ChainFamily): Token {
  return {
    maxAmountAtomic: maxAmountOf(family, token.address),
    ...token,
    // Bridged forms of a token (`WETH.e`) share its logo.
    logo: `/logos/tokens/${token.symbol.split('.')[0]!.toLowerCase()}.svg`,
  };
}
