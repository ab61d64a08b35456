import { findChain } from '@tollbridge/chains';
import { eventually, startHttpServer, type HttpReply, type HttpServer } from '@tollbridge/testing';
import { Balances } from './balances';
import { answersOf, recordingOf } from './testing/recording';

const btc = recordingOf('esplora');
const doge = recordingOf('blockbook');
const wallet = ({ chain, address }: { chain: string; address: string }) => ({
  chain: findChain(chain)!,
  address,
});
const answers = answersOf([...btc.exchanges, ...doge.exchanges]);

let server: HttpServer;
beforeEach(async () => {
  server = await startHttpServer(answers);
});
afterEach(() => server.close());

const open = (timeoutMs?: number) =>
  new Balances(
    [
      { chain: 'bitcoin', urls: [server.url] },
      { chain: 'doge', urls: [server.url] },
    ],
    timeoutMs,
  );

it('reads all wallets concurrently and returns them in order', async () => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  server.answer = async (request) => {
    await released;
    return answers(request);
  };
  const read = open().read([wallet(doge), wallet(btc)]);
  await eventually(() => expect(server.requests).toHaveLength(2));
  release();
  const { found } = await read;
  expect(found.map(({ chain }) => chain.id)).toEqual(['doge', 'btc']);
});

it('skips a slow chain and returns the others', async () => {
  server.answer = (request) => (request.path.startsWith('/api') ? { silent: true } : answers(request));
  const { found, skipped } = await open(4_000).read([wallet(doge), wallet(btc)]);
  expect(found.map(({ chain }) => chain.id)).toEqual(['btc']);
  expect(skipped).toEqual([{ ...wallet(doge), reason: expect.stringMatching(/within \d+ ms/) }]);
});

it('waits no longer than the time-out of the caller', async () => {
  server.answer = () => ({ silent: true });
  // Retries if the time is over before the request is sent.
  await eventually(async () => {
    const { skipped } = await open().read([wallet(btc)], { timeoutMs: 50 });
    expect(skipped[0]!.reason).toBe('not read within 50 ms');
    expect(server.requests).not.toEqual([]);
  });
  await eventually(() => expect(server.abandoned).toBe(server.requests.length));
});

it('stops when the caller aborts', async () => {
  server.answer = () => ({ silent: true });
  const leave = new AbortController();
  const read = open().read([wallet(btc)], { signal: leave.signal });
  await eventually(() => expect(server.requests).toHaveLength(1));
  leave.abort();
  expect((await read).skipped[0]!.reason).toBe('the caller gave up waiting');
  await eventually(() => expect(server.abandoned).toBe(1));
});

it('sends no request for an aborted call', async () => {
  const { skipped } = await open().read([wallet(btc)], { signal: AbortSignal.abort() });
  expect(skipped).toHaveLength(1);
  expect(server.requests).toEqual([]);
});

it('skips a chain without a source', async () => {
  const balances = open();
  const near = recordingOf('near');
  expect(balances.isServed(findChain('near')!)).toBe(false);
  expect(balances.isServed(findChain('btc')!)).toBe(true);
  const { skipped } = await balances.read([wallet(near), wallet(btc)]);
  expect(skipped).toEqual([{ ...wallet(near), reason: 'no source is configured' }]);
});

it('opens the circuit of a failing source for some seconds', async () => {
  server.answer = () => ({ status: 500 });
  const balances = open();
  for (let read = 0; read < 5; read += 1) await balances.read([wallet(btc)]);
  const { skipped } = await balances.read([wallet(btc)]);
  expect(skipped[0]!.reason).toMatch(/circuit is open for some seconds/);
  expect(server.requests).toHaveLength(5);
});

it('reads a few wallets of a chain concurrently, queues more, and rejects too many', async () => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  server.answer = async (request) => {
    await released;
    return answers(request);
  };
  const read = open().read(Array.from({ length: 80 }, () => wallet(btc)));
  await eventually(() => expect(server.requests).toHaveLength(8));
  release();
  const { found, skipped } = await read;
  expect(found).toHaveLength(72);
  expect(new Set(skipped.map(({ reason }) => reason))).toEqual(
    new Set(['too many wallets are waiting for this chain']),
  );
});

describe('keys of sources', () => {
  const key = 'key-0123456789abcdef';

  it('sends the key with every request', async () => {
    const source = {
      chain: 'btc',
      urls: [`${server.url}/${key}?token=${key}`],
      headers: { 'x-api-key': key },
    };
    await new Balances([source]).read([wallet(btc)]);
    const [seen] = server.requests;
    expect(seen!.path).toBe(`/${key}/address/${btc.address}`);
    expect(seen!.query.get('token')).toBe(key);
    expect(seen!.headers['x-api-key']).toBe(key);
  });

  it.each<[string, HttpReply]>([
    ['500', { status: 500, body: `bad key ${key}` }],
    ['403', { status: 403, body: { error: `bad key ${key}` } }],
    ['no JSON', { body: key }],
    ['silence', { silent: true }],
    ['half', { half: key }],
  ])('hides the key in the failure reason: %s', async (_name, reply) => {
    server.answer = () => reply;
    const urls = [`${server.url}/${key}?token=${key}`];
    const sources = [
      { chain: 'btc', urls, headers: { 'x-api-key': key } },
      { chain: 'eip155:56', urls },
    ];
    const wallets = [wallet(btc), wallet(recordingOf('evm'))];
    const { skipped } = await new Balances(sources, 200).read(wallets);
    expect(skipped).toHaveLength(2);
    expect(JSON.stringify(skipped)).not.toContain(key);
  });
});

describe('reserve of a wallet', () => {
  it('adds the locked amount and the transfer fee, for native coins', async () => {
    const stellar = recordingOf('horizon');
    server.answer = answersOf(stellar.exchanges);
    const balances = new Balances([{ chain: 'stellar', urls: [server.url] }]);
    const { found } = await balances.read([wallet(stellar)]);
    const [coin, usdc] = found[0]!.holdings;
    const { chain } = found[0]!;
    await expect(balances.reserveOf(chain, coin!, 'transfer')).resolves.toBe(35_000_000n + 100_000n);
    await expect(balances.reserveOf(chain, usdc!, 'transfer')).resolves.toBe(500_000_000n);
  });

  it('throws for an EVM chain without a source', async () => {
    const unserved = findChain('base')!;
    const holding = { token: unserved.tokens[0]!, amountAtomic: 1n, lockedAtomic: 0n };
    await expect(open().reserveOf(unserved, holding, 'transfer')).rejects.toThrow('no source gives');
  });
});

it('rejects two sources of one chain', () => {
  const urls = ['https://a.example'];
  expect(
    () =>
      new Balances([
        { chain: 'btc', urls },
        { chain: 'bitcoin', urls },
      ]),
  ).toThrow('two sources');
  expect(() => new Balances([{ chain: 'moon', urls }])).toThrow('no chain moon');
});
