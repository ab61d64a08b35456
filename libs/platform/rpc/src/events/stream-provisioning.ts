import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  nanos,
  RetentionPolicy,
  StorageType,
  type ConsumerConfig,
  type JetStreamManager,
  type NatsError,
  type StreamConfig,
  type StreamInfo,
} from 'nats';
import type { BusConnection } from '../bus/bus-connection';
import { eventPrefix, streamOf } from './events';

/** The NATS user that creates streams and consumers, and the connection name of its job. */
export const provisionerName = 'provisioner';

/** A durable consumer of a stream, as libs/contracts declares it. */
export interface DeclaredConsumer {
  /** `<app>-<purpose>` */
  name: string;
  /** The only subject that it receives; without it all of the stream's. */
  subject?: string;
}

/** The stream of an app's events, as libs/contracts declares it. */
export interface DeclaredStream {
  app: string;
  consumers: readonly DeclaredConsumer[];
}

/** What the settings of a deployment say about a stream. */
export interface StreamBounds {
  /** In bytes. */
  maxBytes?: number | undefined;
  /** Servers of a NATS cluster that store the stream. */
  replicas?: number | undefined;
}

/** What `provisionStream` found and did. */
export interface ProvisionedStream {
  name: string;
  createdAt: string;
  outcome: 'created' | 'updated' | 'unchanged';
  /** The stream is larger than its new bound: the app deletes acknowledged events first. */
  isBoundPending: boolean;
}

// A relay that died after publishing publishes the same ids again within seconds; two minutes is JetStream's own
// default.
const duplicateWindowNanos = 120 * 1e9;
export const defaultMaxBytes = 256 * 2 ** 20;

// What waits in a consumer must be answered within the time that the server waits. A process that was killed leaves its
// events unanswered: another one gets them after this time.
export const ackWaitMs = 60_000;
// Replicas together; also how many events may wait for their next try before the others have to wait for them. Below
// 4,096 for each connection: above, the server scans the permissions for replies at each delivery.
const maxUnanswered = 2_500;

/** A stream with a changed configuration that this product cannot use and NATS cannot change back in place. */
export class IncompatibleStreamError extends Error {
  constructor(stream: string, found: string) {
    super(
      `the stream ${stream} was changed by hand to ${found}. Run: npm run streams -- delete --yes. The app refills it from the outbox`,
    );
    this.name = 'IncompatibleStreamError';
  }
}

/** NATS rejects the wanted configuration of a stream. An existing stream is used as it is. */
export class StreamRejectedError extends Error {
  constructor(wanted: Pick<StreamConfig, 'name' | 'num_replicas' | 'max_bytes'>, reason: string) {
    const { name, num_replicas: replicas, max_bytes: bytes } = wanted;
    super(
      `NATS rejects the stream ${name} with ${replicas} replicas and ${bytes} bytes: ${reason}. Change ${name}_STREAM_REPLICAS or ${name}_STREAM_MAX_MB, or the servers`,
    );
    this.name = 'StreamRejectedError';
  }
}

/** Sets every option, so that options changed by hand, such as no acknowledgements, are restored. */
export function wantedStream(
  app: string,
  { maxBytes = defaultMaxBytes, replicas = 1 }: StreamBounds = {},
): WantedStream {
  return {
    name: streamOf(app),
    subjects: [`${eventPrefix(app)}.>`],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    discard: DiscardPolicy.Old,
    // It would delete events that no consumer has acknowledged: `StreamRoom.refresh` deletes the others.
    max_age: 0,
    max_msgs: -1,
    max_bytes: maxBytes,
    max_msg_size: -1,
    max_msgs_per_subject: -1,
    no_ack: false,
    duplicate_window: duplicateWindowNanos,
    num_replicas: replicas,
  };
}

export type WantedStream = Pick<
  StreamConfig,
  | 'name'
  | 'subjects'
  | 'retention'
  | 'storage'
  | 'discard'
  | 'max_age'
  | 'max_msgs'
  | 'max_bytes'
  | 'max_msg_size'
  | 'max_msgs_per_subject'
  | 'no_ack'
  | 'duplicate_window'
  | 'num_replicas'
>;

/** What NATS can change in an existing consumer. */
const changeable = ({ subject }: DeclaredConsumer): Partial<ConsumerConfig> => ({
  ack_wait: nanos(ackWaitMs),
  max_ack_pending: maxUnanswered,
  ...(subject !== undefined && { filter_subject: subject }),
});

export const wantedConsumer = (consumer: DeclaredConsumer): Partial<ConsumerConfig> => ({
  durable_name: consumer.name,
  ack_policy: AckPolicy.Explicit,
  deliver_policy: DeliverPolicy.All,
  ...changeable(consumer),
});

