import type { Chain, UniswapV3Contracts } from '@tollbridge/chains';
import type { AcrossContracts } from '@tollbridge/local-contracts';
import { getAddress, ZeroAddress } from 'ethers';
import type { EvmNode } from '../oneclick/evm-node';

export interface MarketToken {
  chain: Chain;
  symbol: string;
  decimals: number;
  /** Null for the native coin. */
  address: string | null;
}

export interface MarketOptions {
  node: EvmNode;
  tokens: readonly { symbol: string; address: string | null; decimals: number }[];
  uniswap: UniswapV3Contracts;
  across: AcrossContracts;
}

/** A local chain with an exchange and a bridge. */
export class Market {
  readonly chain: Chain;
  readonly chainId: number;
  readonly node: EvmNode;
  readonly tokens: readonly MarketToken[];
  readonly uniswap: UniswapV3Contracts;
  readonly across: AcrossContracts;

  constructor({ node, tokens, uniswap, across }: MarketOptions) {
    const { chain } = node;
    this.node = node;
    this.chain = chain;
    this.chainId = chain.chainId!;
    this.tokens = tokens.map(({ symbol, address, decimals }) => {
      return { chain, symbol, decimals, address: address === null ? null : getAddress(address) };
    });
    // Normalizes the spelling, so that contracts can be compared as text.
    this.uniswap = { ...uniswap, wrappedCoin: getAddress(uniswap.wrappedCoin) };
    this.across = across;
  }

  /** Finds a token by address, in any case of letters. The zero address means the native coin. */
  find(address: string): MarketToken | undefined {
    const wanted = address.toLowerCase();
    return this.tokens.find((token) => wireAddress(token).toLowerCase() === wanted);
  }

  bySymbol(symbol: string): MarketToken | undefined {
    return this.tokens.find((token) => token.symbol === symbol);
  }

  /** Returns the token address for contracts, which is WETH for the native coin. */
  contractOf({ address }: MarketToken): string {
    return address ?? this.uniswap.wrappedCoin;
  }

  get coin(): MarketToken {
    return this.tokens.find(({ address }) => address === null)!;
  }
}

/** Returns the token's address at both providers, which is the zero address for the native coin. */
export const wireAddress = ({ address }: MarketToken): string => address ?? ZeroAddress;

export type Markets = ReadonlyMap<number, Market>;
