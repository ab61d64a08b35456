import { WebSocket } from 'ws';
import { Api } from './http';
import { Swapper, type Wish } from './swapper';
import { World } from './world';

let world: World;
let swapper: Swapper;

beforeAll(async () => {
  world = await World.start();
  swapper = await Swapper.in(await Api.at(world.gateway));
}, 180_000);

afterAll(async () => {
  swapper?.close();
  await world?.remove();
}, 60_000);

const usd = 10n ** 6n;
const ether = 10n ** 18n;

/** What the stream says of a set, from now on. */
function listen(transactionId: string): { updates: any[]; close(): void } {
  const socket = new WebSocket(`${world.gateway.replace('http', 'ws')}/v1/transaction/stream`);
  const updates: any[] = [];
  socket.on('open', () => socket.send(JSON.stringify({ action: 'subscribe', transactionId })));
  socket.on('message', (text: Buffer) => {
    const { type, data } = JSON.parse(text.toString());
    if (type === 'transaction_update') updates.push(data);
  });
  return { updates, close: () => socket.close() };
}

it.each<[string, Wish, string[]]>([
  ['a swap on one chain', { from: 'USDT', to: 'USDC', amount: 250n * usd }, ['approval', 'originSwap']],
  [
    'a swap across chains with all steps',
    { from: 'USDT', to: 'DAI', amount: 100n * usd, isAcross: true },
    ['approval', 'originSwap', 'bridge', 'destinationSwap'],
  ],
])(
  '%s delivers what was quoted, to the unit, and the stream tells it as it happens',
  async (_name, wish, steps) => {
    const user = await swapper.newUser({ [wish.from]: wish.amount });
    const destination = wish.isAcross ? swapper.other : swapper.chain;
    const quote = await swapper.data(swapper.quote(wish));
    const request = { quoteId: quote.quoteId, userAddress: user.address };
    const built = await swapper.data(swapper.api.post('/v1/transaction/build', request));
    const stream = listen(built.transactionId);
    expect((await swapper.execute(built, user)).body.data.status).toBe('submitted');
    const done = await swapper.until(built.transactionId, 'completed');
    expect(done.timeline.map(({ step, status }: any) => `${step} ${status}`)).toEqual(
      steps.map((step) => `${step} completed`),
    );
    expect(done.result).toMatchObject({ success: true, finalAmountOut: quote.outputAmount });
    expect(String(await destination.balanceOf(wish.to, user.address))).toBe(quote.outputAmount);
    expect(await swapper.chain.balanceOf(wish.from, user.address)).toBe(0n);
    expect(stream.updates.at(-1)).toMatchObject({ status: 'completed' });
    const versions = stream.updates.map(({ version }) => version);
    expect(versions).toEqual([...new Set(versions)].sort((one, other) => one - other));
    stream.close();
  },
  90_000,
);

it('a batch is built at once and executed in its order, with one approval for all of a token', async () => {
  const user = await swapper.newUser({ USDT: 300n * usd });
  const wishes: Wish[] = [
    { from: 'USDT', to: 'USDC', amount: 100n * usd },
    { from: 'ETH', to: 'USDC', amount: ether / 100n },
    { from: 'USDT', to: 'WETH', amount: 200n * usd },
  ];
  const quotes = await Promise.all(wishes.map((wish) => swapper.data(swapper.quote(wish))));
  const transactions = quotes.map(({ quoteId }, at) => ({
    ...{ id: `swap ${at}`, quoteId, userAddress: user.address },
  }));
  const batch = await swapper.data(swapper.api.post('/v1/transaction/batch', { transactions }));
  expect(batch.transactions).toMatchObject(transactions.map(({ id }) => ({ id, status: 'built' })));
  expect(batch.summary.totalTransactions).toBe(4);
  expect(Number(batch.summary.estimatedSavings)).toBeGreaterThan(0);
  for (const { transactionId } of batch.transactions) {
    const { details } = await swapper.status(transactionId, '?includeDetails=true');
    const built = { transactionId, transactions: details.built };
    expect((await swapper.execute(built, user)).status).toBe(200);
  }
  const done = await Promise.all(
    batch.transactions.map(({ transactionId }: any) => swapper.until(transactionId, 'completed')),
  );
  // Each goes through a pool of its own, so that none moves the price of another.
  const delivered = done.map(({ result }) => result.finalAmountOut);
  expect(delivered).toEqual(quotes.map(({ outputAmount }) => outputAmount));
  const [one, two, three] = delivered.map(BigInt);
  expect(await swapper.chain.balanceOf('USDC', user.address)).toBe(one! + two!);
  expect(await swapper.chain.balanceOf('WETH', user.address)).toBe(three);
  expect(await swapper.chain.balanceOf('USDT', user.address)).toBe(0n);
}, 90_000);
