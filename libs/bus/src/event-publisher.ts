import {
  DiscardPolicy,
  RetentionPolicy,
  StorageType,
  type JetStreamClient,
  type JetStreamManager,
  type StreamConfig,
} from 'nats';
import type { BusConnection } from './bus-connection';
import { eventPrefix, streamOf } from './events';

export interface OutgoingEvent {
  id: string;
  subject: string;
  payload: string;
}

const day = 24 * 60 * 60 * 1e9;
// Consumers may be away for this long; what is older is read from the outbox.
const maxAgeNanos = 7 * day;
// A relay that died after publishing publishes the same ids again within seconds; two minutes is JetStream's own default.
const duplicateWindowNanos = 120 * 1e9;

/** Publishes an app's events to its own JetStream stream, once per id within the duplicate window. */
export class EventPublisher {
  private readonly stream: JetStreamClient;

  constructor(private readonly bus: BusConnection) {
    this.stream = bus.nats.jetstream({ timeout: 5_000 });
  }

  /** Makes the stream what it must be and answers when it was created: a new date means that its content is lost. */
  async ensureStream(): Promise<{ createdAt: string }> {
    const manager = await this.bus.nats.jetstreamManager({ checkAPI: false });
    const wanted: Partial<StreamConfig> = {
      name: streamOf(this.bus.app),
      subjects: [`${eventPrefix(this.bus.app)}.>`],
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
      discard: DiscardPolicy.Old,
      max_age: maxAgeNanos,
      duplicate_window: duplicateWindowNanos,
    };
    const info = (await this.existing(manager, wanted)) ?? (await manager.streams.add(wanted));
    return { createdAt: String(info.created) };
  }

  private async existing(manager: JetStreamManager, wanted: Partial<StreamConfig>) {
    const info = await manager.streams.info(wanted.name!).catch((error: { api_error?: { code: number } }) => {
      if (error.api_error?.code === 404) return undefined;
      throw error;
    });
    if (!info) return undefined;
    if (info.config.storage !== wanted.storage || info.config.retention !== wanted.retention) {
      throw new Error(
        `the stream ${wanted.name} was changed by hand to ${info.config.storage}/${info.config.retention}; ` +
          `delete it, and it is made anew from the outbox`,
      );
    }
    return manager.streams.update(wanted.name!, wanted);
  }

  /** Resolves when the server has stored all of them. A failure means unknown: publish the same ids again. */
  async publish(events: readonly OutgoingEvent[]): Promise<void> {
    const stored = events.map(({ id, subject, payload }) =>
      this.stream.publish(subject, Buffer.from(payload), { msgID: id }),
    );
    const failed = (await Promise.allSettled(stored)).find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }
}
