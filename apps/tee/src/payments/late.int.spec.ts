import { randomBytes } from 'node:crypto';
import {
  confirmationBytes,
  keylessCallPrefix,
  type FrameItem,
  type SettledOutcome,
} from '@tollbridge/nanopay-protocol';
import { ManualClock } from '@tollbridge/testing';
import { Buyer, statusOf, TeeHarness } from '../testing/tee-harness';

let harness: TeeHarness;
let clock: ManualClock;
let buyer: Buyer;

beforeAll(async () => {
  clock = new ManualClock();
  harness = await TeeHarness.start(clock);
  await harness.startApp();
});
afterAll(() => harness?.close());
beforeEach(async () => {
  buyer = new Buyer();
  await harness.fund(buyer, 10_000n);
});

const late = 'invalid_ton_nanopay_valid_before';
const end = (): void => clock.advance(70_000);
const copyOf = (item: FrameItem, changes: Partial<FrameItem>): FrameItem =>
  ({ ...item, ...changes }) as FrameItem;
describe('an expired payment', () => {
  it('charges the payment within the allowed clock skew, and replays that outcome only for its own call', async () => {
    const item = buyer.pay(harness.nowMs, {
      validAfterS: harness.nowS - 60n,
      validBeforeS: harness.nowS - 3n,
    });
    const first = await harness.sendOne(item);
    expect(first.status).toBe('captured');
    clock.advance(3_000);
    expect(statusOf(await harness.sendOne(copyOf(item, { callKey: randomBytes(16) })))).toBe(late);
    expect(await harness.sendOne(item)).toEqual(first);
    expect(await harness.balanceOf(buyer.address)).toMatchObject({ spent: '1000' });
  });

  it('returns the stored outcome to its own call, also after a restart', async () => {
    const item = buyer.pay(harness.nowMs);
    const before = await harness.sendOne(item);
    expect(before.status).toBe('captured');
    end();
    expect(await harness.sendOne(item)).toEqual(before);
    await harness.startApp();
    expect(await harness.sendOne(item)).toEqual(before);
    expect(await harness.balanceOf(buyer.address)).toMatchObject({ available: '9000', spent: '1000' });
  });

  it('rejects other calls and other payments with its nonce', async () => {
    const nonce = randomBytes(32);
    const item = buyer.pay(harness.nowMs, { nonce });
    const other = buyer.pay(harness.nowMs, { nonce, amountAtomic: 5n }, { callKey: item.callKey });
    expect((await harness.sendOne(item)).status).toBe('captured');
    end();
    const copies = [
      copyOf(item, { callKey: randomBytes(16) }),
      copyOf(item, { kind: 'hold' }),
      copyOf(item, { kind: 'check' }),
      other,
    ];
    expect((await harness.send(copies)).map(statusOf)).toEqual(copies.map(() => late));
  });

  it('accepts the claim of one call with a key when a call without a key has charged it in time', async () => {
    const keyless = () => Buffer.concat([keylessCallPrefix, randomBytes(8)]);
    const item = buyer.pay(harness.nowMs, {}, { callKey: keyless() });
    const before = await harness.sendOne(item);
    expect(before.status).toBe('captured');
    end();
    const forged = copyOf(item, {
      callKey: randomBytes(16),
      signature: Buffer.alloc(64, 1),
    } as Partial<FrameItem>);
    expect(statusOf(await harness.sendOne(forged))).toBe(late);
    const claim = copyOf(item, { callKey: randomBytes(16) });
    expect(await harness.sendOne(claim)).toEqual(before);
    const copies = [randomBytes(16), keyless()].map((callKey) => copyOf(item, { callKey }));
    expect((await harness.send(copies)).map(statusOf)).toEqual([late, late]);
    expect(await harness.sendOne(claim)).toEqual(before);
    expect(await harness.balanceOf(buyer.address)).toMatchObject({ available: '9000', spent: '1000' });
  });

  it('charges nothing if it was not charged before its expiry', async () => {
    const item = buyer.pay(harness.nowMs);
    end();
    expect(statusOf(await harness.sendOne(item))).toBe(late);
    expect(await harness.balanceOf(buyer.address)).toMatchObject({ available: '10000' });
  });

  it('rejects its own call after a refund', async () => {
    const item = buyer.pay(harness.nowMs);
    const { digest } = (await harness.sendOne(item)) as SettledOutcome;
    const { callKey } = item;
    end();
    const outcome = await harness.sendOne({
      kind: 'void',
      callKey,
      confirmationId: confirmationBytes(digest),
    });
    expect(outcome.status).toBe('voided');
    expect(statusOf(await harness.sendOne(item))).toBe(late);
  });
});
