import { Address, beginCell, Dictionary, storeTransaction, type Cell, type Transaction } from '@ton/core';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TonAccountReader } from './account-reader';
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
      // Left without an answer.
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
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v2/jsonRPC`;
  reader = new TonAccountReader({ url, timeoutMs: 500 });
});

const account = new Address(0, Buffer.alloc(32, 0xab));
const raw = account.toRawString();
const ok = (result: unknown) => ({ ok: true, result });

/** A chain of so many transactions, oldest first. */
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

/** As toncenter lists them: from the newest, or from the one that is named. */
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

describe('the transactions of an account', () => {
  const chain = chainOf(75);
  beforeEach(() => void (answer = listing(chain)));

  it('come all, oldest first, over as many pages as there are', async () => {
    expect(await ltsAfter(0n, 1_000)).toEqual({ lts: range(1, 75), hasMore: false });
    expect(requests.map(({ params }) => params.archival)).toEqual([undefined, true, true]);
  });

  it('come from a logical time on, without asking for more than that', async () => {
    expect(await ltsAfter(70_000_000n, 1_000)).toEqual({ lts: range(71, 75), hasMore: false });
    // Between two of them is as good.
    expect(await ltsAfter(70_000_001n, 1_000)).toEqual({ lts: range(71, 75), hasMore: false });
    expect(await ltsAfter(75_000_000n, 1_000)).toEqual({ lts: [], hasMore: false });
    expect(requests).toHaveLength(3);
  });

  it('come the oldest first, where more are there than are wanted', async () => {
    for (const limit of [1, 2, 31, 40, 74])
      expect(await ltsAfter(0n, limit)).toEqual({ lts: range(1, limit), hasMore: true });
    expect(await ltsAfter(0n, 75)).toEqual({ lts: range(1, 75), hasMore: false });
    expect(await ltsAfter(60_000_000n, 3)).toEqual({ lts: [61, 62, 63], hasMore: true });
    for (let after = 60; after < 74; after++)
      expect(await ltsAfter(BigInt(after) * 1_000_000n, 1)).toEqual({ lts: [after + 1], hasMore: true });
  });

  it('are at least one', async () => {
    await expect(reader.getTransactions(raw, 0n, 0)).rejects.toThrow(RangeError);
  });

  it('are none for an account that was never used, and for a node that is behind', async () => {
    answer = () => ok([]);
    expect(await ltsAfter(0n, 10)).toEqual({ lts: [], hasMore: false });
    answer = listing(chain.slice(0, 10));
    expect(await ltsAfter(50_000_000n, 10)).toEqual({ lts: [], hasMore: false });
  });

  it.each<[string, Answer]>([
    ['one is left out within a page', listing(chain.filter((_, index) => index !== 70))],
    ['one is left out between pages', listing(chain.filter((_, index) => index !== 42))],
    ['the oldest are left out', listing(chain.slice(5))],
    ['one comes twice', listing([...chain.slice(0, 71), chain[70]!, ...chain.slice(71)])],
    ['they are of another account', listing(chainOf(3, new Address(0, Buffer.alloc(32, 1))))],
    ['they are no list', () => ok({ transactions: [] })],
    ['one is no object', () => ok(['te6cck'])],
    ['one is no cell', () => ok([{ data: 'AAAA' }])],
    [
      'one is a cell, but no transaction',
      () => ok([{ data: beginCell().endCell().toBoc().toString('base64') }]),
    ],
    ['there are more than were asked for', () => ok(Array(33).fill({ data: 'AAAA' }))],
  ])('are not believed where %s', async (_name, reply) => {
    let asked = 0;
    // The page after the last, where the listing fails to find it, is empty.
    answer = (method, params) => {
      if (++asked > 10) throw new Error('it asks for ever');
      try {
        return reply(method, params);
      } catch {
        return ok([]);
      }
    };
    expect(await failure(reader.getTransactions(raw, 0n, 1_000))).toBe('ProviderError badReply');
  });
});

describe('a message', () => {
  const send = () => reader.sendBoc(Buffer.from('b5ee9c72', 'hex'));

  it('is handed in as it is', async () => {
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
    ['met a gateway', { status: 502, text: '<html>' }, 'unknownOutcome'],
    ['met a node that answers something else', { text: 'ok' }, 'unknownOutcome'],
    ['was answered without a result', { ok: true }, 'unknownOutcome'],
    ['came too often', { status: 429, ok: false, error: 'Ratelimit exceed' }, 'rateLimited'],
    ['was never answered', undefined, 'unknownOutcome'],
  ])('that %s fails as what is known of it', async (_name, reply, kind) => {
    answer = () => reply;
    expect(await failure(send())).toBe(`ProviderError ${kind}`);
  });

  it('that is rejected, however often, stops neither the reading nor the sending', async () => {
    const error = 'LITE_SERVER_UNKNOWN: cannot apply external message to current state';
    answer = (method) => (method === 'sendBoc' ? { status: 500, ok: false, error } : ok('7'));
    for (let count = 0; count < 12; count++) await send().catch(() => undefined);
    expect(await reader.getBalance(raw)).toBe(7n);
    expect(await failure(send())).toBe('ProviderError rejected');
  });

  it('that reached nobody is unavailable: nothing was sent', async () => {
    reader = new TonAccountReader({ url: 'http://127.0.0.1:1/' });
    expect(await failure(send())).toBe('ProviderError unavailable');
  });

  it('says nothing of the key in its failure', async () => {
    const key = 'c0ffee'.repeat(8);
    reader = new TonAccountReader({ url: 'http://127.0.0.1:1/', apiKey: key });
    const error: any = await send().catch((thrown: unknown) => thrown);
    expect(JSON.stringify({ ...error, message: error.message, stack: error.stack })).not.toContain(key);
  });
});

describe('what else is read', () => {
  it('a balance, in nanotons', async () => {
    answer = () => ok('5000000000000000001');
    expect(await reader.getBalance(raw)).toBe(5_000_000_000_000_000_001n);
  });

  it.each(['', '-1', '1.5', '0x10', 7, null, '1'.repeat(40)])('no balance of %p', async (result) => {
    answer = () => ok(result);
    expect(await failure(reader.getBalance(raw))).toBe('ProviderError badReply');
  });

  it('the state of an account, by its last transaction', async () => {
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
  ])('no state of %j', async (last) => {
    answer = () => ok({ balance: '1', last_transaction_id: last });
    expect(await failure(reader.stateOf(raw))).toBe('ProviderError badReply');
  });

  it('numbers and cells of a get method', async () => {
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

  it('an exit code, which is an answer', async () => {
    answer = () => ok({ exit_code: -13, stack: [] });
    expect(await reader.runGetMethod(raw, 'get')).toEqual({ exitCode: -13, stack: [] });
    expect(await isProcessed(reader, raw, 5)).toBe(false);
  });

  it.each<[string, unknown]>([
    ['without an exit code', { stack: [] }],
    ['without a stack', { exit_code: 0 }],
    ['with a number that is none', { exit_code: 0, stack: [['num', 'ten']] }],
    ['with a number that is too long', { exit_code: 0, stack: [['num', `0x${'f'.repeat(65)}`]] }],
    ['with a cell that is none', { exit_code: 0, stack: [['cell', { bytes: 'AAAA' }]] }],
    ['with a cell without bytes', { exit_code: 0, stack: [['cell', null]] }],
    ['with too much on the stack', { exit_code: 0, stack: Array(65).fill(['num', '0x1']) }],
  ])('no result of a get method %s', async (_name, result) => {
    answer = () => ok(result);
    expect(await failure(reader.runGetMethod(raw, 'get'))).toBe('ProviderError badReply');
  });

  it('no jetton wallet, and no query id, where the stack holds something else', async () => {
    answer = () => ok({ exit_code: 0, stack: [['list', { elements: [] }]] });
    expect(await failure(jettonWalletOf(reader, { master: raw, owner: raw }))).toBe('ProviderError badReply');
    expect(await failure(isProcessed(reader, raw, 5))).toBe('ProviderError badReply');
    answer = () => ok({ exit_code: 9, stack: [] });
    expect(await failure(isProcessed(reader, raw, 5))).toBe('ProviderError badReply');
  });
});
