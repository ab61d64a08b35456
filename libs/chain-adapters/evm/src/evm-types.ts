export interface BlockRef {
  height: number;
  hash: string;
  parentHash: string;
  /** Unix seconds. */
  timestamp: number;
}

/** Hashes, addresses and data are in lower case. */
export interface EvmLog {
  address: string;
  topics: string[];
  data: string;
  blockHash: string;
  height: number;
  txHash: string;
  logIndex: number;
}

export interface EvmReceipt {
  txHash: string;
  blockHash: string;
  height: number;
  succeeded: boolean;
  from: string;
  /** Null if the transaction created a contract. */
  to: string | null;
  gasUsed: bigint;
  /** Wei paid per unit of gas; null if the node does not report it. */
  gasPriceAtomic: bigint | null;
  logs: EvmLog[];
}

export interface EvmTransaction {
  hash: string;
  from: string;
  to: string | null;
  nonce: number;
  valueAtomic: bigint;
  data: string;
  /** Both are null while the transaction is in the mempool. */
  blockHash: string | null;
  height: number | null;
}
