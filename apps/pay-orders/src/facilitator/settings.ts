import { base58 } from '@scure/base';
import { canonicalAddress, findChain } from '@tollbridge/chains';
import { choice, ConfigurationError, integer, UnusableValue, type Config } from '@tollbridge/config';

const allReceivers = '*';

export const facilitatorSettings = {
  FACILITATOR: choice(['off', 'on'], {
    description:
      'whether payments of the official x402 schemes are settled on EVM chains and Solana, as CHAINS_FILE has them: on or off',
    example: 'on',
    default: 'off',
  }),
  FACILITATOR_KEY: {
    description:
      'private key of the wallet that sends settlements on EVM chains and pays for their gas, used for nothing else; it never holds paid amounts',
    example: `0x${'44'.repeat(32)}`,
    default: '',
    // An account that local nodes fund. It is rejected outside of the sandbox.
    sandboxDefault: '0x4bbbf85ce3377467afe5d46f804f221813b2bb87f24d81f60f1fcdbf7cbf4356',
    isSecret: true,
    read: (value: string) => {
      if (!/^0x[0-9a-fA-F]{64}$/.test(value)) throw new UnusableValue('must be 0x and 64 hex digits');
      return value;
    },
  },
  FACILITATOR_SOLANA_KEY: {
    description:
      'the same on Solana: 64 bytes in base58 as wallets export it; without it nothing is settled there',
    example: '2NARPDraKHbCmy5sYscxzqhSGyHqiYiHt27SwRdBF3hwWzLwDV9SX2gS5ussd14kmgREozfNBimZbzafTeZuuVMq',
    default: '',
    // The local Solana network has an account of this key with coins.
    sandboxDefault: 'xswZVqQinRHvg47BRojr5jiyKg914bCrQEWyPqHQymoqHsAskta1x1ZtrGBSJjJJJhg8ZTZ1vcJcc5ggfgg7ryg',
    isSecret: true,
    read: (value: string) => {
      if (!isSolanaKey(value)) throw new UnusableValue('must be a key pair of Solana: 64 bytes in base58');
      return value;
    },
  },
  FACILITATOR_TOKENS: {
    description:
      'tokens that are settled: chain/symbol, separated by commas, as CHAINS_FILE names them; * stands for every chain of that file, Solana only with FACILITATOR_SOLANA_KEY',
    example: 'base/USDC,polygon/USDC',
    default: '',
    read: (value: string) =>
      readTokens(value)
        .map(({ chain, symbol }) => `${chain}/${symbol}`)
        .join(','),
  },
  FACILITATOR_RECEIVERS: {
    description:
      'addresses of sellers that this deployment pays gas for, separated by commas; * settles for every address',
    example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    default: '',
    read: (value: string) => [...readReceivers(value)].join(','),
  },
  FACILITATOR_MAX_GAS_PRICE_GWEI: integer({
    description: 'maximum gas price of a settlement, in gwei; above it settlements return 503',
    example: '20',
    default: 20,
    min: 1,
    max: 10_000,
  }),
  FACILITATOR_TIP_MWEI: integer({
    description: 'priority fee within it, in millions of wei; 0 uses the suggestion of the node',
    example: '0',
    default: 0,
    min: 0,
    max: 1_000_000_000,
  }),
  FACILITATOR_MAX_GAS: integer({
    description: 'maximum gas of a settlement; a payment that needs more is rejected',
    example: '300000',
    default: 300_000,
    min: 60_000,
    max: 5_000_000,
  }),
  FACILITATOR_SOLANA_MAX_FEE_LAMPORTS: integer({
    description:
      'maximum fee of a settlement on Solana, in lamports: 5,000 for each of the two signatures, and the priority fee that the payer chose',
    example: '25000',
    default: 25_000,
    min: 10_000,
    max: 100_000_000,
  }),
  FACILITATOR_GAS_ALARM_MILLICOINS: integer({
    description:
      'a warning is logged while a wallet that sends settlements holds less on a chain, in thousandths of its coin',
    example: '10',
    default: 10,
    min: 0,
    max: 1_000_000_000,
  }),
  FACILITATOR_PER_MINUTE: integer({
    description: 'settlements per payer and minute',
    example: '60',
    default: 60,
    min: 1,
    max: 10_000,
  }),
  FACILITATOR_TOTAL_PER_MINUTE: integer({
    description: 'settlements of all payers per chain and minute: bounds what the wallet can spend on gas',
    example: '600',
    default: 600,
    min: 1,
    max: 100_000,
  }),
  FACILITATOR_CONFIRMATIONS: integer({
    description:
      'blocks, the first included, until a settlement counts as successful; never more than the chain has',
    example: '1',
    default: 1,
    min: 1,
    max: 1_000,
  }),
  FACILITATOR_WAIT_MS: integer({
    description: 'how long a settlement waits for them before it is answered as pending',
    example: '15000',
    default: 15_000,
    min: 0,
    max: 25_000,
  }),
};

