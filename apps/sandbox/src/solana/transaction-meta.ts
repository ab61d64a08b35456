/** An error of the runtime in the JSON format of a node: `{"InstructionError": [0, {"Custom": 1}]}`. */
export type TransactionErrorJson = string | { [name: string]: unknown };

export interface TokenBalanceMeta {
  accountIndex: number;
  mint: string;
  owner: string;
  programId: string;
  decimals: number;
  /** In the smallest unit of the token. */
  amount: string;
}

export interface InnerInstructionMeta {
  programIdIndex: number;
  accounts: number[];
  /** Base58. */
  data: string;
  stackHeight: number;
}

/** Result of the execution of a transaction. Lamports are decimal strings. */
export interface TransactionMeta {
  err: TransactionErrorJson | null;
  fee: string;
  preBalances: string[];
  postBalances: string[];
  preTokenBalances: TokenBalanceMeta[];
  postTokenBalances: TokenBalanceMeta[];
  innerInstructions: { index: number; instructions: InnerInstructionMeta[] }[];
  logMessages: string[];
  computeUnitsConsumed: number;
  loadedAddresses: { writable: string[]; readonly: string[] };
}
