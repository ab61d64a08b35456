import { TxEngine } from '../testing/tx-engine';

let harness: TxEngine;

// Without Across, only the last-resort provider serves cross-chain swaps.
beforeAll(async () => {
  harness = await TxEngine.start({ settings: { ACROSS_URL: '' } });
});
afterAll(() => harness?.close());

it('delivers exactly the quoted amount through the last-resort provider', async () => {
  const amount = 100n * 10n ** 6n;
  const user = await harness.newUser({ USDT: amount });
  const quote = await harness.quote({ from: 'USDT', to: 'DAI', amount, isAcross: true });
  expect(quote).toMatchObject({ provider: 'lifi', asked: [{ provider: 'lifi' }] });
  const built = await harness.build(quote.quoteId, user.address);
  await harness.executed(built, user);
  const done = await harness.mining(built.transactionId, { status: 'completed' });
  expect(done.timeline.map(({ step }) => step)).toEqual([
    'approval',
    'originSwap',
    'bridge',
    'destinationSwap',
  ]);
  const gained = await harness.balance('DAI', user.address, harness.other);
  expect(gained).toBe(BigInt(quote.outputAmount));
  expect(done.result!.finalAmountOut).toBe(quote.outputAmount);
});

it('sends no request to the last-resort provider for a swap on one chain', async () => {
  const quote = await harness.quote({ from: 'USDT', to: 'USDC', amount: 1_000_000n });
  expect(quote.asked.map(({ provider }) => provider)).toEqual(['uniswap']);
});
