import { processorMsOf } from '@tollbridge/testing';
import { randomInt } from 'node:crypto';
import { TcpMessages, tcpMessage, type TcpMessage } from './tcp-messages';

const lengths = [0, 1, 7, 8, 9, 300, 70_000];
const sent: TcpMessage[] = lengths.map((length, number) => ({ number, bytes: Buffer.alloc(length, number) }));
const stream = Buffer.concat(sent.map(({ number, bytes }) => tcpMessage(number, bytes)));

/** Cuts the same bytes into pieces. */
function* cut(bytes: Buffer, lengthOf: () => number): Generator<Buffer> {
  for (let at = 0; at < bytes.length;) {
    const length = lengthOf();
    yield bytes.subarray(at, at + length);
    at += length;
  }
}

describe('TCP messages', () => {
  it('begin with their length and number', () => {
    expect(tcpMessage(0x01020304, Buffer.from('abc')).toString('hex')).toBe('0000000301020304616263');
  });

  it.each<[string, () => number]>([
    ['byte by byte', () => 1],
    ['all at once', () => stream.length],
    ['split after each header', () => 8],
    ['in random pieces', () => randomInt(1, 100_000)],
    ['in small pieces', () => randomInt(1, 20)],
  ])('parses messages that arrive %s', (_name, lengthOf) => {
    const messages = new TcpMessages(70_000);
    const read = [...cut(stream, lengthOf)].flatMap((piece) => [...messages.read(piece)]);
    expect(read).toEqual(sent);
  });

  it('rejects a message that is too long by its header, before buffering it', () => {
    const messages = new TcpMessages(10);
    expect([...messages.read(tcpMessage(1, Buffer.alloc(10)))]).toHaveLength(1);
    const head = tcpMessage(2, Buffer.alloc(11)).subarray(0, 8);
    expect(() => [...messages.read(head)]).toThrow(RangeError);
  });

  it('take linear time to parse from many pieces', () => {
    const messages = new TcpMessages(900_000);
    const message = tcpMessage(1, Buffer.alloc(900_000));
    const tookMs = processorMsOf(() => {
      const read = [...cut(message, () => 10)].flatMap((piece) => [...messages.read(piece)]);
      expect(read).toHaveLength(1);
    });
    // 90,000 pieces. Joining them at each piece would copy 40 GB.
    expect(tookMs).toBeLessThan(2_000);
  });
});
