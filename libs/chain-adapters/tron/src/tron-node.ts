import { ChainCheck, JsonRpcClient, postJson, RpcError, type HttpLimits } from '@tollbridge/evm';
import { httpSender, type SendHttp, UnreadableReply, readFields } from '@tollbridge/http';
import { tronToHexAddress } from '@tollbridge/onchain/tron';
import { askNode } from './ask-node';
import { readChainPrices, readEnergyFactor, type ChainPrices } from './chain-prices';
import { readCoinReceivers } from './coin-receivers';
import { nodeUrl } from './node-url';
import { readSignedTransaction, type SignedTransaction } from './signed-transaction';
import { TronReads } from './tron-reads';

export interface TronNodeOptions {
  /** The base URL of `wallet/…` and `jsonrpc`, as at TronGrid. */
  url: string;
  /** Position in `CHAINS_FILE`, from 1. */
  position: number;
  /** The last four bytes of the genesis block's id. */
  chainId: number;
  timeoutMs?: number;
  fetch?: SendHttp;
  clock?: { now(): number };
}

const sendHttp = httpSender();
const defaultTimeoutMs = 5_000;
// A step of 2,000 blocks of payments has less than a megabyte, but headers list all transactions of their blocks.
const maxReplyBytes = 32 * 1_024 * 1_024;

/**
 * One full node, or TronGrid. Its methods fail with an `RpcError`, which never contains a key. A node of another
 * network fails before it receives any other request.
 */
export class TronNode {
  readonly reads: TronReads;
  private readonly check: ChainCheck;
  private readonly limits: HttpLimits;

  constructor(private readonly options: TronNodeOptions) {
    const { url, position, chainId, timeoutMs = defaultTimeoutMs, fetch = sendHttp, clock = Date } = options;
    this.limits = { fetch, timeoutMs, maxReplyBytes };
    const client = new JsonRpcClient(nodeUrl(url, position, 'jsonrpc'), {
      ...this.limits,
      now: () => clock.now(),
    });
    this.check = new ChainCheck(client, chainId, clock);
    this.reads = new TronReads(client, this.check);
  }

  /** Returns the signed content of a transaction in a block; null if the node does not have the transaction. */
  transaction(txId: string): Promise<SignedTransaction | null> {
    return this.post('wallet/gettransactionbyid', { value: txId }, (reply) =>
      readSignedTransaction(reply, txId),
    );
  }

  /** Returns the accounts that received coins from contracts in a transaction; null if the node has not stored this. */
  coinReceivers(txId: string): Promise<string[] | null> {
    return this.post('wallet/gettransactioninfobyid', { value: txId }, (reply) =>
      readCoinReceivers(reply, txId),
    );
  }

  /** Whether the transaction is in the mempool. */
  async isPending(txId: string): Promise<boolean> {
    const read = (reply: unknown) => readSignedTransaction(reply, txId);
    return (await this.post('wallet/gettransactionfrompending', { value: txId }, read)) !== null;
  }

  prices(): Promise<ChainPrices> {
    return this.post('wallet/getchainparameters', {}, readChainPrices);
  }

  /** @param contract address in base58 */
  energyFactor(contract: string): Promise<bigint> {
    return this.post('wallet/getcontractinfo', { value: tronToHexAddress(contract) }, readEnergyFactor);
  }

  private post<T>(path: string, body: object, read: (reply: unknown) => T): Promise<T> {
    const url = nodeUrl(this.options.url, this.options.position, path);
    return askNode(this.check, url.label, async () => {
      const answer = await postJson(url, JSON.stringify(body), this.limits);
      // A full node returns its own errors with status 200. Any other status is from a gateway.
      if (answer.status !== 200) throw statusError(url.label, answer.status);
      return read(readObject(path, answer.body));
    });
  }
}

function statusError(endpoint: string, status: number): RpcError {
  const text = `HTTP status ${status}`;
  return status === 429
    ? new RpcError({ kind: 'rateLimited', reason: 'requestLimit', endpoint, text })
    : new RpcError({ kind: 'unavailable', reason: 'httpStatus', endpoint, text });
}

/** Parses an answer. An answer with `Error` means that the node could not parse the request, or has failed itself. */
function readObject(path: string, body: string): Record<string, unknown> {
  let reply: unknown;
  try {
    reply = JSON.parse(body);
  } catch {
    throw new UnreadableReply(`${path} is malformed`);
  }
  const fields = readFields(reply, path);
  if (fields['Error'] !== undefined) throw new UnreadableReply(`${path} is malformed`);
  return fields;
}
