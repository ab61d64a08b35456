import { Address, beginCell, Dictionary, storeTransaction, type Cell, type Transaction } from '@ton/core';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TonAccountReader, type AccountTransaction } from './account-reader';
import { isProcessed } from './highload-wallet';
import { jettonWalletOf } from './jettons';

type Answer = (method: string, params: any) => unknown;

let server: Server;
let answer: Answer;
let requests: { method: string; params: any }[];
let reader: TonAccountReader;

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, params } = JSON.parse(Buffer.concat(chunks).toString());
      requests.push({ method, params });
      const reply: any = answer(method, params);
      // This request never receives a reply.
      if (reply === undefined) return;
      const { status = 200, text } = reply;
      response.writeHead(status, { 'content-type': 'application/json' }).end(text ?? JSON.stringify(reply));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  requests = [];
  reader = readerWith(30_000);
});

function readerWith(timeoutMs: number): TonAccountReader {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v2/jsonRPC`;
  return new TonAccountReader({ url, timeoutMs });
}

const account = new Address(0, Buffer.alloc(32, 0xab));
const raw = account.toRawString();
const ok = (result: unknown) => ({ ok: true, result });

/** A chain of this number of transactions, oldest first. */
function chainOf(length: number, of = account): { lt: bigint; cell: Cell }[] {
  const chain: { lt: bigint; cell: Cell }[] = [];
  for (let count = 1; count <= length; count++) {
    const before = chain.at(-1);
    const lt = BigInt(count) * 1_000_000n;
    const transaction = {
      address: BigInt(`0x${of.hash.toString('hex')}`),
      lt,
      now: 1_800_000_000 + count,
      prevTransactionHash: BigInt(`0x${before ? before.cell.hash().toString('hex') : '0'}`),
      prevTransactionLt: before?.lt ?? 0n,
      outMessagesCount: 0,
      oldStatus: 'active',
      endStatus: 'active',
      outMessages: Dictionary.empty(),
      totalFees: { coins: 0n },
      stateUpdate: { oldHash: Buffer.alloc(32), newHash: Buffer.alloc(32) },
      description: { type: 'storage', storagePhase: { storageFeesCollected: 0n, statusChange: 'unchanged' } },
    } as unknown as Transaction;
    chain.push({ lt, cell: beginCell().store(storeTransaction(transaction)).endCell() });
  }
  return chain;
}

/** Lists transactions like toncenter: from the newest, or from the requested one. */
function listing(chain: { lt: bigint; cell: Cell }[]): Answer {
  return (_method, { lt, hash, limit }) => {
    const newestFirst = [...chain].reverse();
    const start = lt === undefined ? 0 : newestFirst.findIndex((it) => it.lt === BigInt(lt));
    if (lt !== undefined) expect(newestFirst[start]!.cell.hash().toString('hex')).toBe(hash);
    const page = newestFirst.slice(start, start + limit);
    return ok(page.map(({ cell }) => ({ data: cell.toBoc().toString('base64') })));
  };
}
const ltsAfter = async (afterLt: bigint, limit: number) => {
  const { transactions, hasMore } = await reader.getTransactions(raw, afterLt, limit);
  return { lts: transactions.map(({ lt }) => Number(lt / 1_000_000n)), hasMore };
};
const failure = async (asked: Promise<unknown>): Promise<string> => {
  const error: any = await asked.catch((thrown: unknown) => thrown);
  return `${error.name} ${error.kind}`;
};
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('TonAccountReader transactions', () => {
  const chain = chainOf(75);
  beforeEach(() => void (answer = listing(chain)));

  it('returns all transactions, oldest first, across pages', async () => {
    expect(await ltsAfter(0n, 1_000)).toEqual({ lts: range(1, 75), hasMore: false });
    expect(requests.map(({ params }) => params.archival)).toEqual([undefined, true, true]);
  });

  it('returns the transactions after a logical time without requesting older ones', async () => {
    expect(await ltsAfter(70_000_000n, 1_000)).toEqual({ lts: range(71, 75), hasMore: false });
    // A time between two transactions works too.
    expect(await ltsAfter(70_000_001n, 1_000)).toEqual({ lts: range(71, 75), hasMore: false });
    expect(await ltsAfter(75_000_000n, 1_000)).toEqual({ lts: [], hasMore: false });
    expect(requests).toHaveLength(3);
  });

  it('returns the oldest first when there are more than the limit', async () => {
    for (const limit of [1, 2, 31, 40, 74])
      expect(await ltsAfter(0n, limit)).toEqual({ lts: range(1, limit), hasMore: true });
    expect(await ltsAfter(0n, 75)).toEqual({ lts: range(1, 75), hasMore: false });
    expect(await ltsAfter(60_000_000n, 3)).toEqual({ lts: [61, 62, 63], hasMore: true });
    for (let after = 60; after < 74; after++)
      expect(await ltsAfter(BigInt(after) * 1_000_000n, 1)).toEqual({ lts: [after + 1], hasMore: true });
  });

  it('continues with transactions that are older than a given one', async () => {
    const lts: number[] = [];
    let middle: AccountTransaction | undefined;
    for await (const transaction of reader.newestFirst(raw)) {
      middle = transaction;
      if (transaction.lt === 40_000_000n) break;
    }
    for await (const { lt } of reader.newestFirst(raw, middle)) lts.push(Number(lt / 1_000_000n));
    expect(lts).toEqual(range(1, 39).reverse());
    requests = [];
    for await (const oldest of reader.newestFirst(raw, middle)) middle = oldest;
    const before = requests.length;
    for await (const older of reader.newestFirst(raw, middle))
      throw new Error(`older than the oldest: ${older.lt}`);
    expect(requests).toHaveLength(before);
  });

  it('requires a limit of at least one', async () => {
    await expect(reader.getTransactions(raw, 0n, 0)).rejects.toThrow(RangeError);
  });

  it('returns an empty list for an unused account and for a lagging node', async () => {
    answer = () => ok([]);
    expect(await ltsAfter(0n, 10)).toEqual({ lts: [], hasMore: false });
    answer = listing(chain.slice(0, 10));
    expect(await ltsAfter(50_000_000n, 10)).toEqual({ lts: [], hasMore: false });
  });

  it('requests smaller pages from a node that rejects larger ones with an unknown message', async () => {
    const list = listing(chain);
    answer = (method, params) =>
      params.limit > 3 ? { status: 422, ok: false, error: 'not like this' } : list(method, params);
    let found: unknown;
    for (let tries = 0; tries < 8 && !found; tries++)
      found = await ltsAfter(0n, 1_000).catch(() => undefined);
    expect(found).toEqual({ lts: range(1, 75), hasMore: false });
  });

  it.each<[string, Answer]>([
    ['one is missing within a page', listing(chain.filter((_, index) => index !== 70))],
    ['one is missing between pages', listing(chain.filter((_, index) => index !== 42))],
    ['the oldest are missing', listing(chain.slice(5))],
    ['one is repeated', listing([...chain.slice(0, 71), chain[70]!, ...chain.slice(71)])],
    ['the transactions are of another account', listing(chainOf(3, new Address(0, Buffer.alloc(32, 1))))],
    ['the result is not a list', () => ok({ transactions: [] })],
    ['an entry is not an object', () => ok(['te6cck'])],
    ['an entry is not a cell', () => ok([{ data: 'AAAA' }])],
    [
      'an entry is a cell, but no transaction',
      () => ok([{ data: beginCell().endCell().toBoc().toString('base64') }]),
    ],
    ['there are more entries than requested', () => ok(Array(33).fill({ data: 'AAAA' }))],
  ])('rejects a list where %s', async (_name, reply) => {
    let asked = 0;
    // The page after the last one is empty, because the listing cannot find its start.
    answer = (method, params) => {
      if (++asked > 10) throw new Error('The reader requests pages for ever.');
      try {
        return reply(method, params);
      } catch {
        return ok([]);
      }
    };
    expect(await failure(reader.getTransactions(raw, 0n, 1_000))).toBe('ProviderError badReply');
  });
});

describe('TonAccountReader.sendBoc', () => {
  const send = () => reader.sendBoc(Buffer.from('b5ee9c72', 'hex'));

  it('posts the message unchanged', async () => {
    answer = () => ok({ '@type': 'ok' });
    await send();
    expect(requests).toEqual([{ method: 'sendBoc', params: { boc: 'te6ccg==' } }]);
  });

  it.each<[string, unknown, string]>([
    [
      'was rejected by the account',
      {
        ok: false,
        code: 500,
        status: 500,
        error:
          'LITE_SERVER_UNKNOWN: cannot apply external message to current state : External message was not accepted',
      },
      'rejected',
    ],
    ['was rejected as malformed', { status: 422, ok: false, error: 'boc: is none', code: 422 }, 'rejected'],
    [
      'met an overloaded node',
      { status: 500, ok: false, error: 'LITE_SERVER_NETWORK: timeout' },
      'unknownOutcome',
    ],
    ['got the error page of a proxy', { status: 502, text: '<html>' }, 'unknownOutcome'],
    ['got a reply without a result object', { text: 'ok' }, 'unknownOutcome'],
    ['got a reply without a result', { ok: true }, 'unknownOutcome'],
    ['exceeded the rate limit', { status: 429, ok: false, error: 'Ratelimit exceed' }, 'rateLimited'],
    ['got no reply', undefined, 'unknownOutcome'],
  ])('fails with the right kind for a message that %s', async (_name, reply, kind) => {
    answer = () => reply;
    if (reply === undefined) reader = readerWith(500);
    expect(await failure(send())).toBe(`ProviderError ${kind}`);
  });

  it('stays available for reading and sending after rejected messages', async () => {
    const error = 'LITE_SERVER_UNKNOWN: cannot apply external message to current state';
    answer = (method) => (method === 'sendBoc' ? { status: 500, ok: false, error } : ok('7'));
    for (let count = 0; count < 12; count++) await send().catch(() => undefined);
    expect(await reader.getBalance(raw)).toBe(7n);
    expect(await failure(send())).toBe('ProviderError rejected');
  });

  it('fails as unavailable when no node is reachable, because nothing was sent', async () => {
    reader = new TonAccountReader({ url: 'http://127.0.0.1:1/' });
    expect(await failure(send())).toBe('ProviderError unavailable');
  });

  it('hides the API key in its errors', async () => {
    const key = 'c0ffee'.repeat(8);
    reader = new TonAccountReader({ url: 'http://127.0.0.1:1/', apiKey: key });
    const error: any = await send().catch((thrown: unknown) => thrown);
    expect(JSON.stringify({ ...error, message: error.message, stack: error.stack })).not.toContain(key);
  });
});

describe('TonAccountReader', () => {
  it('returns a balance in nanotons', async () => {
    answer = () => ok('5000000000000000001');
    expect(await reader.getBalance(raw)).toBe(5_000_000_000_000_000_001n);
  });

  it.each(['', '-1', '1.5', '0x10', 7, null, '1'.repeat(40)])('rejects the balance %p', async (result) => {
    answer = () => ok(result);
    expect(await failure(reader.getBalance(raw))).toBe('ProviderError badReply');
  });

  it('returns the state of an account, identified by its last transaction', async () => {
    const last = { '@type': 'internal.transactionId', lt: '12000000', hash: 'q8w=' };
    answer = () => ok({ balance: '1', last_transaction_id: last });
    expect(await reader.stateOf(raw)).toBe('12000000:q8w=');
    expect(requests).toEqual([{ method: 'getAddressInformation', params: { address: raw } }]);
  });

  it.each([
    [undefined],
    [{ lt: '1' }],
    [{ lt: 1, hash: 'q8w=' }],
    [{ lt: '-1', hash: 'q8w=' }],
    [{ lt: '1', hash: 'a'.repeat(65) }],
  ])('rejects the state %j', async (last) => {
    answer = () => ok({ balance: '1', last_transaction_id: last });
    expect(await failure(reader.stateOf(raw))).toBe('ProviderError badReply');
  });

  it('returns numbers and cells of a get method', async () => {
    const cell = beginCell().storeAddress(account).endCell();
    const entry = { bytes: cell.toBoc().toString('base64') };
    answer = () =>
      ok({
        exit_code: 1,
        stack: [
          ['num', '0x1f'],
          ['num', '-0x2'],
          ['cell', entry],
          ['list', { elements: [] }],
        ],
      });
    const { exitCode, stack } = await reader.runGetMethod(raw, 'get', [7n, -1n, { slice: cell }]);
    expect(exitCode).toBe(0);
    expect(stack.slice(0, 2)).toEqual([31n, -2n]);
    expect((stack[2] as Cell).hash()).toEqual(cell.hash());
    expect(stack[3]).toBeUndefined();
    expect(requests[0]!.params.stack).toEqual([
      ['num', '7'],
      ['num', '-1'],
      ['tvm.Slice', entry.bytes],
    ]);
  });

  it('returns a failed exit code without throwing', async () => {
    answer = () => ok({ exit_code: -13, stack: [] });
    expect(await reader.runGetMethod(raw, 'get')).toEqual({ exitCode: -13, stack: [] });
    expect(await isProcessed(reader, raw, 5)).toBe(false);
  });

  it.each<[string, unknown]>([
    ['without an exit code', { stack: [] }],
    ['without a stack', { exit_code: 0 }],
    ['with an invalid number', { exit_code: 0, stack: [['num', 'ten']] }],
    ['with a number that is too long', { exit_code: 0, stack: [['num', `0x${'f'.repeat(65)}`]] }],
    ['with an invalid cell', { exit_code: 0, stack: [['cell', { bytes: 'AAAA' }]] }],
    ['with a cell without bytes', { exit_code: 0, stack: [['cell', null]] }],
    ['with too many stack entries', { exit_code: 0, stack: Array(65).fill(['num', '0x1']) }],
  ])('rejects a result of a get method %s', async (_name, result) => {
    answer = () => ok(result);
    expect(await failure(reader.runGetMethod(raw, 'get'))).toBe('ProviderError badReply');
  });

  it('rejects other stack types instead of a jetton wallet or a query id', async () => {
    answer = () => ok({ exit_code: 0, stack: [['list', { elements: [] }]] });
    expect(await failure(jettonWalletOf(reader, { master: raw, owner: raw }))).toBe('ProviderError badReply');
    expect(await failure(isProcessed(reader, raw, 5))).toBe('ProviderError badReply');
    answer = () => ok({ exit_code: 9, stack: [] });
    expect(await failure(isProcessed(reader, raw, 5))).toBe('ProviderError badReply');
  });
});
