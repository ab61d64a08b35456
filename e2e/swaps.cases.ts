import { eventually } from '@tollbridge/testing';
import { WebSocket } from 'ws';
import type { Swapper, Wish } from './swapper';

/** A harness that other tests also use. Its fields are set when the first case runs. */
export interface SwapsHarness {
  gateway: string;
  swapper: Swapper;
}

const usd = 10n ** 6n;
const ether = 10n ** 18n;

/** Records the stream's updates of a set, from now on. */
function listen(gateway: string, transactionId: string): { updates: any[]; close(): void } {
  const socket = new WebSocket(`${gateway.replace('http', 'ws')}/v1/transaction/stream`);
  const updates: any[] = [];
  socket.on('open', () => socket.send(JSON.stringify({ action: 'subscribe', transactionId })));
  socket.on('message', (text: Buffer) => {
    const { type, data } = JSON.parse(text.toString());
    if (type === 'transaction_update') updates.push(data);
  });
  return { updates, close: () => socket.close() };
}

/** Swaps through the gateway, on one chain and across two. */
export function swapCases(harness: SwapsHarness): void {
  it.each<[string, Wish, string[]]>([
    ['a swap on one chain', { from: 'USDT', to: 'USDC', amount: 250n * usd }, ['approval', 'originSwap']],
    [
      'a swap across chains with all steps',
      { from: 'USDT', to: 'DAI', amount: 100n * usd, isAcross: true },
      ['approval', 'originSwap', 'bridge', 'destinationSwap'],
    ],
  ])(
    '%s delivers exactly the quoted amount, and the stream publishes each step',
    async (_name, wish, steps) => {
      const user = await harness.swapper.newUser({ [wish.from]: wish.amount });
      const destination = wish.isAcross ? harness.swapper.other : harness.swapper.chain;
      const quote = await harness.swapper.data(harness.swapper.quote(wish));
      const request = { quoteId: quote.quoteId, userAddress: user.address };
      const built = await harness.swapper.data(harness.swapper.api.post('/v1/transaction/build', request));
      const stream = listen(harness.gateway, built.transactionId);
      expect((await harness.swapper.execute(built, user)).body.data.status).toBe('submitted');
      const done = await harness.swapper.until(built.transactionId, 'completed');
      expect(done.timeline.map(({ step, status }: any) => `${step} ${status}`)).toEqual(
        steps.map((step) => `${step} completed`),
      );
      expect(done.result).toMatchObject({ success: true, finalAmountOut: quote.outputAmount });
      expect(String(await destination.balanceOf(wish.to, user.address))).toBe(quote.outputAmount);
      expect(await harness.swapper.chain.balanceOf(wish.from, user.address)).toBe(0n);
      // The status can be read before its event arrives.
      await eventually(() => expect(stream.updates.at(-1)).toMatchObject({ status: 'completed' }));
      const versions = stream.updates.map(({ version }) => version);
      expect(versions).toEqual([...new Set(versions)].sort((one, other) => one - other));
      stream.close();
    },
  );

  it('builds a batch in one call and executes it in order, with one approval per token', async () => {
    const user = await harness.swapper.newUser({ USDT: 300n * usd });
    const wishes: Wish[] = [
      { from: 'USDT', to: 'USDC', amount: 100n * usd },
      { from: 'ETH', to: 'USDC', amount: ether / 100n },
      { from: 'USDT', to: 'WETH', amount: 200n * usd },
    ];
    const quotes = await Promise.all(wishes.map((wish) => harness.swapper.data(harness.swapper.quote(wish))));
    const transactions = quotes.map(({ quoteId }, at) => ({
      id: `swap ${at}`,
      quoteId,
      userAddress: user.address,
    }));
    const batch = await harness.swapper.data(
      harness.swapper.api.post('/v1/transaction/batch', { transactions }),
    );
    expect(batch.transactions).toMatchObject(transactions.map(({ id }) => ({ id, status: 'built' })));
    expect(batch.summary.totalTransactions).toBe(4);
    expect(Number(batch.summary.estimatedSavings)).toBeGreaterThan(0);
    for (const { transactionId } of batch.transactions) {
      const { details } = await harness.swapper.status(transactionId, '?includeDetails=true');
      const built = { transactionId, transactions: details.built };
      expect((await harness.swapper.execute(built, user)).status).toBe(200);
    }
    const done = await Promise.all(
      batch.transactions.map(({ transactionId }: any) => harness.swapper.until(transactionId, 'completed')),
    );
    // Each swap uses its own pool, so that none changes the price of another.
    const delivered = done.map(({ result }) => result.finalAmountOut);
    expect(delivered).toEqual(quotes.map(({ outputAmount }) => outputAmount));
    const [one, two, three] = delivered.map(BigInt);
    expect(await harness.swapper.chain.balanceOf('USDC', user.address)).toBe(one! + two!);
    expect(await harness.swapper.chain.balanceOf('WETH', user.address)).toBe(three);
    expect(await harness.swapper.chain.balanceOf('USDT', user.address)).toBe(0n);
  });
}
