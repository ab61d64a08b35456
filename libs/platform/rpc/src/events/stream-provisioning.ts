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

/** A durable consumer of a stream, as declared in libs/contracts. */
export interface DeclaredConsumer {
  /** Durable name: `<app>-<purpose>`. */
  name: string;
  /** The only subject that the consumer receives; by default all subjects of the stream. */
  subject?: string;
}

/** The stream of an app's events, as declared in libs/contracts. */
export interface DeclaredStream {
  app: string;
  consumers: readonly DeclaredConsumer[];
}

/** Limits of a stream, from the settings of a deployment. */
export interface StreamBounds {
  /** Maximum size in bytes. */
  maxBytes?: number | undefined;
  /** Number of NATS servers that store the stream. */
  replicas?: number | undefined;
}

/** Result of `provisionStream`. */
export interface ProvisionedStream {
  name: string;
  createdAt: string;
  outcome: 'created' | 'updated' | 'unchanged';
  /** Whether the stream is larger than its new limit. The app must first delete acknowledged events. */
  isBoundPending: boolean;
}

// A relay that died after publishing is followed by one that publishes the same ids within seconds. Two
// minutes is JetStream's default.
const duplicateWindowNanos = 120 * 1e9;
export const defaultMaxBytes = 256 * 2 ** 20;

// Acknowledgement time-out. Events that wait in a consumer must be acknowledged within it. Another process
// receives the unacknowledged events of a killed process after it.
export const ackWaitMs = 60_000;
// Maximum unacknowledged events of all replicas together, including events that wait for a retry. Below 4,096
// for each connection: above that the server scans the reply permissions at each delivery.
const maxUnanswered = 2_500;

/** A stream with a changed configuration that this product cannot use and NATS cannot change in place. */
export class IncompatibleStreamError extends Error {
  constructor(stream: string, found: string) {
    super(
      `the stream ${stream} was changed by hand to ${found}. Run: npm run streams -- delete --yes. The app refills it from the outbox`,
    );
    this.name = 'IncompatibleStreamError';
  }
}

/** NATS rejects the wanted configuration of a stream. An existing stream stays in use unchanged. */
export class StreamRejectedError extends Error {
  constructor(wanted: Pick<StreamConfig, 'name' | 'num_replicas' | 'max_bytes'>, reason: string) {
    const { name, num_replicas: replicas, max_bytes: bytes } = wanted;
    super(
      `NATS rejects the stream ${name} with ${replicas} replicas and ${bytes} bytes: ${reason}. Change ${name}_STREAM_REPLICAS or ${name}_STREAM_MAX_MB, or the servers`,
    );
    this.name = 'StreamRejectedError';
  }
}

/** Sets every option, so that manually changed options, such as disabled acknowledgements, are restored. */
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
    // A maximum age would delete events that no consumer has acknowledged. `StreamRoom.refresh` deletes
    // acknowledged ones.
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

/** Options that NATS can change in an existing consumer. */
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
 * Creates or updates a stream and its durable consumers. It is safe to repeat and to run concurrently, and
 * deletes nothing.
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
  // With a lower limit the server would delete unacknowledged events.
  if (isBoundPending) wanted.max_bytes = info.config.max_bytes;
  // Consumers are created before the change of replicas, which a cluster with too few servers rejects.
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

/** @returns the stream, or undefined when it does not exist @throws IncompatibleStreamError */
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

// JetStream returns these options only if they are set. They would read or publish subjects other than the
// stream's own.
const neverSet = ['sources', 'republish', 'subject_transform'] as const;

/** Returns the names of the stream options that differ from the wanted ones. */
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
  // Undefined options are not serialised, so the server removes them.
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
      // An earlier release or an operator has created the consumer with other options.
      if (error.api_error?.err_code !== consumerExistsCode) throw error;
      return manager.consumers.update(stream, consumer.name, changeable(consumer));
    });
}

// JetStream error "consumer already exists", from 2.10 on. Older servers apply the possible changes instead.
const consumerExistsCode = 10_148;
// Errors during a leader election: "JetStream system temporarily unavailable", "JetStream not in clustered mode yet".
const passingErrors: unknown[] = [10_008, 10_009, 10_010];

/** Returns the rejection of a configuration. @throws any other error, because a retry may succeed */
function rejectionOf(wanted: WantedStream, error: unknown): StreamRejectedError {
  const { api_error: reason } = error as NatsError;
  if (!reason || passingErrors.includes(reason.err_code)) throw error;
  return new StreamRejectedError(wanted, reason.description);
}
