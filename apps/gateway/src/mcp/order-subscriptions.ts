import { Injectable } from '@nestjs/common';
import { DomainError, uuidOf } from '@tollbridge/rpc';
import type { Feed, FeedSubscriber } from '../live-state/feed';
import { Feeds } from '../live-state/feeds';
import { liveOrder } from '../live-state/resource';
import { ordersPrefix } from './resources';

/** The limit of one subscription, because each order is read when it changes. */
const maxOrders = 20;

interface Followed {
  feed: Feed;
  subscriber: FeedSubscriber;
  subscriptions: number;
}

/** Watches the orders of subscriptions, once for all subscriptions to the same order. */
@Injectable()
export class OrderSubscriptions {
  private readonly followed = new Map<string, Followed>();

  constructor(private readonly feeds: Feeds) {}

  /**
   * @param notify receives the URI of an order that has changed since the subscription began
   * @returns a function that ends the subscription
   */
  follow(uris: readonly string[], notify: (uri: string) => void): () => void {
    const known = uris.filter((uri) => idIn(uri) !== undefined);
    for (const uri of known) this.join(uri, notify);
    return () => {
      for (const uri of known.splice(0)) this.leave(uri);
    };
  }

  private join(uri: string, notify: (uri: string) => void): void {
    const other = this.followed.get(uri);
    if (other) return void other.subscriptions++;
    let seen: string | undefined;
    const subscriber: FeedSubscriber = {
      onState: ({ id, json }) => {
        const state = id ?? json;
        if (seen !== undefined && seen !== state) notify(uri);
        seen = state;
      },
      // A failure changes no state that a client has, so it is ignored.
      onFailure: () => undefined,
    };
    const feed = this.feeds.join(liveOrder, idIn(uri)!, subscriber);
    this.followed.set(uri, { feed, subscriber, subscriptions: 1 });
  }

  private leave(uri: string): void {
    const followed = this.followed.get(uri)!;
    if (--followed.subscriptions > 0) return;
    this.followed.delete(uri);
    this.feeds.leave(followed.feed, followed.subscriber);
  }
}

const idIn = (uri: string): string | undefined =>
  uri.startsWith(ordersPrefix) ? uuidOf(uri.slice(ordersPrefix.length)) : undefined;

/** The resources in a message `subscriptions/listen`, without duplicates. @throws DomainError VALIDATION_ERROR */
export function subscribedIn({ params }: Record<string, unknown>): string[] {
  const { notifications } = (params ?? {}) as { notifications?: { resourceSubscriptions?: unknown } };
  const given = notifications?.resourceSubscriptions;
  // The protocol rejects any other type.
  const uris = Array.isArray(given) ? given.filter((uri): uri is string => typeof uri === 'string') : [];
  if (uris.length <= maxOrders) return [...new Set(uris)];
  throw DomainError.invalid([
    {
      field: 'notifications.resourceSubscriptions',
      message: `must not have more than ${maxOrders} resources`,
    },
  ]);
}
