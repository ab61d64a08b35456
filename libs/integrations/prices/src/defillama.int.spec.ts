import { chains } from '@tollbridge/chains';
import { startHttpServer, type HttpReply, type HttpServer } from '@tollbridge/testing';
import { DefiLlama, type PricedToken } from '.';

const usdcAddress = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const usdc: PricedToken = { chain: 'eip155:8453', address: usdcAddress };
const signal = new AbortController().signal;
const timestamp = 1_795_000_000;

let server: HttpServer;
let llama: DefiLlama;
let coins: Record<string, unknown>;
let instead: HttpReply | undefined;

/** Returns the known ids, in the letter case of the request. */
const answer = (path: string): HttpReply => {
  const ids = decodeURIComponent(path.replace('/prices/current/', '')).split(',');
  const known = ids.filter((id) => id in coins).map((id) => [id, coins[id]]);
  return { body: { coins: Object.fromEntries(known) as object } };
};

beforeAll(async () => {
  server = await startHttpServer(({ path }) => instead ?? answer(path));
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.length = 0;
  instead = undefined;
  coins = {};
  llama = new DefiLlama(server.url);
});

const asked = () =>
  server.requests.flatMap(({ path }) => decodeURIComponent(path.replace('/prices/current/', '')).split(','));
const coin = (price: unknown, rest: object = { confidence: 0.99 }) => ({
  price,
  timestamp,
  symbol: 'X',
  ...rest,
});

it('requests tokens by chain and address, and native coins by name', async () => {
  coins = { [`base:${usdcAddress}`]: coin(0.9998), 'coingecko:bitcoin': coin(96_500.25) };
  const found = await llama.read([usdc, { chain: 'btc', address: null }], signal);
  expect(server.requests).toHaveLength(1);
  expect(server.requests[0]!.query.toString()).toBe('searchWidth=4h');
  expect(asked()).toEqual([`base:${usdcAddress}`, 'coingecko:bitcoin']);
  expect(found).toEqual([
    { token: usdc, price: { usd: '0.9998', atMs: timestamp * 1_000 } },
    { token: { chain: 'btc', address: null }, price: { usd: '96500.25', atMs: timestamp * 1_000 } },
  ]);
});

it.each([usdcAddress, usdcAddress.toLowerCase()])(
  'matches the reply in the letter case of the request: %s',
  async (address) => {
    coins = { [`base:${address}`]: coin(1) };
    await expect(llama.read([{ ...usdc, address }], signal)).resolves.toHaveLength(1);
  },
);

it('prices the native coin of every production chain', async () => {
  const main = chains.filter(({ isTestnet }) => !isTestnet);
  await llama.read(
    main.map(({ id }) => ({ chain: id, address: null })),
    signal,
  );
  expect(main.length).toBeGreaterThan(20);
  const ids = asked();
  expect(ids.every((id) => /^coingecko:[a-z0-9-]+$/.test(id))).toBe(true);
  for (const { id, nativeSymbol } of main) {
    server.requests.length = 0;
    await llama.read([{ chain: id, address: null }], signal);
    expect([nativeSymbol, asked().length]).toEqual([nativeSymbol, 1]);
  }
});

it('sends no request for test networks and unknown chains', async () => {
  const tokens = chains.filter(({ isTestnet }) => isTestnet).map(({ id }) => ({ chain: id, address: null }));
  await expect(llama.read([...tokens, { chain: 'nowhere', address: null }], signal)).resolves.toEqual([]);
  await expect(llama.read([], signal)).resolves.toEqual([]);
  expect(server.requests).toEqual([]);
});

it('requests at most 40 tokens at a time', async () => {
  const tokens = Array.from({ length: 81 }, (_, at) => ({ chain: 'solana', address: `mint${at}` }));
  coins = Object.fromEntries(tokens.map(({ address }) => [`solana:${address}`, coin(1)]));
  const found = await llama.read(tokens, signal);
  expect(found.map(({ token }) => token)).toEqual(tokens);
  const sizes = server.requests.map(({ path }) => decodeURIComponent(path).split(',').length);
  expect(sizes.sort((a, b) => a - b)).toEqual([1, 40, 40]);
});

it('requests a shared native coin once and prices it on each chain', async () => {
  coins = { 'coingecko:ethereum': coin(3_000) };
  const tokens = ['eip155:1', 'eip155:8453', 'eip155:10'].map((chain) => ({ chain, address: null }));
  await expect(llama.read(tokens, signal)).resolves.toHaveLength(3);
  expect(asked()).toEqual(['coingecko:ethereum']);
});

it.each<[string, unknown, boolean]>([
  ['with enough confidence', coin(1, { confidence: 0.9 }), true],
  ['without a confidence', coin(1, {}), true],
  ['with low confidence', coin(1, { confidence: 0.89 }), false],
  ['of 0', coin(0), false],
  ['below 0', coin(-1), false],
  ['as text', coin('1'), false],
  ['that is null', coin(null), false],
  ['above the maximum', coin(1e300), false],
  ['without a time', { price: 1, confidence: 1 }, false],
  ['with a string as its time', { price: 1, timestamp: '5', confidence: 1 }, false],
  ['in an empty object', {}, false],
  ['that is null', null, false],
  ['that is a number', 5, false],
])('accepts only usable prices: %s', async (_case, given, isOne) => {
  coins = { [`base:${usdcAddress}`]: given };
  await expect(llama.read([usdc], signal)).resolves.toHaveLength(isOne ? 1 : 0);
});

it('omits unknown tokens', async () => {
  await expect(llama.read([usdc], signal)).resolves.toEqual([]);
});

it.each<[string, HttpReply, string]>([
  ['without coins', { body: {} }, 'badReply'],
  ['with invalid coins', { body: { coins: 'x' } }, 'badReply'],
  ['that is empty', { body: '' }, 'badReply'],
  ['that is not JSON', { body: '<html>' }, 'badReply'],
  ['with an error of the provider', { status: 502 }, 'unavailable'],
  ['with a rate limit', { status: 429, headers: { 'retry-after': '3' } }, 'rateLimited'],
])('rejects a reply %s', async (_case, reply, kind) => {
  instead = reply;
  await expect(llama.read([usdc], signal)).rejects.toMatchObject({ name: 'ProviderError', kind });
});

it('ends when the caller aborts', async () => {
  await expect(llama.read([usdc], AbortSignal.abort())).rejects.toMatchObject({ kind: 'unavailable' });
});
