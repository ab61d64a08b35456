import { bindAddress, type Config, integer, loadConfig, port } from '@tollbridge/config';
import { managementSettings, serviceSettings } from '@tollbridge/bootstrap';

export const settings = {
  ...managementSettings,
  ...serviceSettings('STREAM', { managementPort: 9106 }),
  STREAM_HOST: bindAddress({
    description:
      'listening address of the stream; only the gateway must reach it: the stream trusts its forwarded addresses',
    example: '127.0.0.1',
    default: '127.0.0.1',
  }),
  STREAM_PORT_NUMBER: port({
    description: 'port of the stream',
    example: '9206',
    default: 9206,
    formerName: 'STREAM_PORT',
  }),
  STREAM_MAX_SOCKETS: integer({
    description: 'the most sockets of one process; each costs a file descriptor and about 10 KB',
    example: '10000',
    default: 10_000,
    min: 1,
    max: 100_000,
  }),
  STREAM_MAX_SOCKETS_PER_ADDRESS: integer({
    description: "the most sockets of one client's address, or of one IPv6 network of 64 bits",
    example: '100',
    default: 100,
    min: 1,
    max: 100_000,
  }),
  STREAM_MAX_TRANSACTIONS: integer({
    description:
      'the most transaction sets with subscribers in one process; each is a subscription on the bus',
    example: '50000',
    default: 50_000,
    min: 1,
    max: 1_000_000,
  }),
};

export type StreamConfig = Config<typeof settings>;

export function readConfig(env?: NodeJS.ProcessEnv): StreamConfig {
  return loadConfig(settings, env);
}
