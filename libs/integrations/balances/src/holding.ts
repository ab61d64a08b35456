import type { Chain, Token } from '@tollbridge/chains';

/** A wallet's balance of one token, in the smallest unit. */
export interface Holding {
  token: Token;
  amountAtomic: bigint;
  /** The part locked by the chain: reserves, storage, open offers, frozen accounts. */
  lockedAtomic: bigint;
}

/** How the payment is sent, which decides its fee. */
export type PaymentKind = 'transfer' | 'contractCall';

/** Reads one chain's balances by one protocol. */
export interface BalanceReader {
  /**
   * Reads all tokens of `chain.tokens`, including zero balances. A token that fails alone is left out; other failures
   * are thrown: an invalid reply never becomes a zero.
   */
  read(chain: Chain, address: string, signal: AbortSignal): Promise<Holding[]>;
  /** The current transfer fee in native coins; only for chains with a moving gas price, others have a table. */
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
    // The locked amount can exceed the balance: an account may fall below its reserve.
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
