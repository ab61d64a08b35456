import { type Config, ConfigurationError, loadConfig, publicUrl, UnusableValue } from '@tollbridge/config';
import { chainSettings } from './chain/settings';
import { readAccount } from '@tollbridge/nanopay-protocol';
import { managementSettings, nanopaySettings, serviceSettings } from '@tollbridge/bootstrap';

export const settings = {
  ...managementSettings,
  ...serviceSettings('NANOPAY', { managementPort: 9105 }),
  ...nanopaySettings,
  ...chainSettings,
  NANOPAY_RECEIPT_KEYS: {
    description:
      'public keys of receipts, 64 hexadecimal digits each, comma-separated: GET /supported publishes them, so that sellers trust the next key before the ledger service signs with it; empty publishes none',
    example: 'ab'.repeat(32),
    default: '',
    read: (value: string) => {
      if (!/^[0-9a-f]{64}(,[0-9a-f]{64}){0,2}$/.test(value))
        throw new UnusableValue('must be one to three keys of 64 hexadecimal digits, separated by commas');
      return value;
    },
  },
  SALES_TON_ACCOUNT: {
    description:
      'account that receives nano-payments for sales, as in service-api: only sales charge payments to it; empty for none',
    example: `0:${'ab'.repeat(32)}`,
    default: '',
    sandboxDefault: '0:f45622fd0cd026501b1f8ca778fa0a4e8cd0518a6a5794d25e341f5b1982b604',
    read: (value: string) => {
      const account = readAccount(value, true);
      if (account === undefined) throw new UnusableValue('must be an account of TON in the base workchain');
      return account;
    },
  },
  GATEWAY_PUBLIC_URL: publicUrl({
    description: 'the URL of the public API for clients',
    example: 'https://api.example.com',
    sandboxDefault: 'http://127.0.0.1:3000',
  }),
};

export type NanopayConfig = Config<typeof settings>;

export function readConfig(env?: NodeJS.ProcessEnv): NanopayConfig {
  const config = loadConfig(settings, env);
  // Buyers get exactly one address.
  if (config.GATEWAY_PUBLIC_URL.includes(','))
    throw new ConfigurationError(['GATEWAY_PUBLIC_URL must be one URL']);
  return config;
}
