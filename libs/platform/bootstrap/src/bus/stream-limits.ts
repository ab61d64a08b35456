import type { PublisherOptions } from '@tollbridge/rpc';

/** Limits of the event stream of an app, from its settings (`streamSettings`). */
export interface StreamLimits {
  /** Maximum size in MB of 2^20 bytes. */
  streamMaxMb?: number | undefined;
  /** Hours that acknowledged events are kept. */
  streamMaxAgeHours?: number | undefined;
  /** Number of NATS servers that store the stream. */
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
