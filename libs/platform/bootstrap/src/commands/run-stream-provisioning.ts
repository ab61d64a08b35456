import { loadConfig, natsUrl, tlsFilesOf, tlsSettings } from '@tollbridge/config';
import { declaredStreams } from '@tollbridge/contracts';
import {
  BusConnection,
  IncompatibleStreamError,
  provisionStream,
  provisionerName,
  StreamRejectedError,
  streamOf,
  type ProvisionedStream,
  type TlsFiles,
} from '@tollbridge/rpc';
import { streamSettings } from '../settings';

/** Settings of the provisioner: those of every event stream, and the URL of its own NATS user. */
export const provisioningSettings = {
  PROVISIONER_NATS_URL: natsUrl({
    description: 'NATS servers, with the user of the provisioner; tls:// for TLS',
    example: 'nats://provisioner:password@127.0.0.1:4222',
  }),
  ...tlsSettings('nats'),
  ...(Object.assign({}, ...declaredStreams.map(({ app }) => streamSettings(streamOf(app)))) as ReturnType<
    typeof streamSettings<string>
  >),
};

// JetStream is not available immediately after the start of a server, or until a cluster has elected a leader.
const attempts = 20;
const pauseMs = 1_000;

/**
 * Creates or updates every declared stream and consumer. It is safe to repeat and to run concurrently.
 * @param env the settings of the streams, and PROVISIONER_NATS_URL
 * @throws ConfigurationError, or the first error of NATS that retries do not repair
 */
export async function provisionStreams(
  env: NodeJS.ProcessEnv = process.env,
  { onStream }: { onStream?: (stream: ProvisionedStream) => void } = {},
): Promise<void> {
  const config = loadConfig(provisioningSettings, env) as Record<string, unknown>;
  const tls: TlsFiles = tlsFilesOf(config as never, 'nats');
  const bus = await BusConnection.openEvents({
    app: provisionerName,
    url: String(config['PROVISIONER_NATS_URL']),
    tls,
  });
  try {
    for (const stream of declaredStreams) {
      const prefix = streamOf(stream.app);
      const bounds = {
        maxBytes: Number(config[`${prefix}_STREAM_MAX_MB`]) * 2 ** 20,
        replicas: Number(config[`${prefix}_STREAM_REPLICAS`]),
      };
      onStream?.(await retried(() => provisionStream(bus, stream, bounds)));
    }
  } finally {
    await bus.close();
  }
}

async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let left = attempts; ; left--) {
    try {
      return await work();
    } catch (error) {
      const isFinal = error instanceof IncompatibleStreamError || error instanceof StreamRejectedError;
      if (isFinal || left <= 1) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** The line that the command and the Job print for a stream. */
export const describeStream = ({ name, outcome, isBoundPending }: ProvisionedStream): string =>
  `${name}: ${outcome}${isBoundPending ? '; larger than its new bound: run this again when its app has made room' : ''}`;

/** The body of `provision-streams.ts`, the Job before the apps. */
export function runStreamProvisioning(): void {
  provisionStreams(process.env, {
    onStream: (stream) => void process.stdout.write(`${describeStream(stream)}\n`),
  }).catch((error: Error) => {
    process.stderr.write(`provision-streams: ${error.message || error.name}\n`);
    process.exitCode = 1;
  });
}
