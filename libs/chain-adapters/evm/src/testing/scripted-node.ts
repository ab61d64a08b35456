import type { SendHttp } from '@tollbridge/http';
import type { BlockRef, EvmLog } from '../evm-types';
import { ScriptedChain } from './scripted-chain';

interface WireRequest {
  id: number;
  method: string;
  params: unknown[];
}

const hex = (value: number): string => `0x${value.toString(16)}`;

/** A node in memory with the wire format of JSON-RPC over HTTP. Tests can make any part of it fail. */
export class ScriptedNode {
  chain = new ScriptedChain();
  chainId = 8453;
  /** Number of newest blocks that this node does not have yet. */
  lag = 0;
  /** Methods in the order of the requests. */
  readonly asked: string[] = [];
  httpRequests = 0;
  /** Runs before each HTTP request is answered. */
  beforeAnswer: (httpRequest: number) => void = () => undefined;
  /** Replaces the whole HTTP answer. */
  respond: ((signal: AbortSignal, body: string) => Response | Promise<Response>) | null = null;
  /** Replaces the result of a method. Throw an object `{code, message, data}` to return an error. */
  readonly methods = new Map<string, (params: unknown[]) => unknown>();

  async handle(init: RequestInit): Promise<Response> {
    this.httpRequests += 1;
    this.beforeAnswer(this.httpRequests);
    const body = String(init.body);
    if (this.respond) return this.respond(init.signal!, body);
    const parsed = JSON.parse(body) as WireRequest | WireRequest[];
    const replies = [parsed].flat().map((request) => this.reply(request));
    // Reverses the replies of a batch, because the specification allows any order.
    return Response.json(Array.isArray(parsed) ? replies.reverse() : replies[0]);
  }

  private reply({ id, method, params }: WireRequest): Record<string, unknown> {
    this.asked.push(method);
    try {
      return { jsonrpc: '2.0', id, result: this.result(method, params) };
    } catch (error) {
      return { jsonrpc: '2.0', id, error };
    }
  }

  private result(method: string, params: unknown[]): unknown {
    const replaced = this.methods.get(method);
    if (replaced) return replaced(params);
    const visible = this.chain.blocks.slice(0, Math.max(1, this.chain.blocks.length - this.lag));
    if (method === 'eth_chainId') return hex(this.chainId);
    if (method === 'eth_getBlockByNumber') {
      const height = params[0] === 'latest' ? visible.length - 1 : Number(params[0]);
      const block = visible[height];
      return block ? wireBlock(block) : null;
    }
    if (method === 'eth_getLogs') {
      const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string };
      // Like in a real node, a range beyond the head is not an error and has no logs.
      const range = visible.slice(Number(fromBlock), Number(toBlock) + 1);
      return range.flatMap((block) => block.logs).map(wireLog);
    }
    throw { code: -32601, message: 'Method not found' };
  }
}

export function wireBlock(block: BlockRef): Record<string, unknown> {
  return {
    number: hex(block.height),
    hash: block.hash,
    parentHash: block.parentHash,
    timestamp: hex(block.timestamp),
    transactions: [],
  };
}

export function wireLog(log: EvmLog): Record<string, unknown> {
  return {
    address: log.address,
    topics: log.topics,
    data: log.data,
    blockHash: log.blockHash,
    blockNumber: hex(log.height),
    transactionHash: log.txHash,
    transactionIndex: '0x0',
    logIndex: hex(log.logIndex),
    removed: false,
  };
}

/** Routes `http://a/…` to `nodes.a`. Unknown hosts reject the connection. */
export function fetchFrom(nodes: Record<string, ScriptedNode>): SendHttp {
  return async (url, init) => {
    const node = nodes[new URL(url).hostname];
    if (!node) throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
    return node.handle(init);
  };
}
