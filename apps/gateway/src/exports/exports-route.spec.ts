import { DomainError, walletPrincipal, type CallContext } from '@tollbridge/rpc';
import { eventually } from '@tollbridge/testing';
import { get, type IncomingMessage } from 'node:http';
import { GatewayHarness } from '../testing/gateway-harness';
import { ExportOptions, ExportsRoute } from './exports-route';
import { exportRoutes } from './exports.routes';
import { aTransactionRecord } from './testing/transaction-record.builder';

const path = '/api/transactions/export';
const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

const record = (index: number) =>
  aTransactionRecord({
    id: `0198f3a2-7c5e-7d41-9a55-${String(index).padStart(12, '0')}`,
    description: 'x'.repeat(500),
  });

interface Asked {
  input: Record<string, unknown>;
  context: CallContext;
}

let harness: GatewayHarness;
let asked: Asked[];
let beforePage: (page: number) => void | Promise<void>;

/** Starts a gateway with a fake merchant app that has this number of records. */
async function open(records: number, maxRows = 1_000_000): Promise<void> {
  asked = [];
  beforePage = () => undefined;
  const call = async (_operation: unknown, input: Record<string, unknown>, context: CallContext) => {
    asked.push({ input, context });
    await beforePage(asked.length);
    const from = input['cursor'] === undefined ? 0 : Number(String(input['cursor']).slice(-12)) + 1;
    return { records: Array.from({ length: Math.min(500, records - from) }, (_, at) => record(from + at)) };
  };
  harness = await GatewayHarness.open({
    providers: [{ provide: ExportOptions, useValue: { maxRows, retryMs: 1 } }, ExportsRoute],
    routes: exportRoutes,
    call,
  });
  harness.admit = (_rule, request) => void (request.call.principal = walletPrincipal(wallet));
}

const listen = async (): Promise<string> => `http://127.0.0.1:${await harness.listen()}`;

afterEach(async () => {
  harness.server.server.closeAllConnections();
  await harness.close();
});

const rowsOf = (text: string): string[] => text.split('\r\n').slice(1, -1);

it('streams all records page by page with the wallet as the principal', async () => {
  await open(1_203);
  const reply = await harness.send('GET', `${path}?status=completed&network=base`);
  expect([reply.statusCode, reply.headers['content-type'], reply.headers['cache-control']]).toEqual([
    200,
    'text/csv; charset=utf-8',
    'no-store',
  ]);
  expect(reply.headers['content-disposition']).toBe('attachment; filename="transactions.csv"');
  const ids = rowsOf(reply.body).map((row) => row.split(',')[0]);
  expect(ids).toEqual(Array.from({ length: 1_203 }, (_, at) => record(at).id));
  const filters = { status: 'completed', network: 'base' };
  expect(asked.map(({ input }) => input)).toEqual([
    filters,
    ...[499, 999, 1_202].map((last) => ({ ...filters, cursor: record(last).id })),
  ]);
  expect(new Set(asked.map(({ context }) => context.principal))).toEqual(new Set([walletPrincipal(wallet)]));
});

it('returns only a byte order mark and the header for an empty list', async () => {
  await open(0);
  const { body } = await harness.send('GET', path);
  expect([body.startsWith('\uFEFFid,tx_type,'), rowsOf(body)]).toEqual([true, []]);
});

it('stops at the maximum number of rows', async () => {
  await open(2_000, 700);
  expect(rowsOf((await harness.send('GET', path)).body)).toHaveLength(700);
});

it('returns a failure of the first page as JSON', async () => {
  await open(10);
  beforePage = () => {
    throw DomainError.invalid([{ field: 'network', message: 'is not a supported chain' }]);
  };
  const reply = await harness.send('GET', `${path}?network=nowhere`);
  expect([reply.statusCode, reply.json()]).toMatchObject([400, { code: 'VALIDATION_ERROR' }]);
  expect((await harness.send('GET', `${path}?status=a&status=b`)).statusCode).toBe(400);
  harness.admit = () => {
    throw new DomainError('UNAUTHORIZED');
  };
  expect((await harness.send('GET', path)).statusCode).toBe(401);
});

