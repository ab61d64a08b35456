import { randomBytes } from 'node:crypto';
import { confirmationBytes, type FrameItem, type SettledOutcome } from '@tollbridge/nanopay-protocol';
import { ManualClock } from '@tollbridge/testing';
import { Buyer, statusOf, TeeWorld } from '../testing/tee-world';

let world: TeeWorld;
let clock: ManualClock;
let buyer: Buyer;

beforeAll(async () => {
  clock = new ManualClock();
  world = await TeeWorld.start(clock);
  await world.startApp();
}, 60_000);
afterAll(() => world?.close(), 60_000);
beforeEach(async () => {
  buyer = new Buyer();
  await world.fund(buyer, 10_000n);
});

const late = 'invalid_ton_nanopay_valid_before';
const end = (): void => clock.advance(70_000);
const copyOf = (item: FrameItem, changes: Partial<FrameItem>): FrameItem =>
  ({ ...item, ...changes }) as FrameItem;
describe('a payment whose time is over', () => {
  it('is answered to its own call as it was, also after a restart', async () => {
    const item = buyer.pay(world.nowMs);
    const before = await world.sendOne(item);
    expect(before.status).toBe('captured');
    end();
    expect(await world.sendOne(item)).toEqual(before);
    await world.startApp();
    expect(await world.sendOne(item)).toEqual(before);
    expect(await world.balanceOf(buyer.address)).toMatchObject({ available: '9000', spent: '1000' });
  });

  it('is too late for all others, and for other payments with its nonce', async () => {
    const nonce = randomBytes(32);
    const item = buyer.pay(world.nowMs, { nonce });
    const other = buyer.pay(world.nowMs, { nonce, amountAtomic: 5n }, { callKey: item.callKey });
    expect((await world.sendOne(item)).status).toBe('captured');
    end();
    const copies = [
      copyOf(item, { callKey: randomBytes(16) }),
      copyOf(item, { kind: 'hold' }),
      copyOf(item, { kind: 'check' }),
      other,
    ];
    expect((await world.send(copies)).map(statusOf)).toEqual(copies.map(() => late));
  });

  it('is not charged if it was not before', async () => {
    const item = buyer.pay(world.nowMs);
    end();
    expect(statusOf(await world.sendOne(item))).toBe(late);
    expect(await world.balanceOf(buyer.address)).toMatchObject({ available: '10000' });
  });

  it('is too late for its own call too once it was given back', async () => {
    const item = buyer.pay(world.nowMs);
    const { digest } = (await world.sendOne(item)) as SettledOutcome;
    const { callKey } = item;
    end();
    const outcome = await world.sendOne({
      ...{ kind: 'void', callKey, confirmationId: confirmationBytes(digest) },
    });
    expect(outcome.status).toBe('voided');
    expect(statusOf(await world.sendOne(item))).toBe(late);
  });
});
