import { MessageRateLimit } from './message-rate-limit';

describe('MessageRateLimit', () => {
  it('allows the burst and refills over time up to the burst', () => {
    let nowMs = 0;
    const rateLimit = new MessageRateLimit(3, 2, () => nowMs);
    const spend = () => Array.from({ length: 4 }, () => rateLimit.take());
    expect(spend()).toEqual([true, true, true, false]);
    nowMs = 499;
    expect(rateLimit.take()).toBe(false);
    nowMs = 1_000;
    expect(spend()).toEqual([true, true, false, false]);
    nowMs = 60_000;
    expect(spend()).toEqual([true, true, true, false]);
  });
});
