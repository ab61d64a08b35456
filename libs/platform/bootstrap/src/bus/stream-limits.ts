import type { PublisherOptions } from '@tollbridge/rpc';

/** Limits of the stream of an app's events, as its settings have them (`streamSettings`). */
export interface StreamLimits {
  /** In MB of 2^20 bytes. */
  streamMaxMb?: number | undefined;
  /** How long acknowledged events are kept. */
  streamMaxAgeHours?: number | undefined;
  /** Servers of the NATS cluster that store it. */
  streamReplicas?: number | undefined;
}

export function publisherOptions({
  streamMaxMb,
  streamMaxAgeHours,
  streamReplicas,
}: StreamLimits): PublisherOptions {
  return {
    ...(streamMaxMb !== undefined && { maxBytes: streamMaxMb * 2 ** 20 }),
    ...(streamMaxAgeHours !== undefined && { maxAgeMs: streamMaxAgeHours * 3_600_000 }),
    ...(streamReplicas !== undefined && { replicas: streamReplicas }),
  };
}
