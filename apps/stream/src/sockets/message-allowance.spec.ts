import { MessageAllowance } from './message-allowance';

describe('an allowance', () => {
  it('is used up at once, and grows again with time to no more than it was', () => {
    let nowMs = 0;
    const allowance = new MessageAllowance(3, 2, () => nowMs);
    const spend = () => Array.from({ length: 4 }, () => allowance.spend());
    expect(spend()).toEqual([true, true, true, false]);
    nowMs = 499;
    expect(allowance.spend()).toBe(false);
    nowMs = 1_000;
    expect(spend()).toEqual([true, true, false, false]);
    nowMs = 60_000;
    expect(spend()).toEqual([true, true, true, false]);
  });
});
