import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { keyEvents, sessionEvents } from '@tollbridge/contracts';
import { BusConnection, EventVerifier, subscribeToEvents } from '@tollbridge/rpc';
import { CachedKeys } from './cached-keys';
import { CachedSessions } from './cached-sessions';

/**
 * Invalidates cached credentials when the merchant app publishes a change. After a gap in the events, invalidates all
 * of them.
 */
@Injectable()
export class CacheInvalidation implements OnModuleInit, OnApplicationShutdown {
  private readonly subscriptions: { stop(): void }[] = [];

  constructor(
    private readonly bus: BusConnection,
    private readonly keys: CachedKeys,
    private readonly sessions: CachedSessions,
    private readonly verifier: EventVerifier,
  ) {}

  onModuleInit(): void {
    const { verifier } = this;
    this.subscriptions.push(
      subscribeToEvents(this.bus, keyEvents['api-key-changed'], {
        verifier,
        onEvent: ({ data }) => this.keys.invalidate(data.id),
        onGap: () => this.keys.invalidateAll(),
      }),
      subscribeToEvents(this.bus, sessionEvents['session-revoked'], {
        verifier,
        onEvent: ({ data }) => this.sessions.invalidate(data.id),
        onGap: () => this.sessions.invalidateAll(),
      }),
    );
  }

  onApplicationShutdown(): void {
    for (const subscription of this.subscriptions.splice(0)) subscription.stop();
  }
}
