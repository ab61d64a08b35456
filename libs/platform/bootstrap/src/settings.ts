import { developmentIdentitySecret, minIdentitySecretLength } from '@tollbridge/rpc';
import {
  bindAddress,
  choice,
  databaseUrl,
  integer,
  natsUrl,
  port,
  rotatingSecret,
  text,
  tlsSettings,
  UnusableValue,
  type Setting,
} from '@tollbridge/config';

/** Setting of every app. Without it the sandbox uses public development secrets. */
const identitiesFile = text({
  description:
    'JSON file with the public key of every app, to verify calls between apps (`node tools/service-identities.mjs` writes it)',
  example: './identities.json',
  sandboxDefault: '',
});

/** The secret of an app's identity, or two secrets during a rotation, the new one first. */
function identitySecret(app: string): Setting<string> {
  return rotatingSecret({
    description: `secret that ${app} signs its calls with, at least ${minIdentitySecretLength} random characters`,
    example: developmentIdentitySecret(app),
    sandboxDefault: developmentIdentitySecret(app),
    minLength: minIdentitySecretLength,
  });
}

/** Settings for the stop of an app (`Stopping`). */
const stopSettings = {
  STOP_DELAY_MS: integer({
    description:
      'after SIGTERM, how long readiness is false while work is still accepted, milliseconds; longer than load balancers take to withdraw the process',
    example: '5000',
    default: 5_000,
    sandboxDefault: 0,
    min: 0,
    max: 120_000,
  }),
  STOP_TIMEOUT_MS: integer({
    description:
      'how long open work may take after the delay, milliseconds; a purchase may take 60 s. Kill a process no sooner than STOP_DELAY_MS + STOP_TIMEOUT_MS + 10000 after SIGTERM',
    example: '75000',
    default: 75_000,
    min: 1_000,
    max: 600_000,
  }),
};

/**
 * Setting of every app, used while the last release without signed events runs beside this release
 * (docs/operations/upgrade.md).
 */
const oldReleaseUntil: Setting<string> = {
  description:
    'until when apps of 0.1.0 run beside this one, ISO 8601, at most 30 days ahead: unsigned events, and calls with secrets that are not sealed, are accepted',
  example: '2026-12-24T12:00:00Z',
  default: '',
  read(value) {
    const untilMs = Date.parse(value);
    if (!/^\d{4}-\d\d-\d\dT/.test(value) || Number.isNaN(untilMs))
      throw new UnusableValue('must be a time such as 2026-12-24T12:00:00Z');
    if (untilMs > Date.now() + longestUpgradeMs) throw new UnusableValue('must be at most 30 days ahead');
    return value;
  },
};
const longestUpgradeMs = 30 * 24 * 3_600_000;

/** The settings of every app, under the app's prefix, such as `PAY_ORDERS_NATS_URL`. */
export function serviceSettings<const P extends string>(prefix: P, example: { managementPort: number }) {
  const app = prefix.toLowerCase().replaceAll('_', '-');
  return {
    [`${prefix}_NATS_URL`]: natsUrl({
      description: `NATS servers of ${app}, with its own user; tls:// for TLS`,
      example: `nats://${app}:password@127.0.0.1:4222`,
    }),
    ...tlsSettings('nats'),
    [`${prefix}_MANAGEMENT_PORT_NUMBER`]: port({
      description: `port of /health and /metrics of ${app}`,
      example: String(example.managementPort),
      default: example.managementPort,
      formerName: `${prefix}_MANAGEMENT_PORT`,
    }),
    [`${prefix}_IDENTITY_SECRET`]: identitySecret(app),
    SERVICE_IDENTITIES_FILE: identitiesFile,
    BUS_OLD_RELEASE_UNTIL: oldReleaseUntil,
    ...stopSettings,
  } as { [K in `${P}_NATS_URL` | `${P}_IDENTITY_SECRET`]: Setting<string> } & {
    [K in `${P}_MANAGEMENT_PORT_NUMBER`]: Setting<number>;
  } & {
    SERVICE_IDENTITIES_FILE: Setting<string>;
    BUS_OLD_RELEASE_UNTIL: Setting<string>;
  } & typeof stopSettings &
    ReturnType<typeof tlsSettings<'nats'>>;
}