/**
 * Creates or updates a stream and its durable consumers. Safe to repeat, and to run twice at once. It deletes nothing.
 * @throws IncompatibleStreamError when the stream exists and cannot be used
 * @throws StreamRejectedError when NATS rejects the configuration; other changes have been applied
 */
export async function provisionStream(
  bus: BusConnection,
  { app, consumers }: DeclaredStream,
  bounds: StreamBounds = {},
): Promise<ProvisionedStream> {
  const manager = await bus.jetstreamManager();
  const wanted = wantedStream(app, bounds);
  if (bounds.replicas !== undefined && bounds.replicas > 1 && bus.nats.info?.cluster === undefined)
    throw new StreamRejectedError(wanted, 'the server is not part of a cluster');
  const existing = await findStream(manager, wanted);
  const info = existing ?? (await add(manager, wanted));
  const isBoundPending = info.state.bytes > wanted.max_bytes;
  // The server would delete unacknowledged events above a new bound.
  if (isBoundPending) wanted.max_bytes = info.config.max_bytes;
  // Consumers come before the change of replicas, which a cluster with too few servers rejects.
  const isAdapted = await adapt(manager, info.config, { ...wanted, num_replicas: info.config.num_replicas });
  for (const consumer of consumers) await ensureConsumer(manager, wanted.name, consumer);
  const isReplicated = await adapt(manager, info.config, wanted);
  return {
    name: wanted.name,
    createdAt: String(info.created),
    outcome: !existing ? 'created' : isAdapted || isReplicated ? 'updated' : 'unchanged',
    isBoundPending,
  };
}

/** @returns undefined when there is no such stream @throws IncompatibleStreamError */
export async function findStream(
  manager: JetStreamManager,
  wanted: WantedStream,
): Promise<StreamInfo | undefined> {
  const { name } = wanted;
  const info = await manager.streams.info(name).catch((error: { api_error?: { code: number } }) => {
    if (error.api_error?.code === 404) return undefined;
    throw error;
  });
  if (!info) return undefined;
  const { storage, retention, sealed, mirror } = info.config;
  if (storage !== wanted.storage || retention !== wanted.retention)
    throw new IncompatibleStreamError(name, `${storage}/${retention}`);
  if (sealed || mirror) throw new IncompatibleStreamError(name, sealed ? 'sealed' : 'a mirror');
  return info;
}

// JetStream lists these only where a stream has them: a stream that reads or publishes other subjects than its own.
const neverSet = ['sources', 'republish', 'subject_transform'] as const;

/** The names of the options of a stream that differ from the wanted ones. */
export function differingOptions(config: StreamConfig, wanted: WantedStream): string[] {
  const given = config as unknown as Record<string, unknown>;
  const differing = Object.entries(wanted)
    .filter(([key, value]) => JSON.stringify(given[key] ?? false) !== JSON.stringify(value))
    .map(([key]) => key);
  return [...differing, ...neverSet.filter((key) => given[key] !== undefined)];
}

async function adapt(
  manager: JetStreamManager,
  config: StreamConfig,
  wanted: WantedStream,
): Promise<boolean> {
  if (differingOptions(config, wanted).length === 0) return false;
  // Undefined options leave the message, so that the server removes them.
  const removed = Object.fromEntries(neverSet.map((key) => [key, undefined]));
  const updated = await manager.streams
    .update(wanted.name, { ...wanted, ...removed })
    .catch((error: unknown) => {
      throw rejectionOf(wanted, error);
    });
  Object.assign(config, updated.config);
  return true;
}

const add = (manager: JetStreamManager, wanted: WantedStream): Promise<StreamInfo> =>
  manager.streams.add({ ...wanted }).catch((error: unknown) => {
    throw rejectionOf(wanted, error);
  });

async function ensureConsumer(
  manager: JetStreamManager,
  stream: string,
  consumer: DeclaredConsumer,
): Promise<void> {
  await manager.consumers
    .add(stream, wantedConsumer(consumer))
    .catch((error: { api_error?: { err_code: number } }) => {
      // An earlier release, or a hand, has made it with other bounds.
      if (error.api_error?.err_code !== consumerExistsCode) throw error;
      return manager.consumers.update(stream, consumer.name, changeable(consumer));
    });
}

// JetStream: "consumer already exists", from 2.10 on; older servers change what can be changed.
const consumerExistsCode = 10_148;
// While the cluster elects a leader: "JetStream system temporarily unavailable", "JetStream not in clustered mode yet".
const passingErrors: unknown[] = [10_008, 10_009, 10_010];

/** The rejection of a configuration. @throws any other error: a retry may succeed */
function rejectionOf(wanted: WantedStream, error: unknown): StreamRejectedError {
  const { api_error: reason } = error as NatsError;
  if (!reason || passingErrors.includes(reason.err_code)) throw error;
  return new StreamRejectedError(wanted, reason.description);
}
