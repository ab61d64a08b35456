import { TxEngine, type Symbol } from '../testing/tx-engine';

let harness: TxEngine;

beforeAll(async () => {
  harness = await TxEngine.start();
});
afterAll(() => harness?.close());

const usd = 10n ** 6n;
const ether = 10n ** 18n;

describe('swap on one chain', () => {
  it.each<[Symbol, Symbol, bigint, number]>([
    ['USDT', 'USDC', 100n * usd, 2],
    ['USDC', 'DAI', 250n * usd, 2],
    ['USDT', 'DAI', 100n * usd, 2],
    ['ETH', 'USDC', ether / 2n, 1],
    ['USDT', 'ETH', 1000n * usd, 2],
    ['ETH', 'WETH', ether, 1],
  ])('delivers exactly the quoted amount from %s to %s', async (from, to, amount, count) => {
    const user = await harness.newUser(from === 'ETH' ? {} : { [from]: amount });
    const quote = await harness.quote({ from, to, amount });
    expect(quote).toMatchObject({ inputAmount: String(amount), provider: 'uniswap' });
    const built = await harness.build(quote.quoteId, user.address);
    expect(built.transactions).toHaveLength(count);
    expect(built.summary.requiredApprovals).toBe(count - 1);
    const before = {
      from: await harness.balance(from, user.address),
      to: await harness.balance(to, user.address),
    };
    const executed = await harness.executed(built, user);
    expect(executed.status).toBe('submitted');
    const done = await harness.mining(built.transactionId, { status: 'completed' });
    expect(done.result).toMatchObject({ success: true, finalAmountOut: quote.outputAmount });
    expect(done.timeline.map(({ step, status }) => `${step} ${status}`)).toEqual([
      ...(count === 2 ? ['approval completed'] : []),
      'originSwap completed',
    ]);
    const paid = await gasPaid(
      user.address,
      done.timeline.map(({ txHash }) => txHash!),
    );
    const gained = (await harness.balance(to, user.address)) - before.to + (to === 'ETH' ? paid : 0n);
    const given = before.from - (await harness.balance(from, user.address)) - (from === 'ETH' ? paid : 0n);
    expect({ gained, given }).toEqual({ gained: BigInt(quote.outputAmount), given: amount });
    expect(BigInt(done.result!.actualGasUsed)).toBeGreaterThan(20_000n);
    expect(done.result!.totalGasCostUsd).toMatch(/^\d+\.\d+$/);
  });
});

async function gasPaid(of: string, hashes: string[]): Promise<bigint> {
  const receipts = await Promise.all(
    hashes.map((hash) => harness.chain.anvil.provider.getTransactionReceipt(hash)),
  );
  return receipts.reduce(
    (sum, receipt) => sum + (receipt!.from === of ? receipt!.gasUsed * receipt!.gasPrice : 0n),
    0n,
  );
}
