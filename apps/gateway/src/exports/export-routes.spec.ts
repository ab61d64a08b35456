import type { TransactionRecord } from '@tollbridge/contracts';
import { DomainError, walletPrincipal, type BusClient, type CallContext } from '@tollbridge/rpc';
import { eventually } from '@tollbridge/testing';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SampleFront } from '../testing/sample-front';
import { addExportRoutes } from './export-routes';

const path = '/api/transactions/export';
const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

const record = (index: number): TransactionRecord => ({
  id: `0198f3a2-7c5e-7d41-9a55-${String(index).padStart(12, '0')}`,
  ...{ wallet_address: wallet, tx_type: 'payment', amount: '1000000', token: 'USDC', network: 'eip155:8453' },
  ...{
    status: 'completed',
    tx_hash: '0xa1',
    counterparty: null,
    description: 'x'.repeat(500),
    order_id: null,
  },
  ...{
    value_usd: '1',
    fee_amount: '0',
    late: false,
    confirmed_by: 'chain',
    created_at: 'a',
    updated_at: 'b',
  },
});

interface Asked {
  input: Record<string, unknown>;
  context: CallContext;
}

/** A gateway in front of a merchant of so many records. */
class Front extends SampleFront {
  readonly asked: Asked[] = [];
  beforePage: (page: number) => void | Promise<void> = () => undefined;

  constructor(records: number, maxRows?: number) {
    super();
    this.admit = (_operation, request) => void (request.call.principal = walletPrincipal(wallet));
    const call = async (_operation: unknown, input: Record<string, unknown>, context: CallContext) => {
      this.asked.push({ input, context });
      await this.beforePage(this.asked.length);
      const from = input['cursor'] === undefined ? 0 : Number(String(input['cursor']).slice(-12)) + 1;
      return { records: Array.from({ length: Math.min(500, records - from) }, (_, at) => record(from + at)) };
    };
    const bus = { call } as unknown as Pick<BusClient, 'call'>;
    addExportRoutes(this.server, bus, {
      ...{ admit: (...request) => this.admit(...request), retryMs: 1 },
      ...(maxRows !== undefined && { maxRows }),
    });
  }

  async url(): Promise<string> {
    await this.server.listen({ port: 0, host: '127.0.0.1' });
    return `http://127.0.0.1:${(this.server.server.address() as AddressInfo).port}`;
  }
}

let front: Front;
afterEach(async () => {
  front.server.server.closeAllConnections();
  await front.server.close();
});

const rowsOf = (text: string): string[] => text.split('\r\n').slice(1, -1);

it('answers all records, page by page, in the name of the wallet', async () => {
  front = new Front(1_203);
  const reply = await front.send('GET', `${path}?status=completed&network=base`);
  expect([reply.statusCode, reply.headers['content-type'], reply.headers['cache-control']]).toEqual([
    200,
    'text/csv; charset=utf-8',
    'no-store',
  ]);
  expect(reply.headers['content-disposition']).toBe('attachment; filename="transactions.csv"');
  const ids = rowsOf(reply.body).map((row) => row.split(',')[0]);
  expect(ids).toEqual(Array.from({ length: 1_203 }, (_, at) => record(at).id));
  const filters = { status: 'completed', network: 'base' };
  expect(front.asked.map(({ input }) => input)).toEqual([
    filters,
    ...[499, 999, 1_202].map((last) => ({ ...filters, cursor: record(last).id })),
  ]);
  expect(new Set(front.asked.map(({ context }) => context.principal))).toEqual(
    new Set([walletPrincipal(wallet)]),
  );
});

it('answers a header alone where there is nothing', async () => {
  front = new Front(0);
  const { body } = await front.send('GET', path);
  expect([body.startsWith('id,tx_type,'), rowsOf(body)]).toEqual([true, []]);
});

it('ends at the most rows that a file may have', async () => {
  front = new Front(2_000, 700);
  expect(rowsOf((await front.send('GET', path)).body)).toHaveLength(700);
});

it('answers failures as every route does, as long as nothing was sent', async () => {
  front = new Front(10);
  front.beforePage = () => {
    throw DomainError.invalid([{ field: 'network', message: 'is not a supported chain' }]);
  };
  const reply = await front.send('GET', `${path}?network=nowhere`);
  expect([reply.statusCode, reply.json()]).toMatchObject([400, { code: 'VALIDATION_ERROR' }]);
  expect((await front.send('GET', `${path}?status=a&status=b`)).statusCode).toBe(400);
  front.admit = () => {
    throw new DomainError('UNAUTHORIZED');
  };
  expect((await front.send('GET', path)).statusCode).toBe(401);
});

