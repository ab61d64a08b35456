import { choice, ConfigurationError, integer, text, UnusableValue, type Config } from '@tollbridge/config';
import { loadEvmChains } from '@tollbridge/chains';
import { priceSettings } from '@tollbridge/prices';
import { RelayerAccount } from './sending/relayer-account';

export const payoutSettings = {
  CHAINS_FILE: text({
    description:
      'JSON file of the chains and their nodes; payouts are simulated and sent on its EVM chains, and estimated on all others',
    example: './chains.json',
    default: '',
  }),
  PAYOUT_ONCHAIN: choice(['off', 'on'], {
    description:
      'whether payouts are sent, on the chains of CHAINS_FILE that have a payoutContract: on or off',
    example: 'on',
    default: 'off',
  }),
  PAYOUT_RELAYER_KEY: {
    description:
      'private key of the wallet that relays payouts and pays their gas, used for nothing else; it never holds the paid amounts',
    example: `0x${'22'.repeat(32)}`,
    default: '',
    // An account that local nodes fund; rejected outside of the sandbox.
    sandboxDefault: '0xdbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97',
    isSecret: true,
    read: (value: string) => {
      if (!/^0x[0-9a-fA-F]{64}$/.test(value)) throw new UnusableValue('must be 0x and 64 hex digits');
      return value;
    },
  },
  PAYOUT_APPROVE_WITHIN_MINUTES: integer({
    description: 'minutes that a payout waits for its approval; its signatures expire an hour later',
    example: '1440',
    default: 1_440,
    min: 1,
    max: 43_200,
  }),
  PAYOUT_MAX_GAS_PRICE_GWEI: integer({
    description:
      'maximum gas price in gwei; with prices (DEFILLAMA_URL) never more than the fee of the payout is worth',
    example: '20',
    default: 20,
    min: 1,
    max: 10_000,
  }),
  PAYOUT_TIP_MWEI: integer({
    description: 'priority fee within it, in millions of wei; 0 uses the suggestion of the node',
    example: '0',
    default: 0,
    min: 0,
    max: 1_000_000_000,
  }),
  ...priceSettings,
};

export type PayoutConfig = Config<typeof payoutSettings>;

/** @throws ConfigurationError when payouts are enabled and a required setting is missing */
export function requirePayoutSettings(config: PayoutConfig): void {
  if (config.PAYOUT_ONCHAIN === 'off') return;
  const errors: string[] = [];
  if (!config.PAYOUT_RELAYER_KEY)
    errors.push('PAYOUT_RELAYER_KEY is missing, but PAYOUT_ONCHAIN=on requires it');
  const chains = config.CHAINS_FILE === '' ? [] : loadEvmChains(config.CHAINS_FILE);
  if (!chains.some(({ payoutContract }) => payoutContract !== null))
    errors.push('CHAINS_FILE has no chain with a payoutContract, but PAYOUT_ONCHAIN=on requires one');
  if (errors.length > 0) throw new ConfigurationError(errors);
}

const weiPerMwei = 1_000_000n;
const weiPerGwei = 1_000_000_000n;

export function openRelayer(config: PayoutConfig): RelayerAccount {
  const tipMwei = BigInt(config.PAYOUT_TIP_MWEI);
  const options = {
    maxWeiPerGas: BigInt(config.PAYOUT_MAX_GAS_PRICE_GWEI) * weiPerGwei,
    tipPerGas: tipMwei === 0n ? undefined : tipMwei * weiPerMwei,
    approveWithinMs: config.PAYOUT_APPROVE_WITHIN_MINUTES * 60_000,
  };
  return new RelayerAccount(options, config.PAYOUT_ONCHAIN === 'on' ? config.PAYOUT_RELAYER_KEY : null);
}
