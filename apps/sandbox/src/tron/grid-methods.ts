import {
  evmToTronAddress,
  tronToEvmAddress,
  tronToHexAddress,
  type ExactJson,
  type ExactJsonObject,
} from '@tollbridge/onchain/tron';
import { Interface, toQuantity, zeroPadValue } from 'ethers';
import type { EvmLog } from './anvil-node';
import { eventJson, isWanted, type LoggedEvent } from './grid-events';
import { countIn, type Params } from './params';
import { BadRequest } from './tron-rejection';
import type { TronChain } from './tron-chain';
import type { TronTransaction } from './transactions';

const trc20 = new Interface([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'function balanceOf(address account) view returns (uint256)',
]);
const maxEvents = 200;

/** The part of TronGrid's interface (`v1/`) that tronweb and the balance reader use. */
export class GridMethods {
  constructor(private readonly chain: TronChain) {}

  /** `v1/accounts/{address}`: coins of an account, and its tokens, found by the transfers that it received. */
  async account(address: string): Promise<ExactJson> {
    const evm = evmOf(address);
    if (!(await this.chain.tvm.exists(evm))) return envelope([]);
    const tokens = await this.tokensOf(evm);
    const held = await Promise.all(
      tokens.map(async (token) => [token, await this.balanceOf(token, evm)] as const),
    );
    const balance = await this.chain.node.balance(evm);
    return envelope([
      {
        address: tronToHexAddress(address),
        balance: balance === 0n ? undefined : balance,
        trc20: held
          .filter(([, amount]) => amount > 0n)
          .map(([token, amount]) => ({ [evmToTronAddress(token)]: String(amount) })),
      },
    ]);
  }

  /** `v1/contracts/{address}/events`. */
  async contractEvents(address: string, params: Params): Promise<ExactJson> {
    const logs = await this.chain.node.logs({ address: evmOf(address), fromBlock: '0x0', toBlock: 'latest' });
    const ids = await this.eventsOf(logs);
    return this.page(ids, params);
  }

  /** `v1/transactions/{id}/events`. */
  async transactionEvents(id: string, params: Params): Promise<ExactJson> {
    const transaction = await this.chain.transactions.find(id.toLowerCase());
    return this.page(transaction ? eventsIn(transaction) : [], params);
  }

  /** `v1/blocks/{height}/events`, or the events of the newest block. */
  async blockEvents(height: string, params: Params): Promise<ExactJson> {
    const number = height === 'latest' ? 'latest' : countIn({ height }, 'height', 0);
    const block = await this.chain.node.block(number);
    const transactions = block ? await this.chain.transactions.ofBlock(block) : [];
    return this.page(transactions.flatMap(eventsIn), params);
  }

  /** Returns the events of logs, with the transactions that emitted them. */
  private async eventsOf(logs: readonly EvmLog[]): Promise<LoggedEvent[]> {
    const heights = [...new Set(logs.map(({ blockNumber }) => Number(blockNumber)))];
    const wanted = new Set(
      logs.map((log) => `${log.blockNumber} ${log.transactionHash} ${log.data} ${log.topics}`),
    );
    const perBlock = await Promise.all(heights.map((height) => this.transactionsAt(height)));
    return perBlock
      .flat()
      .flatMap(eventsIn)
      .filter(({ log }) => wanted.has(`${log.blockNumber} ${log.transactionHash} ${log.data} ${log.topics}`));
  }

  private async transactionsAt(height: number): Promise<readonly TronTransaction[]> {
    const block = await this.chain.node.block(height);
    return block ? this.chain.transactions.ofBlock(block) : [];
  }

  private async page(events: readonly LoggedEvent[], params: Params): Promise<ExactJson> {
    const limit = Math.min(countIn(params, 'limit', 20), maxEvents);
    const skipped = readFingerprint(params['fingerprint']);
    const solid = await this.chain.solidHeight();
    const all = await Promise.all(events.map((event) => eventJson(this.chain, event, solid)));
    const isAscending = String(params['order_by'] ?? '').endsWith(',asc');
    const wanted = (isAscending ? all : all.reverse()).filter((event) => isWanted(event, params));
    const next = skipped + limit < wanted.length ? fingerprintOf(skipped + limit) : undefined;
    return envelope(wanted.slice(skipped, skipped + limit), next);
  }

  private async tokensOf(account: string): Promise<string[]> {
    const topics = [trc20.getEvent('Transfer')!.topicHash, null, zeroPadValue(account, 32)];
    const logs = await this.chain.node.logs({ topics, fromBlock: toQuantity(0), toBlock: 'latest' });
    return [...new Set(logs.map(({ address }) => address))];
  }

  private async balanceOf(token: string, account: string): Promise<bigint> {
    const data = trc20.encodeFunctionData('balanceOf', [account]);
    const answer = await this.chain.node.call<string>('eth_call', { to: token, data }, 'latest');
    return answer.length === 66 ? BigInt(answer) : 0n;
  }
}

function eventsIn(transaction: TronTransaction): LoggedEvent[] {
  return transaction.logs.map((log, index) => ({ log, index, transaction }));
}

const envelope = (data: readonly ExactJson[], fingerprint?: string): ExactJsonObject => ({
  data,
  success: true,
  meta: { at: Date.now(), page_size: data.length, fingerprint },
});

const fingerprintOf = (skipped: number): string => Buffer.from(String(skipped)).toString('base64url');

function readFingerprint(text: unknown): number {
  if (text === undefined || text === '') return 0;
  const count = Number(Buffer.from(String(text), 'base64url').toString());
  if (!Number.isSafeInteger(count) || count < 0) throw new BadRequest('fingerprint is invalid');
  return count;
}

function evmOf(address: string): string {
  try {
    return tronToEvmAddress(address).toLowerCase();
  } catch {
    throw new BadRequest('Please ensure that a valid address is used');
  }
}
