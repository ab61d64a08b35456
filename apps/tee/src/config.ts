import { availableParallelism } from 'node:os';
import {
  bindAddress,
  choice,
  type Config,
  integer,
  loadConfig,
  port,
  text,
  UnusableValue,
} from '@tollbridge/config';
import {
  databaseSettings,
  managementSettings,
  nanopaySettings,
  serviceSettings,
  streamSettings,
} from '@tollbridge/bootstrap';

// One small message.
export const maxTokenBytes = 256;

export const settings = {
  ...managementSettings,
  ...serviceSettings('TEE', { managementPort: 9108 }),
  ...databaseSettings('TEE'),
  ...streamSettings('TEE'),
  ...nanopaySettings,
  TEE_KEY_FILE: text({
    description:
      'file of the key that receipts are signed with, for its owner only to read; made at the first start. Whoever loses it has to tell all sellers of a new one',
    example: '/var/lib/tollbridge/tee.key',
  }),
  TEE_ATTESTATION: choice(['none', 'tdx', 'tdx-simulator'], {
    description:
      'what attests the enclave: none, tdx by the agent of dstack, or its simulator, which attests nothing and says so',
    example: 'none',
    default: 'none',
  }),
  TEE_DSTACK_ENDPOINT: text({
    description: 'socket or URL of the agent of dstack; empty for where it usually listens',
    example: '/var/run/dstack.sock',
    default: '',
    minLength: 0,
  }),
  TEE_WALLET_SEED: {
    description:
      'secret of the wallet that holds what is deposited (Ed25519 seed, 64 hexadecimal digits): with it sellers and withdrawals are paid on the chain; empty pays nobody',
    example: '5e'.repeat(32),
    default: '',
    // Of the wallet in the sandbox, whose key everybody can compute; refused elsewhere.
    sandboxDefault: '41dc85ccf5ade4aa22c7690da359a46f8ab19d761d59bb833308982554ecc3eb',
    isSecret: true,
    read: (value: string) => {
      if (!/^([0-9a-f]{64})?$/.test(value)) throw new UnusableValue('must be 64 hexadecimal digits');
      return value;
    },
  },
  TEE_SETTLE_FROM: integer({
    description:
      'what a seller must have earned to be paid on the chain, smallest unit; a payment costs some cents of gas',
    example: '1000000',
    default: 1_000_000,
    sandboxDefault: 1_000,
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
  }),
  TEE_KEY_EPOCH: integer({
    description: 'counts the keys of this enclave: one more for each new key',
    example: '1',
    default: 1,
    min: 1,
    max: 1_000_000,
  }),
  TEE_VERIFY_THREADS: integer({
    description: 'threads that check signatures; 0 makes one for each core',
    example: '0',
    default: 0,
    min: 0,
    max: 64,
  }),
  TEE_MAX_UNDER_WAY: integer({
    description: 'payments that may wait at once, for a thread or for a commit; more are told to come back',
    example: '20000',
    default: 20_000,
    min: 64,
    max: 1_000_000,
  }),
  TEE_LEASE_MS: integer({
    description:
      'how long the lease of the ledger lasts without being renewed, milliseconds: so long after its holder has died another process takes over',
    example: '3000',
    default: 3_000,
    min: 500,
    max: 60_000,
  }),
  TEE_AUDIT_MS: integer({
    description:
      'how often the ledger is added up, milliseconds; while it does not add up, nothing is charged',
    example: '60000',
    default: 60_000,
    min: 100,
    max: 3_600_000,
  }),
  TEE_TCP_TOKEN: {
    description:
      'what guards beside the enclave show to pay over a connection of their own, at least 32 random characters; empty takes payments over NATS alone',
    example: 'REPLACE_ME_with_at_least_32_random_characters',
    default: '',
    isSecret: true,
    read: (value: string) => {
      if (value.length < 32 || value.length > maxTokenBytes || !/^[\x21-\x7e]*$/.test(value))
        throw new UnusableValue(`must be 32 to ${maxTokenBytes} characters of ASCII, without spaces`);
      return value;
    },
  },
  TEE_TCP_HOST: bindAddress({
    description: 'address on which guards are heard; token and payments pass unencrypted',
    example: '127.0.0.1',
    default: '127.0.0.1',
  }),
  TEE_TCP_PORT: port({ description: 'port on which guards are heard', example: '9308', default: 9308 }),
  TEE_DIALOG_DOMAINS: text({
    description: 'domains, separated by commas, under which wallets may sign by TON Connect',
    example: 'pay.example.com',
    default: 'localhost',
  }),
};

export type TeeConfig = Config<typeof settings>;

export function readConfig(env?: NodeJS.ProcessEnv): TeeConfig {
  return loadConfig(settings, env);
}

export const threadsOf = ({ TEE_VERIFY_THREADS: wanted }: TeeConfig): number =>
  wanted === 0 ? availableParallelism() : wanted;

export const dialogDomainsOf = ({ TEE_DIALOG_DOMAINS: domains }: TeeConfig): ReadonlySet<string> =>
  new Set(domains.split(',').map((domain) => domain.trim()));
