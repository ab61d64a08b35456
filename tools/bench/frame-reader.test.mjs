import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FrameReader, pongFrame, textFrame } from './frame-reader.mjs';
import { orderIdOf } from './filled-orders.mjs';
import { hashWithTime, timeIn } from './stream-clock.mjs';

const serverFrame = (opcode, text) => {
  const payload = Buffer.from(text);
  const head =
    payload.length < 126
      ? [0x80 | opcode, payload.length]
      : [0x80 | opcode, 126, payload.length >> 8, payload.length & 255];
  return Buffer.concat([Buffer.from(head), payload]);
};

describe('FrameReader', () => {
  const long = 'x'.repeat(300);
  const bytes = Buffer.concat([
    serverFrame(1, 'one'),
    serverFrame(9, ''),
    serverFrame(1, long),
    serverFrame(1, 'two'),
  ]);
  const expected = [
    [1, 'one'],
    [9, ''],
    [1, long],
    [1, 'two'],
  ];

  for (const size of [1, 2, 3, 7, 200, bytes.length])
    it(`reads frames that arrive in chunks of ${size} bytes in reused memory`, () => {
      const memory = Buffer.alloc(size);
      const found = [];
      const reader = new FrameReader((opcode, payload) => found.push([opcode, payload.toString()]));
      for (let at = 0; at < bytes.length; at += size) {
        const copied = bytes.copy(memory, 0, at, at + size);
        reader.take(memory.subarray(0, copied));
      }
      assert.deepEqual(found, expected);
    });
});

describe('client frames', () => {
  const unmasked = (frame) => {
    const at = (frame[1] & 0x7f) === 126 ? 4 : 2;
    const mask = frame.subarray(at, at + 4);
    return frame.subarray(at + 4).map((byte, index) => byte ^ mask[index % 4]);
  };

  it('mask their payload, short and long', () => {
    for (const text of ['hello', 'y'.repeat(200)]) {
      const frame = textFrame(text);
      assert.equal(frame[0], 0x81);
      assert.ok(frame[1] & 0x80);
      assert.equal(Buffer.from(unmasked(frame)).toString(), text);
    }
    assert.equal(pongFrame(Buffer.from('p'))[0], 0x8a);
  });
});

describe('timeIn', () => {
  const message = (txHash) => Buffer.from(JSON.stringify({ data: { txHash, version: 2 } }));

  it('reads the time that a hash was created with', () => {
    assert.equal(timeIn(message(hashWithTime(1_795_176_000_123_456))), 1_795_176_000_123_456);
  });

  it('distinguishes a hash without a time from a missing hash', () => {
    assert.ok(Number.isNaN(timeIn(message(`0x${'ab'.repeat(32)}`))));
    assert.equal(timeIn(message(null)), undefined);
  });
});

describe('orderIdOf', () => {
  it('returns the id that fill-orders.sql assigns to the order', () => {
    // SELECT overlay(overlay(md5('order 1') PLACING '4' FROM 13) PLACING '8' FROM 17)::uuid
    assert.equal(orderIdOf(1), '99a233e6-7156-412c-8681-c22c78e91aaa');
  });
});
