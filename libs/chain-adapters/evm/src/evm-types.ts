export interface BlockRef {
  height: number;
  hash: string;
  parentHash: string;
  /** Unix seconds. */
  timestamp: number;
}

/** Hashes, addresses and data are lower-case. */
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
  /** null: the transaction created a contract. */
  to: string | null;
  gasUsed: bigint;
  /** Wei that each unit of gas cost; null where the node does not say. */
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
  /** Both null while the transaction waits in the pool. */
  blockHash: string | null;
  height: number | null;
}
