import { base58 } from '@scure/base';
import { findChain } from '@tollbridge/chains';
import {
  choice,
  ConfigurationError,
  integer,
  UnusableValue,
  type Config,
  type Setting,
} from '@tollbridge/config';
import { readAccount } from '@tollbridge/nanopay-protocol';
import { price } from './prices';

const dollarsForm = /^(0|[1-9][0-9]{0,6})(\.[0-9]{1,6})?$/;

const dollars = (options: { description: string; default: string }): Setting<string> => ({
  ...options,
  example: options.default,
  accepts: 'below 10000000, with at most 6 decimals',
  read: (value: string) => {
    if (!dollarsForm.test(value))
      throw new UnusableValue(
        'must be decimal dollars below 10000000, with at most 6 digits after the point',
      );
    return value;
  },
});

/** Operations of this service that are sold for x402 payments. Off by default. */
export const salesSettings = {
  SALES: choice(['off', 'on'], {
    description:
      'whether calls without credentials are sold for x402 payments: on or off; the gateway needs the same value',
    example: 'on',
    default: 'off',
  }),
  SALES_KEY: {
    description:
      'private key of the EVM wallet that receives payments for sales and signs their refunds; needs no coins for gas, but the tokens that it has to refund',
    example: `0x${'55'.repeat(32)}`,
    default: '',
    // Public, so rejected outside of the sandbox.
    sandboxDefault: '0x85a7468b589130e4fea3a69d9de4d6af4931ddc48e0ed19ad247d1097e098686',
    isSecret: true,
    read: (value: string) => {
      if (!/^0x[0-9a-fA-F]{64}$/.test(value)) throw new UnusableValue('must be 0x and 64 hex digits');
      return value;
    },
  },
  SALES_SOLANA_KEY: {
    description:
      'the same on Solana: 64 bytes in base58 as wallets export it; needs a token account for each token of Solana in SALES_TOKENS, and no SOL for fees',
    example: '33k8aLHMyRtJfT8Jpovwzm3euxSG5KZwKXffudwGN54QTnosEtxSqJWpNzKQ1Hb8YgV92zh1h2ek7H8PGpMHw9gZ',
    default: '',
    // This key is also public. The local network has a token account for it.
    sandboxDefault:
      '3tozF2zt3urpP5V41CRcA6kaG91auMyUr2MN1xwK25rqwhkoTspJ9LSK6GsrowLE7pBCtj9PW6nE14sprN3oifyg',
    isSecret: true,
    read: (value: string) => {
      // Validates the text before decoding it, because decoding takes quadratic time.
      if (!/^[1-9A-HJ-NP-Za-km-z]{80,90}$/.test(value) || base58.decode(value).length !== 64)
        throw new UnusableValue('must be a key pair of Solana: 64 bytes in base58');
      return value;
    },
  },
  SALES_TOKENS: {
    description:
      'tokens that sales take by the scheme exact: chain/symbol, separated by commas, as CHAINS_FILE and FACILITATOR_TOKENS name them; stablecoins of one dollar, on EVM chains with EIP-3009, on Solana of SPL Token; empty takes none',
    example: 'base/USDC,solana/USDC',
    default: '',
    read: (value: string) => {
      readTokens(value);
      return value;
    },
  },
  SALES_TON_ACCOUNT: {
    description: 'account that receives nano-payments for sales; empty takes none',
    example: `0:${'ab'.repeat(32)}`,
    default: '',
    sandboxDefault: '0:f45622fd0cd026501b1f8ca778fa0a4e8cd0518a6a5794d25e341f5b1982b604',
    read: (value: string) => {
      const account = readAccount(value, true);
      if (account === undefined) throw new UnusableValue('must be an account of TON in the base workchain');
      return account;
    },
  },
  SALES_MARGIN_PERCENT: integer({
    description: "percent that is added to the provider's price",
    example: '20',
    default: 20,
    min: 0,
    max: 1_000,
  }),
  SALES_MARGIN_MIN_USD: dollars({
    description: 'the least that is added, in dollars; it pays for the gas of a settlement and a refund',
    default: '0.02',
  }),
  SALES_OFFER_SECONDS: integer({
    description: 'how long the price of a 402 holds',
    example: '300',
    default: 300,
    min: 30,
    max: 570,
  }),
  SALES_EMAIL_ADDRESS_USD: price({
    description: 'price of a disposable e-mail address, and of an address of an agent in RESEND_DOMAIN',
    default: '0.03',
  }),
  SALES_INBOX_USD: price({ description: 'price of a permanent inbox', default: '0.05' }),
  SALES_EMAIL_USD: price({
    description:
      'price of sending an e-mail, from RESEND_DOMAIN or from a permanent inbox: anonymous clients then write from your domain',
    default: 'off',
    sandboxDefault: '0.03',
  }),
  SALES_SWAP_QUOTE_USD: price({ description: 'price of a quote of a swap', default: '0.02' }),
  SALES_PAYER_DAY_USD: dollars({
    description: 'the most that one payer may buy in 24 hours, in dollars',
    default: '100',
  }),
  SALES_DAY_USD: dollars({
    description: 'the most that all payers may buy in 24 hours, in dollars',
    default: '1000',
  }),
};

export type SalesConfig = Config<typeof salesSettings>;

/** @throws ConfigurationError when sales are on, and the settings do not allow payments or refunds */
export function requireSalesSettings(config: SalesConfig): void {
  if (config.SALES === 'off') return;
  const errors: string[] = [];
  if (config.SALES_TOKENS === '' && config.SALES_TON_ACCOUNT === '')
    errors.push('SALES_TOKENS or SALES_TON_ACCOUNT is missing, but SALES=on requires one of them');
  const families = readTokens(config.SALES_TOKENS).map(({ family }) => family);
  if (families.includes('evm') && !config.SALES_KEY)
    errors.push('SALES_KEY is missing, but SALES_TOKENS requires it');
  if (families.includes('solana') && !config.SALES_SOLANA_KEY)
    errors.push('SALES_SOLANA_KEY is missing, but SALES_TOKENS requires it');
  if (errors.length > 0) throw new ConfigurationError(errors);
}

export interface TokenChoice {
  /** Chain id of the registry. */
  chain: string;
  family: 'evm' | 'solana';
  symbol: string;
}

// The 402 lists every way to pay in one header, so the number is limited.
const maxTokens = 8;

/** @throws UnusableValue */
export function readTokens(value: string): TokenChoice[] {
  const entries = value === '' ? [] : value.split(',').map((entry) => entry.trim());
  if (entries.length > maxTokens) throw new UnusableValue(`must be at most ${maxTokens} tokens`);
  return entries.map((entry) => {
    const [, name = '', symbol = ''] = /^([^/]+)\/([A-Za-z0-9.]{1,20})$/.exec(entry) ?? [];
    const { id: chain, family } = findChain(name) ?? {};
    if (chain === undefined || (family !== 'evm' && family !== 'solana'))
      throw new UnusableValue('must name EVM chains or Solana, and tokens, as in base/USDC');
    return { chain, family, symbol };
  });
}
