import { StreamSlots } from './stream-slots';

describe('StreamSlots', () => {
  it('rejects streams above the limit of the process', () => {
    const slots = new StreamSlots({ maxStreams: 2, maxPerAddress: 2 });
    slots.take('a');
    slots.take('b');
    expect(() => slots.take('c')).toThrow(expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }));
    slots.release('a');
    slots.take('c');
    expect(slots.used).toBe(2);
  });

  it('rejects streams above the limit of an address without using a slot for them', () => {
    const slots = new StreamSlots({ maxStreams: 10, maxPerAddress: 2 });
    slots.take('a');
    slots.take('a');
    expect(() => slots.take('a')).toThrow(
      expect.objectContaining({ code: 'RATE_LIMIT_EXCEEDED', retryAfterSeconds: 30 }),
    );
    slots.take('b');
    expect(slots.used).toBe(3);
    slots.release('a');
    slots.take('a');
    slots.release('a');
    slots.release('a');
    slots.release('b');
    expect(slots.used).toBe(0);
  });
});
