import { base58 } from '@scure/base';
import { encodeSuiOrderPaid, hashSuiOrder, suiOrderPaidType } from '@tollbridge/onchain/sui';
import { aSuiOrder } from '@tollbridge/onchain/testing';
import { createHash } from 'node:crypto';
import { suiMainnet } from '../open';
import { SuiNode } from '../sui-node';

type Json = Record<string, unknown>;
interface Asked {
  query: string;
  variables: Json;
}

export interface ScriptedEvent {
  height: number;
  type: string;
  bcs: string;
  txHash: string;
}

/** Returns 32 bytes in base58, derived from the name. */
export const digestOf = (name: string): string => base58.encode(createHash('sha256').update(name).digest());
export const account = (name: string): string => `0x${createHash('sha256').update(name).digest('hex')}`;
export const packageId = account('package');
export const otherPackageId = account('other package');
export const usdc = '0xdba34672e30cb065b1f93e3ab55318768fd6fef66c15942c9f7cb846e2f900e7::usdc::USDC';

export function paidEvent(
  height: number,
  txHash: string,
  order = aSuiOrder(),
  by = packageId,
): ScriptedEvent {
  const bytes = encodeSuiOrderPaid({ orderHash: hashSuiOrder(order), payer: account('payer'), order });
  return {
    height,
    txHash,
    type: suiOrderPaidType({ packageId: by }),
    bcs: Buffer.from(bytes).toString('base64'),
  };
}

/** A node of Sui in memory. Checkpoint n has the time n seconds. */
export class ScriptedNode {
  head = 100;
  /** Heads of the next requests, as if several nodes served one URL. After these, `head` is used. */
  nextHeads: number[] = [];
  first = 0;
  network = suiMainnet;
  isDown = false;
  pageSize = 50;
  /** In the order of the chain. */
  events: ScriptedEvent[] = [];
  transactions = new Map<string, Json>();
  coins: Json[] = [];
  requests = 0;
  /** Changes an answer before it is sent. */
  spoil: (data: Json) => unknown = (data) => data;

  readonly node = new SuiNode({
    url: 'https://node.test/graphql',
    chainIdentifier: suiMainnet,
    fetch: async (_url, init) => {
      this.requests++;
      if (this.isDown) throw Object.assign(new Error('down'), { code: 'ECONNREFUSED' });
      const { head } = this;
      this.head = this.nextHeads.shift() ?? this.head;
      const data = this.answer(JSON.parse(String(init.body)) as Asked);
      this.head = head;
      const text = JSON.stringify({ data: this.spoil({ chainIdentifier: this.network, ...data }) });
      return replyOf(200, text);
    },
  });

  checkpoint(height: number): Json {
    return {
      sequenceNumber: height,
      digest: digestOf(`checkpoint ${height}`),
      previousCheckpointDigest: height === 0 ? null : digestOf(`checkpoint ${height - 1}`),
      timestamp: new Date(height * 1_000).toISOString(),
    };
  }

  private answer({ query, variables }: Asked): Json {
    const data: Json = {};
    if (query.includes(' checkpoint {')) data['checkpoint'] = this.checkpoint(this.head);
    if (query.includes('serviceConfig'))
      data['serviceConfig'] = { availableRange: { first: { sequenceNumber: this.first } } };
    const heights = variables['heights'] as number[] | undefined;
    if (heights)
      data['multiGetCheckpoints'] = heights.map((it) => (it < this.first ? null : this.checkpoint(it)));
    const above = (variables['above'] as number | undefined) ?? -1;
    for (const [name, type] of Object.entries(variables))
      if (/^t\d$/.test(name)) data[`e${name.slice(1)}`] = this.page(String(type), above, 0);
    if (typeof variables['type'] === 'string' && query.includes('events('))
      data['events'] = this.page(variables['type'], above, Number(variables['cursor'] ?? 0));
    const digests = variables['digests'] as string[] | undefined;
    if (digests) data['multiGetTransactions'] = digests.map((it) => this.transactions.get(it) ?? null);
    if (query.includes('objects('))
      data['address'] = { objects: { nodes: this.coins, pageInfo: { hasNextPage: false, endCursor: null } } };
    return data;
  }

  private page(type: string, above: number, from: number): Json {
    const events = this.events.filter(
      (it) => it.type === type && it.height > above && it.height <= this.head,
    );
    const hasNextPage = events.length > from + this.pageSize;
    return {
      nodes: events.slice(from, from + this.pageSize).map((it) => this.eventNode(it)),
      pageInfo: { hasNextPage, endCursor: String(from + this.pageSize) },
    };
  }

  private eventNode({ height, type, bcs, txHash }: ScriptedEvent): Json {
    const effects = { status: 'SUCCESS', checkpoint: this.checkpoint(height) };
    return {
      sequenceNumber: 0,
      contents: { type: { repr: type }, bcs },
      transaction: { digest: txHash, effects },
    };
  }
}

export function replyOf(status: number, text: string) {
  return {
    status,
    headers: { get: () => null },
    body: (async function* () {
      yield Buffer.from(text);
    })(),
  };
}

/** Returns a transaction in the format of `multiGetTransactions`. */
export function transactionJson(
  node: ScriptedNode,
  digest: string,
  changes: { height?: number; sender?: string; status?: string; effects?: Json } = {},
): Json {
  const { height = 50, sender = account('payer'), status = 'SUCCESS', effects = {} } = changes;
  const pageInfo = { hasNextPage: false, endCursor: null };
  return {
    digest,
    sender: { address: sender },
    effects: {
      status,
      checkpoint: node.checkpoint(height),
      events: { nodes: [], pageInfo },
      balanceChanges: { nodes: [], pageInfo },
      ...effects,
    },
  };
}

export const balanceChange = (owner: string, coinType: string, amount: string): Json => ({
  owner: { address: owner },
  coinType: { repr: coinType },
  amount,
});
