import {
  bindAddress,
  choice,
  type Config,
  integer,
  loadConfig,
  port,
  publicUrl,
  redisUrl,
  type Setting,
  text,
  tlsSettings,
  UnusableValue,
  url,
} from '@tollbridge/config';
import { managementSettings, serviceSettings } from '@tollbridge/bootstrap';
import { readProxies } from './client-address/client-address';
import { readTonWallets } from './pages/wallets/ton-wallets';

const trustedProxies: Setting<string> = {
  description:
    'addresses or CIDR ranges of trusted proxies before the gateway: it reads X-Forwarded-For of no others; comma-separated',
  example: '10.0.0.0/8,::1',
  default: '',
  isCommon: true,
  read(value) {
    if (!readProxies(value)) throw new UnusableValue('must be addresses or CIDR ranges, separated by commas');
    return value;
  },
};

const tonWallets: Setting<string> = {
  description:
    'TON wallets on other devices that checkout pages offer, as NAME UNIVERSAL_URL BRIDGE_URL, separated by semicolons; browsers connect to these bridges',
  example: 'Tonkeeper https://app.tonkeeper.com/ton-connect https://bridge.tonapi.io/bridge',
  default: '',
  read(value) {
    readTonWallets(value);
    return value;
  },
};

export const settings = {
  ...managementSettings,
  ...serviceSettings('GATEWAY', { managementPort: 9100 }),
  HOST: bindAddress({
    description: 'listening address of the public API',
    example: '127.0.0.1',
    default: '127.0.0.1',
    isCommon: true,
  }),
  PORT: port({ description: 'port of the public API', example: '3000', default: 3000 }),
  GATEWAY_PUBLIC_URL: publicUrl({
    description: 'the URL of the public API for clients',
    example: 'https://api.example.com',
    sandboxDefault: 'http://127.0.0.1:3000',
  }),
  GATEWAY_REDIS_URL: redisUrl({
    description: 'Redis that counts the requests of all replicas of the gateway; rediss:// for TLS',
    example: 'redis://:password@127.0.0.1:6379',
  }),
  // Longer than the retransmission of a lost packet on Linux, 200 ms (decision 7).
  GATEWAY_REDIS_TIMEOUT_MS: integer({
    description:
      'how long a request waits for its count in Redis; then costly routes answer 503, and others are served without a limit',
    example: '250',
    default: 250,
    min: 5,
    max: 10_000,
  }),
  ...tlsSettings('redis'),
  GATEWAY_TRUSTED_PROXIES: trustedProxies,
  STREAM_URL: url(['http', 'https'], {
    description: 'URL of the stream service; several, separated by commas, are used in turn',
    example: 'http://stream:9206',
    sandboxDefault: 'http://127.0.0.1:9206',
  }),
  GATEWAY_MAX_STREAM_SOCKETS: integer({
    description: 'maximum of stream sockets of one process; each uses two file descriptors',
    example: '5000',
    default: 5_000,
    min: 0,
    max: 9_000,
  }),
  GATEWAY_MAX_EVENT_STREAMS: integer({
    description: 'maximum of open streams of server-sent events in one process; further ones get 503',
    example: '5000',
    default: 5_000,
    min: 0,
    max: 9_000,
  }),
  GATEWAY_MAX_EVENT_STREAMS_PER_ADDRESS: integer({
    description:
      'maximum of these streams of one client address (IPv6: /64 network) in one process; further ones get 429',
    example: '50',
    default: 50,
    min: 1,
    max: 9_000,
  }),
  GATEWAY_MAX_CONNECTIONS_PER_ADDRESS: integer({
    description:
      'maximum of open connections of one client address (IPv6: /64 network) to one process; 0: unlimited. GATEWAY_TRUSTED_PROXIES are exempt',
    example: '2000',
    default: 2_000,
    min: 0,
    max: 10_000,
  }),
  GATEWAY_BODY_MEMORY_MB: integer({
    description:
      'memory of one process for request bodies that are being read or answered; each reserves its announced size before it is read. One merchant may use half of it, one anonymous address a quarter, all anonymous addresses half; a publishable key counts as anonymous',
    example: '128',
    default: 128,
    min: 16,
    max: 16_384,
  }),
  GATEWAY_BODY_TIMEOUT_SECONDS: integer({
    description: 'time for a request body to arrive; then the connection is closed with 408',
    example: '10',
    default: 10,
    min: 1,
    max: 30,
  }),
  GATEWAY_ANONYMOUS_BODY_KB: integer({
    description: 'the largest JSON body of a client without a key or a wallet; others may send 256 KiB',
    example: '64',
    default: 64,
    min: 16,
    max: 256,
  }),
  GATEWAY_WALLETCONNECT_PROJECT_ID: text({
    description:
      'project id of WalletConnect: with it, checkout pages offer wallets on other devices and browsers connect to the relay',
    example: '0123456789abcdef0123456789abcdef',
    default: '',
  }),
  GATEWAY_WALLETCONNECT_RELAY_URL: url(['wss', 'ws'], {
    description: 'URL of the WalletConnect relay',
    example: 'wss://relay.walletconnect.org',
    default: 'wss://relay.walletconnect.org',
  }),
  GATEWAY_TON_WALLETS: tonWallets,
  CHAINS_FILE: text({
    description:
      'JSON file of the chains, in the sandbox only: the demo route is also sold on them; empty sells it for nano-payments alone',
    example: './chains.json',
    default: '',
  }),
  SALES: choice(['off', 'on'], {
    description: 'whether calls without credentials are sold for x402 payments, as in service-api: on or off',
    example: 'on',
    default: 'off',
  }),
  GATEWAY_MAX_PAYMENT_FRAMES: integer({
    description:
      'maximum of POST /payments frames in one process, from before they are read until they are answered; shared like GATEWAY_BODY_MEMORY_MB',
    example: '64',
    default: 64,
    min: 4,
    max: 1_024,
  }),
};

export type GatewayConfig = Config<typeof settings>;

export function readConfig(env?: NodeJS.ProcessEnv): GatewayConfig {
  return loadConfig(settings, env);
}