it('retries a page after a temporary failure', async () => {
  await open(1_203);
  let failures = 0;
  beforePage = (page) => {
    if (page === 2 && failures++ === 0) throw new DomainError('SERVICE_UNAVAILABLE');
  };
  expect(rowsOf((await harness.send('GET', path)).body)).toHaveLength(1_203);
});

it('closes the connection when the file cannot be completed', async () => {
  await open(1_203);
  beforePage = (page) => {
    if (page > 1) throw new DomainError('OUTCOME_UNKNOWN');
  };
  const reply = await fetch((await listen()) + path);
  expect(reply.status).toBe(200);
  await expect(reply.text()).rejects.toThrow();
  expect(asked).toHaveLength(4);
});

it('waits for a slow reader, and stops when the client disconnects', async () => {
  await open(1_000_000);
  const url = await listen();
  const response = await new Promise<IncomingMessage>((resolve) => get(url + path, resolve));
  response.pause();
  let before = -1;
  await eventually(async () => {
    const now = asked.length;
    const isSame = now === before;
    before = now;
    await new Promise((wait) => setTimeout(wait, 100));
    expect(isSame).toBe(true);
  });
  // The buffers of the sockets are far smaller than the file.
  expect(asked.length).toBeLessThan(200);
  response.destroy();
  await new Promise((wait) => setTimeout(wait, 300));
  const after = asked.length;
  await new Promise((wait) => setTimeout(wait, 200));
  expect([asked.length - after, after - before]).toEqual([0, expect.any(Number)]);
  expect(after - before).toBeLessThanOrEqual(2);
});

/** Starts one export for each of these callers. All exports wait for their first page. */
async function standing(
  callers: readonly string[],
): Promise<{ ask(as: string): Promise<Response>; goOn(): Promise<void> }> {
  await open(1);
  harness.admit = (_operation, { call, headers }) =>
    void (call.principal = walletPrincipal(String(headers['x-wallet'])));
  const waiting: (() => void)[] = [];
  beforePage = () => new Promise<void>((resolve) => waiting.push(resolve));
  const url = await listen();
  const ask = (as: string) => fetch(url + path, { headers: { 'x-wallet': as } });
  const replies = callers.map((as) => ask(as).then((reply) => reply.text()));
  await eventually(() => expect(waiting).toHaveLength(callers.length));
  const goOn = async () => {
    beforePage = () => undefined;
    for (const resume of waiting) resume();
    await Promise.all(replies);
  };
  return { ask, goOn };
}

it('limits the concurrent exports, and releases slots', async () => {
  const { ask, goOn } = await standing(Array.from({ length: 16 }, (_, at) => `0x${at}`));
  expect((await ask('0xOther')).status).toBe(503);
  await goOn();
  await eventually(async () => expect((await ask('0xOther')).status).toBe(200));
});

it('limits the concurrent exports of one merchant', async () => {
  const { ask, goOn } = await standing(['0xA', '0xA']);
  expect((await ask('0xA')).status).toBe(503);
  beforePage = () => undefined;
  expect((await ask('0xB')).status).toBe(200);
  await goOn();
});

it('releases the slots of clients that disconnect during admission', async () => {
  await open(1);
  const leaving = Array.from({ length: 40 }, () => new AbortController());
  harness.admit = async (_operation, { call, headers }) => {
    const as = String(headers['x-wallet']);
    call.principal = walletPrincipal(as);
    leaving[Number(as)]?.abort();
    await new Promise((resolve) => setTimeout(resolve, 20));
  };
  const url = await listen();
  const ask = async (as: string, signal?: AbortSignal): Promise<number> => {
    const reply = await fetch(url + path, { headers: { 'x-wallet': as }, ...(signal && { signal }) });
    await reply.text();
    return reply.status;
  };
  const replies = leaving.map(({ signal }, at) => ask(String(at), signal).catch(() => 'left'));
  expect(new Set(await Promise.all(replies))).toEqual(new Set(['left']));
  await eventually(async () => expect(await ask('who stays')).toBe(200));
});

it('returns 405 for HEAD without reading a page', async () => {
  await open(5_000);
  expect((await harness.send('HEAD', path)).statusCode).toBe(405);
  expect(asked).toEqual([]);
});
