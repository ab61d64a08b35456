const timeoutMs = 10_000;

/** An error that the node returned, unlike a failed connection. */
export class NodeError extends Error {}

/** JSON-RPC of a local EVM node. */
export class AnvilNode {
  constructor(private readonly url: string) {}

  async call<T = unknown>(method: string, ...params: unknown[]): Promise<T> {
    const response = await fetch(this.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { result, error } = (await response.json()) as { result: T; error?: { message: string } };
    if (error) throw new NodeError(`${method}: ${error.message}`);
    return result;
  }

  /** Reads the block of a tag or height. @returns null when it does not exist */
  block(id: string | number, hasTransactions = false): Promise<EvmBlock | null> {
    const tag = typeof id === 'number' ? `0x${id.toString(16)}` : id;
    return this.call('eth_getBlockByNumber', tag, hasTransactions);
  }

  async height(): Promise<number> {
    return Number(await this.call('eth_blockNumber'));
  }

  /** Returns the balance at a height, by default at the head. */
  async balance(address: string, height?: number): Promise<bigint> {
    const tag = height === undefined ? 'latest' : `0x${height.toString(16)}`;
    return BigInt(await this.call<string>('eth_getBalance', address, tag));
  }

  logs(filter: object): Promise<EvmLog[]> {
    return this.call('eth_getLogs', filter);
  }

  code(address: string): Promise<string> {
    return this.call('eth_getCode', address, 'latest');
  }
}

/** A block. Its numbers are hexadecimal text. */
export interface EvmBlock {
  number: string;
  hash: string;
  parentHash: string;
  timestamp: string;
  transactions: (string | { hash: string; to: string | null; input: string })[];
}

export interface EvmReceipt {
  status: string;
  blockNumber: string;
  logs: EvmLog[];
}

export interface EvmLog {
  address: string;
  topics: string[];
  data: string;
  blockNumber: string;
  transactionHash: string;
  logIndex: string;
}
