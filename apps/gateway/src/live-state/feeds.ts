import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ServiceLogger } from '@tollbridge/bootstrap';
import type { Logger } from '@tollbridge/observability';
import { BusClient, BusConnection, DomainError, EventVerifier } from '@tollbridge/rpc';
import { Feed, keyOf, type FeedSubscriber } from './feed';
import type { LiveResource } from './resource';
import { ReadTimes } from './read-times';
import { StateChanges } from './state-changes';

// Limits the load on the services when all streams are refreshed after an outage.
const maxConcurrentReads = 64;
const retryMs = 500;

/**
 * Reads the state of each watched resource once per change, for any number of streams. Changes during a read cause one
 * further read, so a burst causes two reads.
 */
@Injectable()
export class Feeds implements OnApplicationShutdown {
  private readonly feeds = new Map<string, Feed>();
  /** Feeds to read, in the order of their changes. */
  private readonly queue = new Set<Feed>();
  /** Feeds to read again, because their state could not be read after a change. */
  private readonly failed = new Set<Feed>();
  /** Feeds with states that change without an event. */
  private readonly times = new ReadTimes<Feed>((feed) => this.read(feed));
  private readonly changes: StateChanges;
  private retry: NodeJS.Timeout | undefined;
  private reads = 0;

  constructor(
    bus: BusConnection,
    private readonly client: BusClient,
    verifier: EventVerifier,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    this.changes = new StateChanges(bus, verifier, {
      onChange: (key) => this.onChange(key),
      onGap: () => this.refreshAll(),
    });
  }

  /** Sends the current state and each later state to the subscriber, or the error of a failure. */
  join(resource: LiveResource, id: string, subscriber: FeedSubscriber): Feed {
    // Subscribed before the state is read, on the same connection, so that no change is missed between both.
    this.changes.start();
    const key = keyOf(resource, id);
    const feed = this.feeds.get(key) ?? new Feed(resource, id);
    this.feeds.set(key, feed);
    feed.joining = [...feed.joining, subscriber];
    // A read in progress is recent enough, because a change after its reply causes an event.
    if (!feed.isReading) this.enqueue(feed);
    return feed;
  }

  leave(feed: Feed, subscriber: FeedSubscriber): void {
    feed.leave(subscriber);
    if (feed.isEmpty) this.forget(feed);
  }

  onApplicationShutdown(): void {
    clearTimeout(this.retry);
    this.times.clear();
    this.changes.stop();
  }

  private onChange(key: string): void {
    const feed = this.feeds.get(key);
    if (feed) this.read(feed);
  }

  private refreshAll(): void {
    for (const feed of this.feeds.values()) this.read(feed);
  }

  private read(feed: Feed): void {
    if (feed.isReading) feed.isDirty = true;
    else this.enqueue(feed);
  }

  private enqueue(feed: Feed): void {
    this.queue.add(feed);
    this.readNext();
  }

  private readNext(): void {
    for (const feed of this.queue) {
      if (this.reads >= maxConcurrentReads) return;
      this.queue.delete(feed);
      void this.readState(feed);
    }
  }

  private async readState(feed: Feed): Promise<void> {
    this.reads++;
    feed.isReading = true;
    try {
      const state = await feed.resource.read(this.client, feed.id);
      feed.apply(state);
      // A final state ends all streams, so the feed may be empty.
      if (!feed.isEmpty) this.times.set(feed, state.readAgainAtMs);
    } catch (error) {
      this.fail(feed, error);
    }
    this.reads--;
    feed.isReading = false;
    const isAgain = feed.isDirty && !feed.isEmpty;
    feed.isDirty = false;
    if (isAgain) this.queue.add(feed);
    else if (feed.isEmpty) this.forget(feed);
    this.readNext();
  }

  private fail(feed: Feed, error: unknown): void {
    feed.rejectJoining(error);
    if (feed.joined.size === 0) return;
    if (error instanceof DomainError && error.code === 'NOT_FOUND') return feed.rejectJoined(error);
    this.logger.warn({ err: error }, 'state of an event stream not read, retrying');
    this.failed.add(feed);
    this.retry ??= setTimeout(() => this.retryFailed(), retryMs).unref();
  }

  private retryFailed(): void {
    this.retry = undefined;
    const failed = [...this.failed];
    this.failed.clear();
    for (const feed of failed) this.read(feed);
  }

  private forget(feed: Feed): void {
    this.queue.delete(feed);
    this.failed.delete(feed);
    this.times.set(feed, undefined);
    if (this.feeds.get(feed.key) === feed) this.feeds.delete(feed.key);
    if (this.feeds.size === 0) this.changes.stop();
  }
}
