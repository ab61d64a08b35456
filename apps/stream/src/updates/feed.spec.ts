import { updateOf } from '../testing/fake-engine';
import { Feed, readUpdate, type Subscriber } from './feed';

const id = '0199aa11-93d0-7e52-b1c4-0a7d2e6f4c18';

// Parses a frame of more than 125 bytes and less than 64 KiB, which has a header of 4 bytes.
const read = (frame: Buffer) => JSON.parse(frame.subarray(4).toString());

class RecordingSubscriber implements Subscriber {
  readonly calls: unknown[] = [];
  onSubscribed(_id: string, state: Buffer): void {
    this.calls.push('subscribed', read(state).data.version);
  }
  onUpdate(state: Buffer): void {
    this.calls.push(read(state).data.version);
  }
  onRejected(_id: string, reason: string): void {
    this.calls.push(reason);
  }
}

describe('Feed', () => {
  it('starts with the first known state and sends only newer versions', () => {
    const feed = new Feed(id);
    const subscriber = new RecordingSubscriber();
    feed.add(subscriber);
    expect(feed.isKnown).toBe(false);
    const counts = [3, 2, 3, 5, 4, 6, 1].map((version) => feed.apply(updateOf(id, version)));
    expect(counts).toEqual([1, 0, 0, 1, 0, 1, 0]);
    expect(subscriber.calls).toEqual(['subscribed', 3, 5, 6]);
  });

  it('sends the current state once to a later subscriber', () => {
    const feed = new Feed(id);
    feed.apply(updateOf(id, 4));
    const subscriber = new RecordingSubscriber();
    feed.add(subscriber);
    feed.apply(updateOf(id, 4));
    feed.apply(updateOf(id, 5));
    expect(subscriber.calls).toEqual(['subscribed', 4, 5]);
  });

  it('encodes an update once for all subscribers, with declared fields only', () => {
    const feed = new Feed(id);
    const states: Buffer[] = [];
    const subscriber = {
      onSubscribed: (_id: string, state: Buffer) => void states.push(state),
      onUpdate: () => undefined,
    };
    for (let count = 0; count < 2; count++) feed.add({ ...subscriber, onRejected: () => undefined });
    feed.apply({ ...updateOf(id, 1), secret: 'of a newer service' } as never);
    expect(states[0]).toBe(states[1]);
    const expected = { type: 'transaction_update', data: updateOf(id, 1) };
    expect(read(states[0]!)).toEqual(expected);
  });

  it('sends an empty hash while the step has no transaction', () => {
    const feed = new Feed(id);
    let sent: Buffer | undefined;
    const keep = (_id: string, state: Buffer) => void (sent = state);
    feed.add({ onSubscribed: keep, onUpdate: () => undefined, onRejected: () => undefined });
    feed.apply({ ...updateOf(id, 1), txHash: null });
    expect(read(sent!).data.txHash).toBe('');
  });

  it('rejects and removes all waiting subscribers', () => {
    const feed = new Feed(id);
    const [one, other] = [new RecordingSubscriber(), new RecordingSubscriber()];
    feed.add(one);
    feed.add(other);
    feed.reject('NOT_FOUND');
    expect([one.calls, other.calls]).toEqual([['NOT_FOUND'], ['NOT_FOUND']]);
    expect(feed.subscribers.size).toBe(0);
  });
});

describe('readUpdate', () => {
  it.each([
    [updateOf('0199aa11-93d0-7e52-b1c4-0a7d2e6f4c19', 1)],
    [{ ...updateOf(id, 1), version: '1' }],
    [{ ...updateOf(id, 1), version: 0 }],
    [{ ...updateOf(id, 1), version: 1.5 }],
    [null],
    [undefined],
    ['text'],
  ])('returns undefined for %j', (data) => {
    expect(readUpdate(id, data)).toBeUndefined();
  });
});
