import { eventually } from '@tollbridge/testing';
import { Wallet } from 'ethers';
import { OneClickHarness } from '../testing/oneclick-harness';
import type { QuoteRequest } from './wire';

let harness: OneClickHarness;

beforeAll(async () => {
  harness = await OneClickHarness.start();
});
afterAll(() => harness?.close());
afterEach(() => expect([...harness.problems]).toEqual([]));

const fresh = (): string => Wallet.createRandom().address;

/** Creates a committed quote of 10.00 USDC plus the magic digits, and pays it in full. */
async function paid(digits: string, changes: Partial<QuoteRequest> = {}) {
  const quoted = await harness.quote({ amount: `1000${digits}`, ...changes });
  await harness.pay(harness.base, 'USDC', quoted.quote.depositAddress!, BigInt(quoted.quote.amountIn));
  return quoted;
}

describe('Magic amounts that reject the quote', () => {
  it.each([
    ['6401', 400, 'No liquidity available'],
    ['6407', 500, 'Internal server error'],
    ['6408', 429, 'ThrottlerException: Too Many Requests'],
    ['6412', 400, 'Quoting for this pair is not available'],
    ['6413', 400, 'Internal server error'],
    ['6414', 400, 'Minimum swap amount is $10'],
    ['6415', 400, 'Temporary swap limits: minimum swap amount is $1,000'],
  ])('returns %s with %i %s', async (digits, status, message) => {
    for (const dry of [true, false])
      expect(await harness.rejection({ dry, amount: `1000${digits}` })).toMatchObject({
        status,
        body: { message },
      });
  });
});

describe('Magic amounts that disturb the response', () => {
  it('6402 responds after more than five seconds', async () => {
    const startedMs = performance.now();

    await harness.quote({ dry: true, amount: '10006402' });

    expect(performance.now() - startedMs).toBeGreaterThan(5_500);
  });

  it('6409 stores the quote and closes the connection', async () => {
    const recipient = fresh();

    await expect(
      harness.post('/v0/quote', harness.request({ amount: '10006409', recipient })),
    ).rejects.toThrow();

    const rows = await harness.database.query('SELECT id FROM swaps WHERE response::text LIKE $1', [
      `%${recipient}%`,
    ]);
    expect(rows).toHaveLength(1);
    expect((await harness.quote({ dry: true, amount: '10006409' })).quote.amountOut).toBe('10006409');
  });
});

describe('Magic amounts that choose the outcome of a swap', () => {
  it('6403 refunds the deposit', async () => {
    const refundTo = fresh();
    const quoted = await paid('6403', { refundTo });

    const { swapDetails } = await harness.until(quoted, 'REFUNDED');

    expect(swapDetails.refundReason).toBe('NO_LIQUIDITY');
    expect(await harness.balance(harness.base, 'USDC', refundTo)).toBe(BigInt(quoted.quote.amountIn));
  });

  it('6404 delivers a part, and refunds the remainder', async () => {
    const [recipient, refundTo] = [fresh(), fresh()];
    const quoted = await paid('6404', { recipient, refundTo });

    const { swapDetails } = await harness.until(quoted, 'SUCCESS');

    expect(swapDetails.amountOut).toBe('7004482');
    expect(await harness.balance(harness.arbitrum, 'USDC', recipient)).toBe(7_004_482n);
    const rest = BigInt(quoted.quote.amountIn) - BigInt(swapDetails.amountIn!);
    expect(swapDetails.refundedAmount).toBe(String(rest));
    expect(await harness.balance(harness.base, 'USDC', refundTo)).toBe(rest);
  });

  it('6405 reports a deposit late', async () => {
    const quoted = await harness.quote({ amount: '10006405' });
    expect(quoted.quote.timeWhenInactive).toBe(quoted.timestamp);
    await harness.pay(harness.base, 'USDC', quoted.quote.depositAddress!, BigInt(quoted.quote.amountIn));
    await harness.polled();
    expect((await harness.status(quoted)).status).toBe('PENDING_DEPOSIT');

    harness.clock.advance(20_000);

    await harness.until(quoted, 'SUCCESS');
  });

  it('6406 reports a false delivery', async () => {
    const recipient = fresh();
    const quoted = await paid('6406', { recipient });

    const { swapDetails } = await harness.until(quoted, 'SUCCESS');

    expect(swapDetails.amountOut).toBe('10006406');
    const { hash } = swapDetails.destinationChainTxHashes[0]!;
    expect(await harness.arbitrum.anvil.provider.getTransactionReceipt(hash)).toMatchObject({ status: 1 });
    expect(await harness.balance(harness.arbitrum, 'USDC', recipient)).toBe(0n);
  });

  it('6410 refunds an undeliverable swap', async () => {
    const refundTo = fresh();
    const quoted = await paid('6410', { refundTo });

    const { swapDetails } = await harness.until(quoted, 'REFUNDED');

    expect(swapDetails.refundReason).toBe('INTENT_SUBMIT_FAILED');
    expect(await harness.balance(harness.base, 'USDC', refundTo)).toBe(BigInt(quoted.quote.amountIn));
  });

  it('6411 fails after the deposit', async () => {
    const [recipient, refundTo] = [fresh(), fresh()];
    const quoted = await paid('6411', { recipient, refundTo });

    const { swapDetails } = await harness.until(quoted, 'FAILED');

    expect(swapDetails.destinationChainTxHashes).toEqual([]);
    expect(await harness.balance(harness.arbitrum, 'USDC', recipient)).toBe(0n);
    await eventually(async () =>
      expect(await harness.balance(harness.base, 'USDC', quoted.quote.depositAddress!)).toBe(0n),
    );
    expect(await harness.balance(harness.base, 'USDC', refundTo)).toBe(0n);
  });
});
