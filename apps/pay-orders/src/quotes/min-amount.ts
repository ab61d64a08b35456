/** The smallest amount that the route provider accepts for a pay token, measured in a token of another chain. */
export interface MinAmount {
  readonly payChain: string;
  readonly payToken: string;
  readonly settleChain: string;
  readonly settleToken: string;
  /** In the smallest unit of the settle token. */
  readonly settleAtomic: bigint;
  /** The same amount in US dollars, for display only. */
  readonly usd: number;
  readonly measuredAtMs: number;
}
