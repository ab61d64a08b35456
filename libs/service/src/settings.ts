import { integer, port, text, url } from '@tollbridge/config';

/** The settings that every app has, under its own prefix: `PAY_ORDERS_NATS_URL`. */
export function serviceSettings<const P extends string>(prefix: P, example: { managementPort: number }) {
  const app = prefix.toLowerCase().replaceAll('_', '-');
  return {
    [`${prefix}_NATS_URL`]: url(['nats', 'tls'], {
      description: `NATS servers of ${app}, with its own user`,
      example: `nats://${app}:password@127.0.0.1:4222`,
      isSecret: true,
    }),
    [`${prefix}_MANAGEMENT_PORT`]: port({
      description: `port of /health and /metrics of ${app}`,
      example: String(example.managementPort),
      default: example.managementPort,
    }),
  } as { [K in `${P}_NATS_URL`]: ReturnType<typeof url> } & {
    [K in `${P}_MANAGEMENT_PORT`]: ReturnType<typeof port>;
  };
}

export function databaseSettings<const P extends string>(prefix: P) {
  const schema = prefix.toLowerCase();
  return {
    [`${prefix}_DATABASE_URL`]: url(['postgres', 'postgresql'], {
      description: `PostgreSQL of ${schema}, under its runtime role`,
      example: `postgres://${schema}:password@127.0.0.1:5432/tollbridge`,
      isSecret: true,
    }),
    [`${prefix}_DATABASE_CONNECTIONS`]: integer({
      description: 'the most connections that one process opens',
      example: '20',
      default: 20,
      min: 4,
      max: 200,
    }),
  } as { [K in `${P}_DATABASE_URL`]: ReturnType<typeof url> } & {
    [K in `${P}_DATABASE_CONNECTIONS`]: ReturnType<typeof integer>;
  };
}

export const managementSettings = {
  MANAGEMENT_HOST: text({
    description: 'address on which /health and /metrics listen',
    example: '127.0.0.1',
    default: '127.0.0.1',
  }),
};
