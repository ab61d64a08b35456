import { updateOf } from '../testing/fake-engine';
import { Feed, readUpdate, type Follower } from './feed';

const id = '0199aa11-93d0-7e52-b1c4-0a7d2e6f4c18';

// Longer than 125 bytes, shorter than 64 KiB: a header of 4 bytes.
const read = (frame: Buffer) => JSON.parse(frame.subarray(4).toString());

class Heard implements Follower {
  readonly said: unknown[] = [];
  began(_id: string, state: Buffer): void {
    this.said.push('began', read(state).data.version);
  }
  changed(state: Buffer): void {
    this.said.push(read(state).data.version);
  }
  refused(_id: string, reason: string): void {
    this.said.push(reason);
  }
}

describe('a feed', () => {
  it('begins with whatever is known first, and tells only what is newer', () => {
    const feed = new Feed(id);
    const follower = new Heard();
    feed.add(follower);
    expect(feed.isKnown).toBe(false);
    const told = [3, 2, 3, 5, 4, 6, 1].map((version) => feed.take(updateOf(id, version)));
    expect(told).toEqual([1, 0, 0, 1, 0, 1, 0]);
    expect(follower.said).toEqual(['began', 3, 5, 6]);
  });

  it('tells who comes later the present state, once', () => {
    const feed = new Feed(id);
    feed.take(updateOf(id, 4));
    const follower = new Heard();
    feed.add(follower);
    feed.take(updateOf(id, 4));
    feed.take(updateOf(id, 5));
    expect(follower.said).toEqual(['began', 4, 5]);
  });

  it('encodes a change once for all, with what is declared and nothing else', () => {
    const feed = new Feed(id);
    const states: Buffer[] = [];
    const keep = { began: (_id: string, state: Buffer) => void states.push(state), changed: () => undefined };
    for (let count = 0; count < 2; count++) feed.add({ ...keep, refused: () => undefined });
    feed.take({ ...updateOf(id, 1), secret: 'of a newer service' } as never);
    expect(states[0]).toBe(states[1]);
    const expected = { type: 'transaction_update', data: updateOf(id, 1) };
    expect(read(states[0]!)).toEqual(expected);
  });

  it('refuses all that wait, and forgets them', () => {
    const feed = new Feed(id);
    const [one, other] = [new Heard(), new Heard()];
    feed.add(one);
    feed.add(other);
    feed.refuse('NOT_FOUND');
    expect([one.said, other.said]).toEqual([['NOT_FOUND'], ['NOT_FOUND']]);
    expect(feed.followers.size).toBe(0);
  });
});

describe('an update from the bus', () => {
  it.each([
    [updateOf('0199aa11-93d0-7e52-b1c4-0a7d2e6f4c19', 1)],
    [{ ...updateOf(id, 1), version: '1' }],
    [{ ...updateOf(id, 1), version: 0 }],
    [{ ...updateOf(id, 1), version: 1.5 }],
    [null],
    [undefined],
    ['text'],
  ])('is none of this set: %j', (data) => {
    expect(readUpdate(id, data)).toBeUndefined();
  });
});
