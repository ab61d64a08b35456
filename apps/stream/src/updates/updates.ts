import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { transactionEvents } from '@tollbridge/contracts';
import { BusConnection, eventDecoder, subjectOf } from '@tollbridge/rpc';
import { Metrics, type Logger } from '@tollbridge/observability';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import type { Msg, NatsError, Subscription } from 'nats';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StreamConfig } from '../config';
import { Feed, readUpdate, type Follower } from './feed';
import { Snapshots } from './snapshots';
import { Turns } from './turns';

interface Followed {
  feed: Feed;
  subscription: Subscription;
}

// When thousands connect again at the same moment, the service that is asked must not be asked thousands of times at once.
const questionsAtOnce = 64;
const retryMs = 500;

const decodeUpdate = eventDecoder([transactionEvents['transaction-updated']]);

/**
 * Follows sets of transactions for the sockets of this process: one subscription on the bus for each set, shared by all
 * its followers, so that a replica is sent only what its own sockets asked for.
 */
@Injectable()
export class Updates implements OnApplicationShutdown {
  private readonly followed = new Map<string, Followed>();
  /** What may have changed unheard while the bus was away. */
  private readonly stale = new Set<Followed>();
  private readonly questions = new Turns(questionsAtOnce);
  private readonly stopping = new AbortController();
  private readonly endListening: () => void;
  private refreshing: Promise<void> | undefined;
  private readonly count;
  private readonly sent;

  constructor(
    private readonly bus: BusConnection,
    private readonly snapshots: Snapshots,
    metrics: Metrics,
    @Inject(ServiceLogger) private readonly logger: Logger,
    @Inject(ServiceConfig) private readonly config: StreamConfig,
  ) {
    this.count = metrics.gauge(
      'tollbridge_stream_transactions',
      'Sets of transactions that somebody here follows',
    );
    this.sent = metrics.counter('tollbridge_stream_updates_sent_total', 'Updates sent to sockets');
    this.endListening = bus.onInterruption(() => bus.isConnected && this.askAgain());
  }

  /** Tells the follower the present state and every change from then on, or why it cannot. */
  follow(transactionId: string, follower: Follower): void {
    const known = this.followed.get(transactionId);
    if (known) {
      known.feed.add(follower);
      if (known.feed.isKnown) this.sent.inc();
      return;
    }
    const followed = this.begin(transactionId);
    if (!followed) return follower.refused(transactionId, 'SERVICE_UNAVAILABLE');
    followed.feed.add(follower);
    // Asked behind the subscription, on the same connection: what changes meanwhile is heard.
    void this.ask(followed);
  }

  unfollow(transactionId: string, follower: Follower): void {
    const followed = this.followed.get(transactionId);
    if (!followed?.feed.followers.delete(follower)) return;
    if (followed.feed.followers.size === 0) this.end(followed);
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    this.endListening();
    for (const followed of [...this.followed.values()]) this.end(followed);
    await this.refreshing;
  }

  private begin(transactionId: string): Followed | undefined {
    if (this.stopping.signal.aborted || this.followed.size >= this.config.STREAM_MAX_TRANSACTIONS) return;
    const feed = new Feed(transactionId);
    const subject = subjectOf(transactionEvents['transaction-updated'], transactionId);
    try {
      const subscription = this.bus.nats.subscribe(subject, {
        callback: (error, message) => this.hear(feed, error, message),
      });
      const followed = { feed, subscription };
      this.followed.set(transactionId, followed);
      this.count.inc();
      return followed;
    } catch (error) {
      this.logger.warn({ err: error }, 'a subscription was not possible');
      return undefined;
    }
  }

  private end(followed: Followed): void {
    const { feed, subscription } = followed;
    if (!this.isCurrent(followed)) return;
    this.followed.delete(feed.transactionId);
    this.stale.delete(followed);
    this.count.dec();
    subscription.unsubscribe();
  }

  /** The same set may have been left and followed anew meanwhile. */
  private isCurrent(followed: Followed): boolean {
    return this.followed.get(followed.feed.transactionId) === followed;
  }

  private hear(feed: Feed, error: NatsError | null, message: Msg): void {
    if (error) {
      this.logger.error({ err: error }, 'the bus refused a subscription');
      return;
    }
    try {
      const event = decodeUpdate(message.string(), message.subject);
      const update = readUpdate(feed.transactionId, event?.data);
      if (update) this.sent.inc(feed.take(update));
      else this.logger.warn({ subject: message.subject }, 'an event is not one of its subject');
    } catch (cause) {
      this.logger.warn({ err: cause, subject: message.subject }, 'an event cannot be read');
    }
  }

  /** Whether there was an answer. */
  private async ask(followed: Followed): Promise<boolean> {
    const { feed } = followed;
    try {
      const given = await this.questions.take(async () =>
        this.isCurrent(followed) ? this.snapshots.of(feed.transactionId) : undefined,
      );
      if (!this.isCurrent(followed)) return true;
      const update = given && readUpdate(feed.transactionId, given);
      if (update) this.sent.inc(feed.take(update));
      else if (!feed.isKnown) this.refuse(followed, 'NOT_FOUND');
      return true;
    } catch (error) {
      this.logger.warn({ err: error }, 'the state of a set of transactions could not be asked for');
      if (this.isCurrent(followed) && !feed.isKnown) this.refuse(followed, 'SERVICE_UNAVAILABLE');
      return false;
    }
  }

  private refuse(followed: Followed, reason: 'NOT_FOUND' | 'SERVICE_UNAVAILABLE'): void {
    this.end(followed);
    followed.feed.refuse(reason);
  }

  private askAgain(): void {
    for (const followed of this.followed.values()) this.stale.add(followed);
    this.refreshing ??= this.refresh().finally(() => (this.refreshing = undefined));
  }

  private async refresh(): Promise<void> {
    while (this.stale.size > 0 && !this.stopping.signal.aborted) {
      const asked = [...this.stale];
      this.stale.clear();
      const answered = await Promise.all(asked.map((followed) => this.ask(followed)));
      const failed = asked.filter((followed, index) => !answered[index] && this.isCurrent(followed));
      for (const followed of failed) this.stale.add(followed);
      if (failed.length > 0)
        await sleep(retryMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    }
  }
}
