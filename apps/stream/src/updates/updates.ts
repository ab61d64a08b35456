import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { transactionEvents } from '@tollbridge/contracts';
import { BusConnection, eventDecoder, EventVerifier, LastingSubscription, subjectOf } from '@tollbridge/rpc';
import { Metrics, type Logger } from '@tollbridge/observability';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import type { Msg } from 'nats';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StreamConfig } from '../config';
import { Feed, readUpdate, type Subscriber } from './feed';
import { Snapshots } from './snapshots';
import { ConcurrencyLimit } from './concurrency-limit';

interface ActiveFeed {
  feed: Feed;
  subscription: LastingSubscription;
}

// Limits the load on tx-engine when thousands of clients reconnect at the same time.
const maxConcurrentRequests = 64;
const retryMs = 500;

const decodeUpdate = eventDecoder([transactionEvents['transaction-updated']]);

/**
 * Subscribes to transaction sets for the sockets of this process. The subscribers of a set share one bus subscription,
 * so a replica receives only the events that its own sockets need.
 */
@Injectable()
export class Updates implements OnApplicationShutdown {
  private readonly active = new Map<string, ActiveFeed>();
  /** Feeds that may have missed events while the bus was disconnected. */
  private readonly stale = new Set<ActiveFeed>();
  private readonly requests = new ConcurrencyLimit(maxConcurrentRequests);
  private readonly stopping = new AbortController();
  private readonly stopListening: () => void;
  private refreshing: Promise<void> | undefined;
  private readonly count;
  private readonly sent;

  constructor(
    private readonly bus: BusConnection,
    private readonly snapshots: Snapshots,
    private readonly verifier: EventVerifier,
    metrics: Metrics,
    @Inject(ServiceLogger) private readonly logger: Logger,
    @Inject(ServiceConfig) private readonly config: StreamConfig,
  ) {
    this.count = metrics.gauge(
      'tollbridge_stream_transactions',
      'Transaction sets with subscribers in this process',
    );
    this.sent = metrics.counter('tollbridge_stream_updates_sent_total', 'Updates sent to sockets');
    this.stopListening = bus.onInterruption(() => bus.isConnected && this.refreshAll());
  }

  /** Sends the subscriber the current state and every later update, or the reason of the failure. */
  subscribe(transactionId: string, subscriber: Subscriber): void {
    const known = this.active.get(transactionId);
    if (known) {
      known.feed.add(subscriber);
      if (known.feed.isKnown) this.sent.inc();
      return;
    }
    const entry = this.begin(transactionId);
    if (!entry) return subscriber.onRejected(transactionId, 'SERVICE_UNAVAILABLE');
    entry.feed.add(subscriber);
    // Requested after the subscription on the same connection, so that no change is missed in between.
    void this.requestState(entry);
  }

  unsubscribe(transactionId: string, subscriber: Subscriber): void {
    const entry = this.active.get(transactionId);
    if (!entry?.feed.subscribers.delete(subscriber)) return;
    if (entry.feed.subscribers.size === 0) this.end(entry);
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    this.stopListening();
    for (const entry of [...this.active.values()]) this.end(entry);
    await this.refreshing;
  }

  private begin(transactionId: string): ActiveFeed | undefined {
    if (this.stopping.signal.aborted || this.active.size >= this.config.STREAM_MAX_TRANSACTIONS) return;
    const feed = new Feed(transactionId);
    const subject = subjectOf(transactionEvents['transaction-updated'], transactionId);
    try {
      const subscription = new LastingSubscription(this.bus, subject, {
        onMessage: (message) => this.handle(feed, message),
      });
      const entry = { feed, subscription };
      this.active.set(transactionId, entry);
      this.count.inc();
      return entry;
    } catch (error) {
      this.logger.warn({ err: error }, 'update subscription failed');
      return undefined;
    }
  }

  private end(entry: ActiveFeed): void {
    const { feed, subscription } = entry;
    if (!this.isCurrent(entry)) return;
    this.active.delete(feed.transactionId);
    this.stale.delete(entry);
    this.count.dec();
    subscription.unsubscribe();
  }

  /** False if the set was unsubscribed in the meantime, even if it was subscribed again. */
  private isCurrent(entry: ActiveFeed): boolean {
    return this.active.get(entry.feed.transactionId) === entry;
  }

  private handle(feed: Feed, message: Msg): void {
    try {
      this.verifier.verify(transactionEvents['transaction-updated'].app, message);
      const event = decodeUpdate(message.string(), message.subject);
      const update = readUpdate(feed.transactionId, event?.data);
      if (update) this.sent.inc(feed.apply(update));
      else this.logger.warn({ subject: message.subject }, 'event does not match its subject');
    } catch (cause) {
      this.logger.warn({ err: cause, subject: message.subject }, 'event decoding failed');
    }
  }

  /** @returns whether the request succeeded */
  private async requestState(entry: ActiveFeed): Promise<boolean> {
    const { feed } = entry;
    try {
      const given = await this.requests.run(async () =>
        this.isCurrent(entry) ? this.snapshots.find(feed.transactionId) : undefined,
      );
      if (!this.isCurrent(entry)) return true;
      const update = given && readUpdate(feed.transactionId, given);
      if (update) this.sent.inc(feed.apply(update));
      else if (!feed.isKnown) this.reject(entry, 'NOT_FOUND');
      return true;
    } catch (error) {
      this.logger.warn({ err: error }, 'snapshot request failed');
      if (this.isCurrent(entry) && !feed.isKnown) this.reject(entry, 'SERVICE_UNAVAILABLE');
      return false;
    }
  }

  private reject(entry: ActiveFeed, reason: 'NOT_FOUND' | 'SERVICE_UNAVAILABLE'): void {
    this.end(entry);
    entry.feed.reject(reason);
  }

  private refreshAll(): void {
    for (const entry of this.active.values()) this.stale.add(entry);
    this.refreshing ??= this.refresh().finally(() => (this.refreshing = undefined));
  }

  private async refresh(): Promise<void> {
    while (this.stale.size > 0 && !this.stopping.signal.aborted) {
      const asked = [...this.stale];
      this.stale.clear();
      const answered = await Promise.all(asked.map((entry) => this.requestState(entry)));
      const failed = asked.filter((entry, index) => !answered[index] && this.isCurrent(entry));
      for (const entry of failed) this.stale.add(entry);
      if (failed.length > 0)
        await sleep(retryMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    }
  }
}
