import type { Chain, Token } from '@tollbridge/chains';

/** What a wallet has of one token, in the smallest unit. */
export interface Holding {
  token: Token;
  amountAtomic: bigint;
  /** Part of it that the chain does not let go: reserves, storage, open offers, frozen accounts. */
  lockedAtomic: bigint;
}

/** How the payment leaves the wallet, which decides what its sending costs. */
export type PaymentKind = 'transfer' | 'contractCall';

/** Reads one chain's balances by one protocol. */
export interface BalanceReader {
  /**
   * All tokens of `chain.tokens`, those of which the wallet has nothing included. A token that alone cannot be read is
   * left out; whatever else fails is thrown: a reply that is not understood never becomes a zero.
   */
  read(chain: Chain, address: string, signal: AbortSignal): Promise<Holding[]>;
  /** What sending costs in the chain's coin now. Only where the chain's price moves; elsewhere a table knows. */
  coinFeeAtomic?(payment: PaymentKind): Promise<bigint>;
}

export interface Amount {
  amountAtomic: bigint;
  lockedAtomic?: bigint;
}

export const nothing: Amount = { amountAtomic: 0n };

/** One holding per token of the chain. */
export function holdingsOf(chain: Chain, amountOf: (token: Token) => Amount): Holding[] {
  return chain.tokens.map((token) => {
    const { amountAtomic, lockedAtomic = 0n } = amountOf(token);
    // More can be locked than is there: an account may fall below its reserve.
    return { token, amountAtomic, lockedAtomic: lockedAtomic < amountAtomic ? lockedAtomic : amountAtomic };
  });
}

/** For protocols that know the coin only: tokens of the chain are left out rather than called zero. */
export function coinHolding(chain: Chain, amount: Amount): Holding[] {
  return holdingsOf(
    { ...chain, tokens: chain.tokens.filter(({ address }) => address === null) },
    () => amount,
  );
}

/** The contracts, masters, issuers or coin types of the chain's tokens. */
export function tokenAddresses(chain: Chain): string[] {
  return chain.tokens.flatMap(({ address }) => (address === null ? [] : [address]));
}
