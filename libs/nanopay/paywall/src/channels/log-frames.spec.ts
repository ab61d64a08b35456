import fc from 'fast-check';
import { DamagedLogError, logFrame, readLogFrames } from './log-frames';

const batches = fc.array(fc.uint8Array({ minLength: 1, maxLength: 200 }), { minLength: 1, maxLength: 6 });

describe('readLogFrames', () => {
  it('reads the written records', () => {
    fc.assert(
      fc.property(batches, (list) => {
        const read = readLogFrames(Buffer.concat(list.map(logFrame)));
        expect(read.map((batch) => [...batch])).toEqual(list.map((batch) => [...batch]));
      }),
    );
  });

  it('drops only the last batch if it is truncated at any byte', () => {
    fc.assert(
      fc.property(batches, fc.nat(), (list, cut) => {
        const frames = list.map(logFrame);
        const last = frames.at(-1)!;
        const torn = last.subarray(0, cut % last.length);
        expect(readLogFrames(Buffer.concat([...frames.slice(0, -1), torn]))).toHaveLength(list.length - 1);
      }),
    );
  });

  it('drops a last batch that never reached the disk', () => {
    const [first, last] = [logFrame(Buffer.from('first')), logFrame(Buffer.from('second'))];
    last.fill(0, 14);
    expect(readLogFrames(Buffer.concat([first, last]))).toHaveLength(1);
    expect(readLogFrames(Buffer.concat([first, Buffer.alloc(4_096)]))).toHaveLength(1);
  });

  it('rejects a damaged batch before valid ones, because later links would be accepted again', () => {
    const bytes = Buffer.concat(['a', 'b', 'c'].map((text) => logFrame(Buffer.from(text.repeat(20)))));
    for (const at of [0, 5, 20, 33, 40]) {
      const damaged = Buffer.from(bytes);
      damaged[at]! ^= 0xff;
      expect(() => readLogFrames(damaged)).toThrow(DamagedLogError);
    }
  });
});