it('reads a page again when the service was away for a moment', async () => {
  front = new Front(1_203);
  let failures = 0;
  front.beforePage = (page) => {
    if (page === 2 && failures++ === 0) throw new DomainError('SERVICE_UNAVAILABLE');
  };
  expect(rowsOf((await front.send('GET', path)).body)).toHaveLength(1_203);
});

it('is cut off, and does not look whole, when it cannot be finished', async () => {
  front = new Front(1_203);
  front.beforePage = (page) => {
    if (page > 1) throw new DomainError('OUTCOME_UNKNOWN');
  };
  const reply = await fetch((await front.url()) + path);
  expect(reply.status).toBe(200);
  await expect(reply.text()).rejects.toThrow();
  expect(front.asked).toHaveLength(4);
});

it('waits for a caller who reads slowly, and stops for one who hangs up', async () => {
  front = new Front(1_000_000);
  const url = await front.url();
  const response = await new Promise<IncomingMessage>((resolve) => get(url + path, resolve));
  response.pause();
  let before = -1;
  await eventually(async () => {
    const now = front.asked.length;
    const isSame = now === before;
    before = now;
    await new Promise((wait) => setTimeout(wait, 100));
    expect(isSame).toBe(true);
  });
  // What the sockets hold, far from all.
  expect(front.asked.length).toBeLessThan(200);
  response.destroy();
  await new Promise((wait) => setTimeout(wait, 300));
  const after = front.asked.length;
  await new Promise((wait) => setTimeout(wait, 200));
  expect([front.asked.length - after, after - before]).toEqual([0, expect.any(Number)]);
  expect(after - before).toBeLessThanOrEqual(2);
});

/** Files that stand still at their first page, one for each of these callers. */
async function standing(
  callers: readonly string[],
): Promise<{ ask(as: string): Promise<Response>; goOn(): Promise<void> }> {
  front = new Front(1);
  front.admit = (_operation, { call, headers }) =>
    void (call.principal = walletPrincipal(String(headers['x-wallet'])));
  const open: (() => void)[] = [];
  front.beforePage = () => new Promise<void>((resolve) => open.push(resolve));
  const url = await front.url();
  const ask = (as: string) => fetch(url + path, { headers: { 'x-wallet': as } });
  const replies = callers.map((as) => ask(as).then((reply) => reply.text()));
  await eventually(() => expect(open).toHaveLength(callers.length));
  const goOn = async () => {
    front.beforePage = () => undefined;
    for (const go of open) go();
    await Promise.all(replies);
  };
  return { ask, goOn };
}

it('writes so many files at once and no more, and another when one is done', async () => {
  const { ask, goOn } = await standing(Array.from({ length: 16 }, (_, at) => `0x${at}`));
  expect((await ask('0xOther')).status).toBe(503);
  await goOn();
  await eventually(async () => expect((await ask('0xOther')).status).toBe(200));
});

it('writes two at once for one merchant, so that one does not take the places of all', async () => {
  const { ask, goOn } = await standing(['0xA', '0xA']);
  expect((await ask('0xA')).status).toBe(503);
  front.beforePage = () => undefined;
  expect((await ask('0xB')).status).toBe(200);
  await goOn();
});

it('has room again for those who have hung up while they were let in', async () => {
  front = new Front(1);
  const leaving = Array.from({ length: 40 }, () => new AbortController());
  front.admit = async (_operation, { call, headers }) => {
    const as = String(headers['x-wallet']);
    call.principal = walletPrincipal(as);
    leaving[Number(as)]?.abort();
    await new Promise((resolve) => setTimeout(resolve, 20));
  };
  const url = await front.url();
  const ask = async (as: string, signal?: AbortSignal): Promise<number> => {
    const reply = await fetch(url + path, { headers: { 'x-wallet': as }, ...(signal && { signal }) });
    await reply.text();
    return reply.status;
  };
  const replies = leaving.map(({ signal }, at) => ask(String(at), signal).catch(() => 'left'));
  expect(new Set(await Promise.all(replies))).toEqual(new Set(['left']));
  await eventually(async () => expect(await ask('who stays')).toBe(200), { timeoutMs: 2_000 });
});

it('answers no HEAD: nobody would take what is read', async () => {
  front = new Front(5_000);
  expect((await front.send('HEAD', path)).statusCode).toBe(405);
  expect(front.asked).toEqual([]);
});
