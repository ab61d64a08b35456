import { SwapHarness, fresh } from '../testing/swap-harness';

let harness: SwapHarness;

beforeAll(async () => {
  harness = await SwapHarness.start();
});
afterAll(() => harness?.close());
// These tests expect no chain failure and no invalid SQL.
afterEach(() => expect([...harness.problems]).toEqual([]));

const dollars = (whole: number): bigint => BigInt(whole) * 10n ** 6n;
const coins = (thousandths: number): bigint => BigInt(thousandths) * 10n ** 15n;

describe('Across simulator: swap across chains', () => {
  it('swaps DAI to USDT over two exchanges and the bridge for exactly the quoted amount', async () => {
    const recipient = fresh();
    const quote = await harness.approval({ from: 'USDT', to: 'DAI', amountAtomic: dollars(100), recipient });
    expect(quote).toMatchObject({
      crossSwapType: 'anyToAny',
      amountType: 'exactInput',
      inputAmount: '100000000',
      swapTx: { simulationSuccess: false, to: harness.base.across.periphery },
      checks: { allowance: { actual: '0', expected: '100000000', spender: harness.base.across.periphery } },
    });
    expect(quote.approvalTxns).toHaveLength(1);
    expect(Object.keys(quote.steps)).toEqual(['originSwap', 'bridge', 'destinationSwap']);
    expect(quote.quoteExpiryTimestamp - Date.now() / 1_000).toBeLessThan(31);

    const txHash = await harness.carryOut(quote);

    const status = await harness.until(txHash, 'filled');
    expect(status).toMatchObject({ actionsSucceeded: true, originChainId: 8453, destinationChainId: 42161 });
    expect(status.fillTxnRef).toMatch(/^0x[0-9a-f]{64}$/);
    expect(await harness.balance(harness.arbitrum, 'DAI', recipient)).toBe(
      BigInt(quote.expectedOutputAmount),
    );
    expect(await harness.balance(harness.arbitrum, 'USDC', harness.arbitrum.across.multicallHandler)).toBe(
      0n,
    );
  });

  it.each([
    ['USDC', 'USDC', dollars(50), 'bridgeableToBridgeable'],
    ['WETH', 'WETH', coins(20), 'bridgeableToBridgeable'],
    ['ETH', 'ETH', coins(30), 'bridgeableToBridgeable'],
    ['ETH', 'WETH', coins(40), 'bridgeableToBridgeable'],
    ['WETH', 'ETH', coins(50), 'bridgeableToBridgeable'],
    ['ETH', 'USDC', coins(60), 'anyToBridgeable'],
    ['USDT', 'ETH', dollars(70), 'anyToBridgeable'],
    ['DAI', 'WETH', coins(80_000), 'anyToBridgeable'],
    ['ETH', 'DAI', coins(90), 'bridgeableToAny'],
    ['USDC', 'USDT', dollars(100), 'bridgeableToAny'],
  ] as const)('swaps from %s to %s', async (from, to, amountAtomic, type) => {
    const recipient = fresh();
    const quote = await harness.approval({ from, to, amountAtomic, recipient });
    expect(quote.crossSwapType).toBe(type);
    expect(quote.swapTx.value).toBe(from === 'ETH' ? String(amountAtomic) : undefined);

    const txHash = await harness.carryOut(quote);

    await harness.until(txHash, 'filled');
    expect(await harness.balance(harness.arbitrum, to, recipient)).toBe(BigInt(quote.expectedOutputAmount));
    const again = await harness.approval({ from, to, amountAtomic });
    expect(again.expectedFillTime).toBeGreaterThan(0);
  });

  it('simulates the swap once the allowance exists', async () => {
    const wish = { from: 'USDT', to: 'USDC', amountAtomic: dollars(10) } as const;
    await harness.approve('USDT', harness.base.across.periphery);

    const quote = await harness.approval(wish);

    expect(quote).not.toHaveProperty('approvalTxns');
    expect(quote.swapTx.simulationSuccess).toBe(true);
    expect(BigInt(quote.swapTx.gas!)).toBeGreaterThan(100_000n);
  });
});
