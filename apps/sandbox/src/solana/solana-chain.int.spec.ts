import { sandboxSolanaKey } from './genesis';
import { SolanaRepository } from './solana.repository';
import { openSolanaHarness, SlotClock, type SolanaHarness } from './testing/open-solana-harness';
import { transferTransaction } from './transfer-transaction';

let clock: SlotClock;
let harness: SolanaHarness;
beforeAll(async () => {
  clock = new SlotClock();
  harness = await openSolanaHarness(clock);
});
afterAll(() => harness?.close());

it('publishes no slot before its transactions are stored', async () => {
  const { chain } = harness.simulator;
  const slots = await chain.slots();
  const { blockhash } = slots.block(await chain.slot('confirmed'));
  const { commit } = SolanaRepository.prototype;
  let headWhileStoring = Infinity;
  const spy = jest.spyOn(SolanaRepository.prototype, 'commit').mockImplementationOnce(async function (
    this: SolanaRepository,
    change,
  ) {
    for (let slot = 0; slot < 10; slot++) clock.passSlot();
    headWhileStoring = await chain.slot('confirmed');
    await commit.call(this, change);
  });
  const receiver = sandboxSolanaKey('merchant').address;
  const wire = transferTransaction(sandboxSolanaKey('payer'), receiver, 1n, blockhash);
  const signature = await chain.send(wire, false);
  spy.mockRestore();
  const stored = await chain.stored.transaction(signature);
  expect(headWhileStoring).toBe(slots.lastBlockUpTo(stored!.slot - 1));
  expect(await chain.slot('confirmed')).toBeGreaterThan(stored!.slot);
  expect(harness.problems).toEqual([]);
});
