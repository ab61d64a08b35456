import { TxEngine, type Symbol } from '../testing/tx-engine';

let world: TxEngine;

beforeAll(async () => {
  world = await TxEngine.start();
}, 60_000);
afterAll(() => world?.close(), 30_000);

const usd = 10n ** 6n;
const ether = 10n ** 18n;

describe('a swap to another chain', () => {
  it.each<[Symbol, Symbol, bigint, string[]]>([
    ['USDT', 'DAI', 100n * usd, ['approval', 'originSwap', 'bridge', 'destinationSwap']],
    ['USDC', 'USDC', 100n * usd, ['approval', 'bridge']],
    ['DAI', 'USDC', 100n * ether, ['approval', 'originSwap', 'bridge']],
    ['WETH', 'DAI', ether / 10n, ['approval', 'bridge', 'destinationSwap']],
    ['ETH', 'ETH', ether / 10n, ['bridge']],
  ])('of %s to %s delivers what was quoted, to the unit', async (from, to, amount, steps) => {
    const user = await world.newUser(from === 'ETH' ? {} : { [from]: amount });
    const quote = await world.quote({ from, to, amount, isAcross: true });
    expect(quote.provider).toBe('across');
    const before = await world.balance(to, user.address, world.other);
    const built = await world.build(quote.quoteId, user.address);
    await world.executed(built, user);
    const done = await world.mining(built.transactionId, { status: 'completed' });
    expect(done.timeline.map(({ step, status }) => `${step} ${status}`)).toEqual(
      steps.map((step) => `${step} completed`),
    );
    const gained = (await world.balance(to, user.address, world.other)) - before;
    expect(gained).toBe(BigInt(done.result!.finalAmountOut!));
    expect(gained).toBe(BigInt(built.outputAmount));
    expect(gained).toBe(BigInt(quote.outputAmount));
  });
});
