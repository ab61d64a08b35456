import fc from 'fast-check';
import {
  decodeFrame,
  decodeOutcomes,
  encodeFrame,
  encodeOutcomes,
  lengthOf,
  maxFrameItems,
  paymentBytes,
  rejections,
  usdt,
  type ChargeItem,
  type FrameItem,
  type Outcome,
} from './index';

const bytes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((part) => Buffer.from(part));
const uint = (bits: number) => fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n });
const account = bytes(32).map((hash) => `0:${hash.toString('hex')}`);
const dialog = fc.record({
  domain: fc.stringMatching(/^[a-z0-9.-]{1,100}$/),
  timestampS: fc.integer({ min: 1, max: 2 ** 40 }),
});
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const payment = fc
  .record({
    flags: fc.integer({ min: 0, max: 31 }),
    networkId: fc.constantFrom(-239, -3),
    verifyingContract: account,
    from: account,
    to: account,
    amountAtomic: uint(63),
    validAfterS: uint(40),
    validBeforeS: uint(40),
    nonce: bytes(32),
    resourceHash: bytes(32),
    asset: fc.constant(usdt.master),
  })
  .map(paymentBytes);

const session = fc.record({
  publicKey: bytes(32),
  to: maybe(account.filter((text) => !/^0:0+$/.test(text))),
  maxPerPaymentAtomic: uint(128),
  maxTotalAtomic: uint(128),
  validAfterS: uint(64),
  validBeforeS: uint(64),
  nonce: bytes(32),
  signature: bytes(64),
  dialog: maybe(dialog),
});

const chain = fc.record({
  unitAtomic: uint(128),
  length: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  anchor: bytes(32),
  validAfterS: uint(64),
  validBeforeS: uint(64),
  nonce: bytes(32),
  link: bytes(32),
  index: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
});

const channel = fc.record({
  unitAtomic: uint(128),
  length: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  anchor: bytes(32),
  endS: uint(64),
});

const charge: fc.Arbitrary<ChargeItem> = fc.record({
  kind: fc.constantFrom('charge' as const, 'hold' as const, 'check' as const),
  callKey: bytes(16),
  amountAtomic: uint(63),
  holdS: fc.integer({ min: 0, max: 65535 }),
  payment,
  signature: bytes(64),
  publicKey: maybe(bytes(32)),
  stateInit: maybe(fc.uint8Array({ minLength: 1, maxLength: 300 }).map((part) => Buffer.from(part))),
  dialog: maybe(dialog),
  session: maybe(session),
  chain: maybe(chain),
  channel: maybe(channel),
});
const refund = fc.record({
  kind: fc.constant('void' as const),
  callKey: bytes(16),
  confirmationId: bytes(16),
});
const settlement = fc.record({
  kind: fc.constant('settle' as const),
  callKey: bytes(16),
  confirmationId: bytes(16),
  index: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  link: bytes(32),
  units: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  isLast: fc.boolean(),
});
const items: fc.Arbitrary<FrameItem[]> = fc.array(fc.oneof(charge, refund, settlement), { maxLength: 8 });

const outcome: fc.Arbitrary<Outcome> = fc.oneof(
  fc.constant({ status: 'unknown' as const }),
  fc.record({
    status: fc.constant('rejected' as const),
    reason: fc.constantFrom(...rejections),
    retryAfterS: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    approvalId: maybe(bytes(16).filter((id) => id.some((byte) => byte !== 0))),
  }),
  fc.record({
    status: fc.constantFrom('captured', 'held', 'voided', 'checked'),
    digest: bytes(32),
    amountAtomic: uint(63),
    seq: uint(63),
    unixMs: uint(63),
    previousHead: bytes(32),
    signature: bytes(64),
  }),
  fc.record({
    status: fc.constant('settled' as const),
    digest: bytes(32),
    amountAtomic: uint(63),
    seq: uint(63),
    unixMs: uint(63),
    previousHead: bytes(32),
    signature: bytes(64),
    units: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    endMs: uint(63),
    isOpen: fc.boolean(),
  }),
);

describe('payment frames', () => {
  it('decode to the encoded items', () => {
    fc.assert(
      fc.property(items, (list) => {
        const frame = encodeFrame(list);
        expect(decodeFrame(frame)).toEqual(list);
        expect(frame).toHaveLength(list.reduce((length, item) => length + lengthOf(item), 3));
      }),
    );
  });

  it('decode to the encoded outcomes', () => {
    fc.assert(
      fc.property(fc.array(outcome, { maxLength: 8 }), (list) => {
        expect(decodeOutcomes(encodeOutcomes(list))).toEqual(list);
      }),
    );
  });

  it('rejects a frame with an unknown field after an item', () => {
    fc.assert(
      fc.property(charge, refund, fc.integer({ min: 64, max: 255 }), (paid, voided, present) => {
        const [frame, voiding] = [encodeFrame([paid]), encodeFrame([voided])];
        frame[4] = present;
        voiding[4] = 1;
        expect([decodeFrame(frame), decodeFrame(voiding)]).toEqual([undefined, undefined]);
      }),
    );
  });

  it('rejects a frame that is truncated, too long, or of another version', () => {
    fc.assert(
      fc.property(items, fc.nat(), (list, at) => {
        const frame = encodeFrame(list);
        expect(decodeFrame(frame.subarray(0, at % frame.length))).toBeUndefined();
        expect(decodeFrame(Buffer.concat([frame, Buffer.alloc(1)]))).toBeUndefined();
        frame[0] = 2;
        expect(decodeFrame(frame)).toBeUndefined();
      }),
    );
  });

  it('limits the items of a frame, and never throws for arbitrary bytes', () => {
    const tooMany = Buffer.alloc(3 + maxFrameItems * 34 + 34, 2);
    tooMany[0] = 1;
    tooMany.writeUInt16BE(maxFrameItems + 1, 1);
    expect(decodeFrame(tooMany)).toBeUndefined();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), (noise) => {
        decodeFrame(noise);
        decodeOutcomes(noise);
      }),
    );
  });
});
