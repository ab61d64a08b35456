import { BeatWheel } from './beat-wheel';

class Member {
  beats = 0;
  beat(): void {
    this.beats++;
  }
}

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('BeatWheel', () => {
  it('calls each member once per period, spread over the period', () => {
    const wheel = new BeatWheel<Member>(15_000, 15);
    const members = Array.from({ length: 30 }, () => new Member());
    for (const member of members) wheel.join(member);
    jest.advanceTimersByTime(1_000);
    expect(members.filter(({ beats }) => beats === 1)).toHaveLength(2);
    jest.advanceTimersByTime(14_000);
    expect(members.map(({ beats }) => beats)).toEqual(members.map(() => 1));
    jest.advanceTimersByTime(15_000);
    expect(members.map(({ beats }) => beats)).toEqual(members.map(() => 2));
  });

  it('runs one timer, only while it has members', () => {
    const wheel = new BeatWheel<Member>(15_000);
    const members = [new Member(), new Member()];
    const slots = members.map((member) => wheel.join(member));
    expect(jest.getTimerCount()).toBe(1);
    wheel.leave(members[0]!, slots[0]!);
    expect(jest.getTimerCount()).toBe(1);
    wheel.leave(members[1]!, slots[1]!);
    expect(jest.getTimerCount()).toBe(0);
    wheel.join(members[0]!);
    jest.advanceTimersByTime(15_000);
    expect(members.map(({ beats }) => beats)).toEqual([1, 0]);
  });
});
