import { availableParallelism } from 'node:os';
import {
  bindAddress,
  choice,
  type Config,
  integer,
  loadConfig,
  port,
  rotatingSecret,
  text,
  UnusableValue,
} from '@tollbridge/config';
import {
  databaseSettings,
  managementSettings,
  nanopaySettings,
  retentionSettings,
  serviceSettings,
  streamSettings,
} from '@tollbridge/bootstrap';
import { countOfQueryId } from '@tollbridge/ton';

// The TCP token is one short message.
export const maxTokenBytes = 256;

export const settings = {
  ...managementSettings,
  ...serviceSettings('TEE', { managementPort: 9108 }),
  ...databaseSettings('TEE'),
  ...streamSettings('TEE'),
  ...retentionSettings,
  ...nanopaySettings,
  TEE_KEY_FILE: text({
    description:
      'file with the seed of the key that signs receipts, 64 hexadecimal digits; mode 0600, or root-owned 0440 for the group of the process. Created in the sandbox only. If it is lost, all sellers need the new public key',
    example: '/var/lib/tollbridge/tee.key',
  }),
  TEE_ATTESTATION: choice(['none', 'tdx', 'tdx-simulator'], {
    description:
      'what attests this service: none, tdx by the dstack agent, or its simulator, which attests nothing and says so',
    example: 'none',
    default: 'none',
  }),
  TEE_DSTACK_ENDPOINT: text({
    description: 'socket or URL of the dstack agent; empty for its default socket',
    example: '/var/run/dstack.sock',
    default: '',
    minLength: 0,
  }),
  TEE_WALLET_SEED: {
    description:
      'secret of the wallet that holds all deposits (Ed25519 seed, 64 hexadecimal digits); it signs payouts to sellers and withdrawals on the chain; empty disables payouts',
    example: '5e'.repeat(32),
    default: '',
    // This seed of the sandbox wallet is public, so production rejects it.
    sandboxDefault: '41dc85ccf5ade4aa22c7690da359a46f8ab19d761d59bb833308982554ecc3eb',
    isSecret: true,
    read: (value: string) => {
      if (!/^([0-9a-f]{64})?$/.test(value)) throw new UnusableValue('must be 64 hexadecimal digits');
      return value;
    },
  },
  TEE_SETTLE_FROM: integer({
    description:
      'smallest earnings that are paid out to a seller on the chain, smallest unit; a payout costs some cents of gas',
    example: '1000000',
    default: 1_000_000,
    sandboxDefault: 1_000,
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
  }),
  TEE_PAYOUTS_RESUME_AFTER: {
    description:
      'query id of the newest batch on the chain, when the ledger lost payouts in a restore and the operator has accounted for them: payouts resume with the number after it; empty otherwise',
    example: '4107',
    default: '',
    read: (queryId: string) => {
      if (!/^\d{1,7}$/.test(queryId) || countOfQueryId(Number(queryId), 0n) === undefined)
        throw new UnusableValue('must be the query id of a payout');
      return queryId;
    },
  },
  TEE_KEY_EPOCH: integer({
    description: 'number of the receipt key: raise it by one for each new key',
    example: '1',
    default: 1,
    min: 1,
    max: 1_000_000,
  }),
  TEE_VERIFY_THREADS: integer({
    description: 'threads that verify signatures; 0 starts one per core',
    example: '0',
    default: 0,
    min: 0,
    max: 64,
  }),
  TEE_MAX_UNDER_WAY: integer({
    description:
      'payments that may wait at once for a thread or a commit; further payments get an unknown outcome and are retried',
    example: '20000',
    default: 20_000,
    min: 64,
    max: 1_000_000,
  }),
  TEE_LEASE_MS: integer({
    description:
      'lifetime of the ledger lease without renewal, milliseconds: another process takes over this long after its holder dies',
    example: '3000',
    default: 3_000,
    min: 500,
    max: 60_000,
  }),
  TEE_AUDIT_MS: integer({
    description:
      'interval of the ledger audit, milliseconds; no payment is charged while the sums do not balance',
    example: '60000',
    default: 60_000,
    min: 100,
    max: 3_600_000,
  }),
  TEE_TCP_TOKEN: rotatingSecret({
    description:
      'token of paywalls that connect by TCP, at least 32 random characters without a comma; empty accepts payments over NATS only',
    example: 'REPLACE_ME_with_at_least_32_random_characters',
    default: '',
    problemOf: (value) =>
      value.length >= 32 && value.length <= maxTokenBytes && /^[\x21-\x7e]*$/.test(value)
        ? undefined
        : `must be 32 to ${maxTokenBytes} characters of ASCII, without spaces`,
  }),
  TEE_TCP_HOST: bindAddress({
    description: 'address that accepts TCP connections of paywalls; token and payments pass unencrypted',
    example: '127.0.0.1',
    default: '127.0.0.1',
  }),
  TEE_TCP_PORT_NUMBER: port({
    description: 'port that accepts TCP connections of paywalls',
    example: '9308',
    default: 9308,
    formerName: 'TEE_TCP_PORT',
  }),
  TEE_DIALOG_DOMAINS: text({
    description: 'domains, separated by commas, that wallets may sign for by TON Connect',
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
