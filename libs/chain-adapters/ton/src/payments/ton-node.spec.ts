import { startHttpServer, type HttpServer } from '@tollbridge/testing';
import { parseNodeUrl } from './node-url';
import { TonNode } from './ton-node';

const base64 = Buffer.alloc(32, 7).toString('base64');
const account = `0:${'ab'.repeat(32)}`;
const header = {
  id: { workchain: -1, shard: '-9223372036854775808', seqno: 9, root_hash: base64 },
  global_id: -239,
  gen_utime: 1_800_000_000,
  prev_blocks: [{ root_hash: base64 }],
};
const results: Record<string, unknown> = {
  getMasterchainInfo: { last: { seqno: 9 } },
  getBlockHeader: header,
  getAddressInformation: { last_transaction_id: { lt: '5', hash: base64 } },
  getAddressBalance: '12',
  getTransactions: [{ data: 'AAAA' }],
};
const indexed: Record<string, unknown> = {
  '/api/v3/masterchainInfo': { last: { seqno: 8, global_id: -239 } },
  '/api/v3/blocks': { blocks: [{ seqno: 7 }] },
  '/api/v3/transactions': { transactions: [] },
  '/api/v3/traces': { traces: [] },
};

let server: HttpServer;
let node: TonNode;
let changes: Record<string, unknown>;
let statuses: Record<string, number>;
beforeEach(async () => {
  changes = {};
  statuses = {};
  server = await startHttpServer(({ path, body }) => {
    const method = body === '' ? undefined : (JSON.parse(body) as { method: string }).method;
    const key = method ?? path;
    const reply = key in changes ? changes[key] : (results[key] ?? indexed[key]);
    return { status: statuses[key] ?? 200, body: method === undefined ? reply : { ok: true, result: reply } };
  });
  node = new TonNode(parseNodeUrl(`${server.url}/api/v2/jsonRPC`, 1), -239);
});
afterEach(() => server.close());

describe('TonNode', () => {
  it('returns the newest block that both node and index have', async () => {
    expect(await node.head()).toBe(8);
  });

  it('returns a block of the masterchain', async () => {
    expect(await node.block(9)).toEqual({
      height: 9,
      hash: '07'.repeat(32),
      parentHash: '07'.repeat(32),
      timeMs: 1_800_000_000_000,
    });
  });

  it('verifies the network of node and index before its first request, and repeats this only after five minutes', async () => {
    const clock = { nowMs: 0, now: () => clock.nowMs };
    const verifying = new TonNode(parseNodeUrl(`${server.url}/api/v2/jsonRPC`, 1), -239, clock);
    await verifying.balance(account);
    changes['/api/v3/masterchainInfo'] = { last: { seqno: 8, global_id: -3 } };
    await verifying.balance(account);
    clock.nowMs = 300_000;
    await expect(verifying.balance(account)).rejects.toThrow('serves the network -3, not -239');
  });

  it.each([
    ['a node of another network', 'getBlockHeader', { ...header, global_id: -3 }],
    ['an index of another network', '/api/v3/masterchainInfo', { last: { seqno: 8, global_id: -3 } }],
    ['an index without a network', '/api/v3/masterchainInfo', { last: { seqno: 8 } }],
  ])('never uses %s', async (_name, key, reply) => {
    changes[key] = reply;
    await expect(node.balance(account)).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(node.trace('66'.repeat(32))).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it.each<[string, string, unknown, () => Promise<unknown>]>([
    ['no block', 'getMasterchainInfo', {}, () => node.head()],
    ['a block as a string', 'getMasterchainInfo', { last: { seqno: '9' } }, () => node.head()],
    ['a huge block', 'getMasterchainInfo', { last: { seqno: 2 ** 40 } }, () => node.head()],
    ['another block', 'getBlockHeader', { ...header, id: { ...header.id, seqno: 8 } }, () => node.block(9)],
    [
      'a block of a shard',
      'getBlockHeader',
      { ...header, id: { ...header.id, workchain: 0 } },
      () => node.block(9),
    ],
    ['a block without time', 'getBlockHeader', { ...header, gen_utime: null }, () => node.block(9)],
    [
      'a block without hash',
      'getBlockHeader',
      { ...header, id: { workchain: -1, seqno: 9 } },
      () => node.block(9),
    ],
    ['an account as a string', 'getAddressInformation', 'x', () => node.lastTransaction(account, 9)],
    ['an account without transaction', 'getAddressInformation', {}, () => node.lastTransaction(account, 9)],
    ['a balance with a sign', 'getAddressBalance', '-1', () => node.balance(account)],
    ['a balance as a number', 'getAddressBalance', 1, () => node.balance(account)],
    ['cut cells', 'getTransactions', [{ data: 'te6cck' }], () => node.chain(account, place, 1)],
    ['no cells', 'getTransactions', [{}], () => node.chain(account, place, 1)],
    ['no transactions', 'getTransactions', [], () => node.chain(account, place, 1)],
    ['a string instead of transactions', 'getTransactions', 'x', () => node.chain(account, place, 1)],
    ['no list of blocks', '/api/v3/blocks', {}, () => node.blockAt(5)],
    ['no list of traces', '/api/v3/traces', { traces: null }, () => node.trace('66'.repeat(32))],
    ['a list instead of an object', '/api/v3/transactions', [], () => node.transactions(query)],
    [
      'a stack as a string',
      'runGetMethod',
      { exit_code: 0, stack: 'x' },
      () => node.runGetMethod(account, 'a'),
    ],
  ])('rejects a reply with %s', async (_name, key, reply, ask) => {
    await node.balance(account);
    changes[key] = reply;
    await expect(ask()).rejects.toMatchObject({ name: 'ProviderError', kind: 'badReply' });
  });

  it.each([401, 403, 404])('allows a retry at another node after status %s', async (status) => {
    await node.balance(account);
    statuses['/api/v3/transactions'] = status;
    await expect(node.transactions(query)).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('returns undefined for a trace when the index answers 404', async () => {
    await node.balance(account);
    statuses['/api/v3/traces'] = 404;
    expect(await node.trace('66'.repeat(32))).toBeUndefined();
  });

  it('treats a trace that is too long as incomplete, because a third party can cause it', async () => {
    await node.balance(account);
    changes['/api/v3/traces'] = { traces: [], filler: 'x'.repeat(8 * 1024 * 1024) };
    expect(await node.trace('66'.repeat(32))).toMatchObject({ isComplete: false, transactions: [] });
  });

  it('returns undefined for the last transaction of an unused account', async () => {
    const hash = Buffer.alloc(32).toString('base64');
    changes['getAddressInformation'] = { last_transaction_id: { lt: '0', hash } };
    expect(await node.lastTransaction(account, 9)).toBeUndefined();
  });
});

const place = { lt: 5n, hash: '07'.repeat(32) };
const query = { account, sort: 'asc' as const, limit: 5 };
