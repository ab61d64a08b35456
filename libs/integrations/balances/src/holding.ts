import type { Chain, Token } from '@tollbridge/chains';

/** A wallet's balance of one token, in the smallest unit. */
export interface Holding {
  token: Token;
  amountAtomic: bigint;
  /** The part that the chain locks: reserves, storage, open offers, frozen accounts. */
  lockedAtomic: bigint;
}

/** Kind of the payment, which determines its fee. */
export type PaymentKind = 'transfer' | 'contractCall';

/** Reads the balances of one chain by one protocol. */
export interface BalanceReader {
  /**
   * Reads all tokens of `chain.tokens`, including zero balances. A token that fails alone is omitted. Other failures
   * are thrown, because an invalid reply must not become a zero balance.
   */
  read(chain: Chain, address: string, signal: AbortSignal): Promise<Holding[]>;
  /**
   * Returns the current transfer fee in native coins. Only for chains with a variable gas price; other chains have a
   * fixed fee.
   */
  coinFeeAtomic?(payment: PaymentKind): Promise<bigint>;
}

export interface Amount {
  amountAtomic: bigint;
  lockedAtomic?: bigint;
}

export const nothing: Amount = { amountAtomic: 0n };

/** Returns one holding per token of the chain. */
export function holdingsOf(chain: Chain, amountOf: (token: Token) => Amount): Holding[] {
  return chain.tokens.map((token) => {
    const { amountAtomic, lockedAtomic = 0n } = amountOf(token);
    // The locked amount can exceed the balance, because an account may fall below its reserve.
    return { token, amountAtomic, lockedAtomic: lockedAtomic < amountAtomic ? lockedAtomic : amountAtomic };
  });
}

/** For protocols that support only the coin. The chain's tokens are omitted instead of reported as zero. */
export function coinHolding(chain: Chain, amount: Amount): Holding[] {
  return holdingsOf(
    { ...chain, tokens: chain.tokens.filter(({ address }) => address === null) },
    () => amount,
  );
}

/** Returns the addresses of the chain's tokens: contracts, masters, issuers or coin types. */
export function tokenAddresses(chain: Chain): string[] {
  return chain.tokens.flatMap(({ address }) => (address === null ? [] : [address]));
}
