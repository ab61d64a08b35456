/**
 * Variables that every process reads in addition to the settings of its app, in the same format as settings.
 *
 * @type {Record<string, { description: string, example: string, default?: string, accepts?: string }>}
 */
export const processSettings = {
  TOLLBRIDGE_ENV: {
    description: 'where this runs: sandbox, test or production',
    example: 'sandbox',
    accepts: 'sandbox, test, production',
  },
  SANDBOX_EXPOSED: {
    description:
      'on lets other machines reach a sandbox, where the header x-wallet alone authenticates a client: any client that reaches it acts as any wallet',
    example: 'on',
    default: 'off',
    accepts: 'on, off',
  },
  ALLOW_PLAINTEXT: {
    description:
      'in production: kinds of servers (database, nats, redis) that are reached without TLS over a network, each with its reason, comma-separated',
    example: 'nats=the service mesh encrypts it',
    default: '',
  },
  LOG_LEVEL: {
    description: 'the least severe log lines that are written',
    example: 'info',
    default: 'info',
    accepts: 'trace, debug, info, warn, error, silent',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    description: 'where traces are sent by OTLP over HTTP; without it none are sent',
    example: 'http://collector:4318',
    default: '',
  },
  OTEL_TRACES_SAMPLER: {
    description:
      'which traces are recorded; apps follow a sampled caller, the gateway never follows a client',
    example: 'traceidratio',
    default: 'parentbased_always_on',
    accepts: 'always_on, always_off, traceidratio, or one of them after parentbased_',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    description: 'share of traces for the samplers by ratio; the same in all apps',
    example: '0.1',
    default: '1',
    accepts: '0 to 1',
  },
  TOLLBRIDGE_COMMIT: {
    description: 'the commit that `tollbridge_build_info` shows',
    example: '0a957e89',
    default: '',
  },
};
