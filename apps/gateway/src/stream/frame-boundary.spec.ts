import { closeFrame, FrameBoundary } from './frame-boundary';

/** A text frame as a server sends it. */
function text(bytes: number): Buffer {
  const header =
    bytes < 126
      ? [0x81, bytes]
      : bytes < 65_536
        ? [0x81, 126, bytes >> 8, bytes & 0xff]
        : [0x81, 127, 0, 0, 0, 0, 0, bytes >> 16, (bytes >> 8) & 0xff, bytes & 0xff];
  return Buffer.concat([Buffer.from(header), Buffer.alloc(bytes, 'x')]);
}

describe('FrameBoundary', () => {
  it.each([0, 1, 125, 126, 127, 65_535, 65_536])(
    'finds the end of a frame of %i bytes, however it is split',
    (bytes) => {
      const all = Buffer.concat([text(bytes), text(3)]);
      for (const size of [1, 2, 3, 7, 1_000, all.length]) {
        const frames = new FrameBoundary();
        const boundaries: number[] = [];
        for (let at = 0; at < all.length; at += size) {
          const chunk = all.subarray(at, at + size);
          if (frames.take(chunk) !== chunk.length) throw new Error('not all was taken');
          if (frames.isHere) boundaries.push(at + chunk.length);
        }
        expect(boundaries.at(-1)).toBe(all.length);
        if (size === 1) expect(boundaries).toEqual([text(bytes).length, all.length]);
      }
    },
  );

  it('stops at a boundary only when asked to', () => {
    const frames = new FrameBoundary();
    const [one, two] = [text(300), text(200)];
    const all = Buffer.concat([one, two]);
    expect(frames.take(all.subarray(0, 100))).toBe(100);
    expect(frames.isHere).toBe(false);
    expect(frames.take(all.subarray(100), true)).toBe(one.length - 100);
    expect(frames.isHere).toBe(true);
    expect(frames.take(two, true)).toBe(0);
  });

  it('detects a complete close frame', () => {
    const frames = new FrameBoundary();
    frames.take(text(5));
    expect(frames.hasClosed).toBe(false);
    const goodbye = closeFrame(1012, 'later');
    frames.take(goodbye.subarray(0, 3));
    expect(frames.hasClosed).toBe(false);
    frames.take(goodbye.subarray(3));
    expect(frames.hasClosed).toBe(true);
  });

  it('counts the mask of a masked frame', () => {
    const frames = new FrameBoundary();
    frames.take(Buffer.from([0x81, 0x82, 1, 2, 3, 4, 5]));
    expect(frames.isHere).toBe(false);
    frames.take(Buffer.from([6]));
    expect(frames.isHere).toBe(true);
  });
});