export type FacilitatorConfig = Config<typeof facilitatorSettings>;

/** @throws ConfigurationError when FACILITATOR is on and a required setting is missing */
export function requireFacilitatorSettings(config: FacilitatorConfig): void {
  if (config.FACILITATOR === 'off') return;
  const needed = ['FACILITATOR_TOKENS', 'FACILITATOR_RECEIVERS', ...keysFor(config)] as const;
  const missing = needed.filter((name) => !config[name]);
  if (missing.length > 0)
    throw new ConfigurationError(missing.map((name) => `${name} is missing, which FACILITATOR=on needs`));
}

/** `*` includes Solana only if its key is set. */
function keysFor({ FACILITATOR_TOKENS: tokens }: FacilitatorConfig) {
  const chosen = readTokens(tokens).map(({ chain }) => chain);
  const isOfSolana = (chain: string) => findChain(chain)?.family === 'solana';
  return [
    ...(chosen.some((chain) => !isOfSolana(chain)) ? (['FACILITATOR_KEY'] as const) : []),
    ...(chosen.some(isOfSolana) ? (['FACILITATOR_SOLANA_KEY'] as const) : []),
  ];
}

export interface TokenChoice {
  /** The id in the registry, or `*`. */
  chain: string;
  symbol: string;
}

/** The entries of FACILITATOR_TOKENS. @throws UnusableValue */
export function readTokens(value: string): TokenChoice[] {
  return entriesOf(value).map((entry) => {
    const [, name = '', symbol = ''] = /^([^/]+)\/([A-Za-z0-9.]{1,20})$/.exec(entry) ?? [];
    const chain = name === '*' ? '*' : findChain(name)?.id;
    if (chain === undefined) throw new UnusableValue('must name chains and tokens, as in base/USDC');
    return { chain, symbol };
  });
}

/** The canonical addresses of FACILITATOR_RECEIVERS, or `*` alone. @throws UnusableValue */
export function readReceivers(value: string): ReadonlySet<string> {
  return new Set(entriesOf(value).map(receiver));
}

function receiver(text: string): string {
  if (text === allReceivers) return text;
  const family = text.startsWith('0x') ? 'eip155:1' : 'solana';
  const read = canonicalAddress(findChain(family)!, text);
  if (!read.ok)
    throw new UnusableValue('must be EVM addresses or Solana addresses, separated by commas, or *');
  return canonicalReceiver(read.address);
}

// Base58 is case-sensitive, so only other addresses become lower-case.
const canonicalReceiver = (address: string): string =>
  address.startsWith('0x') ? address.toLowerCase() : address;

export const isReceiver = (receivers: ReadonlySet<string>, address: string): boolean =>
  receivers.has(allReceivers) || receivers.has(canonicalReceiver(address));

function isSolanaKey(text: string): boolean {
  // Checked before the text is decoded, because decoding takes quadratic time.
  if (!/^[1-9A-HJ-NP-Za-km-z]{80,90}$/.test(text)) return false;
  return base58.decode(text).length === 64;
}

const entriesOf = (value: string): string[] =>
  value === '' ? [] : value.split(',').map((entry) => entry.trim());
