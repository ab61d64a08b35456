import { CoinFee } from './coin-fee';

const gwei = 1_000_000_000n;
let nowMs = 0;
const clock = { now: () => nowMs };

it.each([
  ['transfer', 56, 'a chain that is not a rollup', 21_000n * gwei * 2n],
  ['contractCall', 56, 'a chain that is not a rollup', 127_000n * gwei * 2n],
  ['transfer', 8453, 'a rollup', 21_000n * gwei * 2n + 30_000_000_000_000n],
] as const)('calculates the fee of a %s on chain %i, %s', async (payment, chainId, _kind, fee) => {
  const coinFee = new CoinFee(chainId, async () => `0x${gwei.toString(16)}`);
  await expect(coinFee.feeAtomic(payment)).resolves.toBe(fee);
});

it('caches the price for ten seconds', async () => {
  const ask = jest.fn(async () => '0x1');
  const coinFee = new CoinFee(56, ask, clock);
  await coinFee.feeAtomic('transfer');
  nowMs += 9_999;
  await coinFee.feeAtomic('transfer');
  expect(ask).toHaveBeenCalledTimes(1);
  nowMs += 1;
  await coinFee.feeAtomic('transfer');
  expect(ask).toHaveBeenCalledTimes(2);
});

it('retries after a failure', async () => {
  const ask = jest.fn(async (): Promise<unknown> => '0x1');
  ask.mockRejectedValueOnce(new Error('down'));
  const coinFee = new CoinFee(56, ask, clock);
  await expect(coinFee.feeAtomic('transfer')).rejects.toThrow('down');
  await expect(coinFee.feeAtomic('transfer')).resolves.toBe(42_000n);
});

it.each([[1], ['1'], ['0x'], [null], ['0xzz'], [`0x${'f'.repeat(33)}`]])(
  'rejects %p as a price',
  async (price) => {
    await expect(new CoinFee(56, async () => price).feeAtomic('transfer')).rejects.toThrow('eth_gasPrice');
  },
);