/** The settings of an app with a database. */
export function databaseSettings<const P extends string>(prefix: P) {
  const schema = prefix.toLowerCase();
  return {
    [`${prefix}_DATABASE_URL`]: databaseUrl({
      description: `PostgreSQL of ${schema}, under its runtime role`,
      example: `postgres://${schema}:password@127.0.0.1:5432/tollbridge`,
    }),
    ...tlsSettings('database'),
    [`${prefix}_DATABASE_CONNECTIONS`]: integer({
      description: 'the most connections that one process opens, leases included',
      example: '20',
      default: 20,
      min: 4,
      max: 200,
    }),
    [`${prefix}_LEADER_LEASE_MS`]: integer({
      description: `how long the work that one replica of ${schema} does waits for another replica after a crash; leases are renewed four times as often`,
      example: '8000',
      default: 8_000,
      sandboxDefault: 4_000,
      min: 1_000,
      max: 60_000,
    }),
  } as { [K in `${P}_DATABASE_URL`]: ReturnType<typeof databaseUrl> } & {
    [K in `${P}_DATABASE_CONNECTIONS` | `${P}_LEADER_LEASE_MS`]: ReturnType<typeof integer>;
  } & ReturnType<typeof tlsSettings<'database'>>;
}

/** Settings of an app that supports PgBouncer. */
export function poolingSettings<const P extends string>(prefix: P) {
  return {
    [`${prefix}_DATABASE_POOLING`]: choice(['session', 'transaction'], {
      description:
        'transaction if the URL reaches PostgreSQL through PgBouncer in transaction mode before version 1.21: statements are then not prepared',
      example: 'session',
      default: 'session',
    }),
  } as { [K in `${P}_DATABASE_POOLING`]: Setting<'session' | 'transaction'> };
}

// Odd numbers only: an even number of replicas tolerates no more lost servers than one replica fewer.
const replicaCounts = [1, 3, 5];

const streamReplicas = (app: string): Setting<number> => ({
  description: `on how many servers of a NATS cluster the event stream of ${app} and the positions of its consumers are stored: 3 survive the loss of one server, 5 of two`,
  example: '3',
  default: 1,
  accepts: replicaCounts.join(', '),
  read(value) {
    const count = replicaCounts.find((one) => String(one) === value);
    if (count === undefined) throw new UnusableValue(`must be one of ${replicaCounts.join(', ')}`);
    return count;
  },
});

/** Settings of an app that publishes events. */
export function streamSettings<const P extends string>(prefix: P) {
  const app = prefix.toLowerCase().replaceAll('_', '-');
  return {
    [`${prefix}_STREAM_MAX_MB`]: integer({
      description: `bound of the event stream of ${app}, in MB (2^20 bytes), which NATS reserves on its disk; all bounds together must fit into its max_file_store`,
      example: '1024',
      default: 1_024,
      sandboxDefault: 256,
      min: 16,
      max: 1_048_576,
    }),
    [`${prefix}_STREAM_MAX_AGE_HOURS`]: integer({
      description: `how long the event stream of ${app} keeps events that every consumer has acknowledged; others stay until they are acknowledged`,
      example: '168',
      default: 168,
      min: 1,
      max: 87_600,
    }),
    [`${prefix}_STREAM_REPLICAS`]: streamReplicas(app),
    [`${prefix}_EVENT_RECEIVERS`]: text({
      description: `programs of other teams that receive the events of ${app}, by the names of their identities, comma-separated: events are signed for them too`,
      example: 'analytics',
      default: '',
    }),
  } as { [K in `${P}_STREAM_${'MAX_MB' | 'MAX_AGE_HOURS' | 'REPLICAS'}`]: Setting<number> } & {
    [K in `${P}_EVENT_RECEIVERS`]: Setting<string>;
  };
}

export const managementSettings = {
  MANAGEMENT_HOST: bindAddress({
    description: 'listening address of /health and /metrics',
    example: '127.0.0.1',
    default: '127.0.0.1',
  }),
};
