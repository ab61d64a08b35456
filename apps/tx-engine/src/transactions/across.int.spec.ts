import { TxEngine, type Symbol } from '../testing/tx-engine';

let harness: TxEngine;

beforeAll(async () => {
  harness = await TxEngine.start();
});
afterAll(() => harness?.close());

const usd = 10n ** 6n;
const ether = 10n ** 18n;

describe('cross-chain swap', () => {
  it.each<[Symbol, Symbol, bigint, string[]]>([
    ['USDT', 'DAI', 100n * usd, ['approval', 'originSwap', 'bridge', 'destinationSwap']],
    ['USDC', 'USDC', 100n * usd, ['approval', 'bridge']],
    ['DAI', 'USDC', 100n * ether, ['approval', 'originSwap', 'bridge']],
    ['WETH', 'DAI', ether / 10n, ['approval', 'bridge', 'destinationSwap']],
    ['ETH', 'ETH', ether / 10n, ['bridge']],
  ])('delivers exactly the quoted amount from %s to %s', async (from, to, amount, steps) => {
    const user = await harness.newUser(from === 'ETH' ? {} : { [from]: amount });
    const quote = await harness.quote({ from, to, amount, isAcross: true });
    expect(quote.provider).toBe('across');
    const before = await harness.balance(to, user.address, harness.other);
    const built = await harness.build(quote.quoteId, user.address);
    await harness.executed(built, user);
    const done = await harness.mining(built.transactionId, { status: 'completed' });
    expect(done.timeline.map(({ step, status }) => `${step} ${status}`)).toEqual(
      steps.map((step) => `${step} completed`),
    );
    const gained = (await harness.balance(to, user.address, harness.other)) - before;
    expect(gained).toBe(BigInt(done.result!.finalAmountOut!));
    expect(gained).toBe(BigInt(built.outputAmount));
    expect(gained).toBe(BigInt(quote.outputAmount));
  });
});
