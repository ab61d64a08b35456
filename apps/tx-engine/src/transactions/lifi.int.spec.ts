import { TxEngine } from '../testing/tx-engine';

let world: TxEngine;

// Where no bridge is configured but the last resort.
beforeAll(async () => {
  world = await TxEngine.start({ settings: { ACROSS_URL: '' } });
}, 60_000);
afterAll(() => world?.close(), 30_000);

it('a swap that only the last resort carries delivers what was quoted, to the unit', async () => {
  const amount = 100n * 10n ** 6n;
  const user = await world.newUser({ USDT: amount });
  const quote = await world.quote({ from: 'USDT', to: 'DAI', amount, isAcross: true });
  expect(quote).toMatchObject({ provider: 'lifi', asked: [{ provider: 'lifi' }] });
  const built = await world.build(quote.quoteId, user.address);
  await world.executed(built, user);
  const done = await world.mining(built.transactionId, { status: 'completed' });
  expect(done.timeline.map(({ step }) => step)).toEqual([
    ...['approval', 'originSwap', 'bridge', 'destinationSwap'],
  ]);
  const gained = await world.balance('DAI', user.address, world.other);
  expect(gained).toBe(BigInt(quote.outputAmount));
  expect(done.result!.finalAmountOut).toBe(quote.outputAmount);
});

it('on one chain it is not asked: it may be asked seldom', async () => {
  const quote = await world.quote({ from: 'USDT', to: 'USDC', amount: 1_000_000n });
  expect(quote.asked.map(({ provider }) => provider)).toEqual(['uniswap']);
});
