import type { FeedSubscriber } from '../live-state/feed';
import type { Feeds } from '../live-state/feeds';
import type { LiveState } from '../live-state/resource';
import { OrderSubscriptions, subscribedIn } from './order-subscriptions';

const id = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';
const uri = `tollbridge://orders/${id}`;

function opened() {
  const followers = new Map<string, FeedSubscriber>();
  const feeds = {
    join: (_resource: unknown, order: string, subscriber: FeedSubscriber) => {
      followers.set(order, subscriber);
      return order;
    },
    leave: (order: string) => void followers.delete(order),
  };
  const notified: string[] = [];
  const subscriptions = new OrderSubscriptions(feeds as unknown as Feeds);
  return {
    followers,
    notified,
    follow: (uris: string[]) => subscriptions.follow(uris, (changed) => void notified.push(changed)),
    state: (version: string) => followers.get(id)!.onState({ id: version, json: '{}' } as LiveState, ''),
  };
}

it('notifies of a change after the subscription began, once for each state', () => {
  const { follow, state, notified } = opened();
  follow([uri]);
  for (const version of ['1', '1', '2', '2', '3']) state(version);
  expect(notified).toEqual([uri, uri]);
});

it('watches an order once for all subscriptions, until the last one has ended', () => {
  const { follow, state, notified, followers } = opened();
  const [endFirst, endSecond] = [follow([uri]), follow([uri])];
  state('1');
  endFirst();
  endFirst();
  state('2');
  expect(notified).toEqual([uri]);
  endSecond();
  expect(followers.size).toBe(0);
});

it('watches only orders', () => {
  const { follow, followers } = opened();
  follow(['tollbridge://docs/pay', 'tollbridge://orders/..', 'https://example.com'])();
  expect(followers.size).toBe(0);
});

it('reads the resources of a message, and rejects more than 20', () => {
  const message = (resourceSubscriptions: unknown) => ({
    params: { notifications: { resourceSubscriptions } },
  });
  expect(subscribedIn(message([uri, uri, 7]))).toEqual([uri]);
  for (const other of [{}, { params: null }, message('x')]) expect(subscribedIn(other)).toEqual([]);
  expect(() => subscribedIn(message(Array(21).fill(uri)))).toThrow(
    expect.objectContaining({ code: 'VALIDATION_ERROR' }),
  );
});
