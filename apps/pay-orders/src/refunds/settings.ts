import { canonicalAddress, findChain, receiverAddress } from '@tollbridge/chains';
import { choice, ConfigurationError, integer, UnusableValue, type Config } from '@tollbridge/config';
import { Mnemonic } from 'ethers';

export const refundSettings = {
  REFUND_ACCOUNT: choice(['off', 'on'], {
    description:
      "whether the operator's refund account stands in for payers who name no address, on the EVM chains of CHAINS_FILE: on or off",
    example: 'on',
    default: 'off',
  }),
  REFUND_PHRASE: {
    description:
      'BIP-39 phrase of the refund account: each order without a payer has an address of its own, and what comes back to it is forwarded to the sender of the deposit; use it for nothing else',
    example: 'legal winner thank year wave sausage worth useful legal winner thank yellow',
    default: '',
    // The phrase of 128 zero bits. It is rejected outside of the sandbox.
    sandboxDefault:
      'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about',
    isSecret: true,
    read: (value: string) => {
      if (!Mnemonic.isValidMnemonic(value)) throw new UnusableValue('must be a BIP-39 phrase');
      return value;
    },
  },
  REFUND_GAS_KEY: {
    description:
      'private key of the wallet that pays for the gas of forwarded tokens; it holds coins for gas and nothing else',
    example: `0x${'33'.repeat(32)}`,
    default: '',
    // An account that local nodes fund. It is rejected outside of the sandbox.
    sandboxDefault: '0x2a871d0798f97d79848a013d4936a73bf4cc922c825d33c1cf7073dff6d409c6',
    isSecret: true,
    read: (value: string) => {
      if (!/^0x[0-9a-fA-F]{64}$/.test(value)) throw new UnusableValue('must be 0x and 64 hex digits');
      return value;
    },
  },
  REFUND_MAX_GAS_PRICE_GWEI: integer({
    description:
      'the most that is offered for gas when a refund is forwarded, in gwei; with prices never more than the refund is worth',
    example: '50',
    default: 50,
    min: 1,
    max: 10_000,
  }),
  REFUND_TIP_MWEI: integer({
    description:
      'the part of it that is offered to the producer of the block, in millions of wei; 0 offers what the node suggests',
    example: '0',
    default: 0,
    min: 0,
    max: 1_000_000_000,
  }),
  REFUND_GAS_ALARM_MILLICOINS: integer({
    description:
      'a warning is logged while the wallet of REFUND_GAS_KEY holds less on a chain, in thousandths of its coin',
    example: '10',
    default: 10,
    min: 0,
    max: 1_000_000_000,
  }),
  REFUND_MAX_SENDER_TRANSACTIONS: integer({
    description:
      'a sender with more transactions may be the hot wallet of an exchange, where money that is sent back is lost: such refunds wait for an operator',
    example: '1000',
    default: 1_000,
    min: 1,
    max: 1_000_000_000,
  }),
  REFUND_MANUAL_SENDERS: {
    description:
      'EVM addresses, separated by commas; refunds to them wait for an operator: known wallets of exchanges and bridges',
    example: '0x28C6c06298d514Db089934071355E5743bf21d60',
    default: '',
    read: (value: string) => readManualSenders(value).join(','),
  },
  REFUND_MANUAL_ACCOUNTS: {
    description:
      'for chains without a node: chain=address of the operator, separated by commas. Payers on these chains need no address either; an operator forwards their refunds by hand',
    example: 'btc=bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    default: '',
    read: (value: string) => [...readManualAccounts(value)].map((entry) => entry.join('=')).join(','),
  },
};

export type RefundConfig = Config<typeof refundSettings>;

/** @throws ConfigurationError when REFUND_ACCOUNT is on and a required setting is missing */
export function requireRefundSettings(config: RefundConfig): void {
  if (config.REFUND_ACCOUNT === 'off') return;
  const missing = (['REFUND_PHRASE', 'REFUND_GAS_KEY'] as const).filter((name) => !config[name]);
  if (missing.length > 0)
    throw new ConfigurationError(missing.map((name) => `${name} is missing, which REFUND_ACCOUNT=on needs`));
}

const entriesOf = (value: string): string[] => (value === '' ? [] : value.split(','));

/** The addresses of REFUND_MANUAL_SENDERS. @throws UnusableValue */
export const readManualSenders = (value: string): string[] => entriesOf(value).map(evmAddress);

/** The addresses of REFUND_MANUAL_ACCOUNTS by the ids of their chains. @throws UnusableValue */
export const readManualAccounts = (value: string): ReadonlyMap<string, string> =>
  new Map(entriesOf(value).map(manualAccount));

function evmAddress(text: string): string {
  const read = canonicalAddress(findChain('eip155:1')!, text.trim());
  if (!read.ok) throw new UnusableValue('must be EVM addresses, separated by commas');
  return read.address;
}

function manualAccount(text: string): [chain: string, address: string] {
  const [, name = '', address = ''] = /^([^=]+)=(.+)$/.exec(text.trim()) ?? [];
  const chain = findChain(name);
  if (!chain) throw new UnusableValue('must name chains of the registry, as in btc=bc1q…');
  const read = receiverAddress(chain, address);
  if (!read.ok) throw new UnusableValue(`must have an address of ${chain.id} that can be paid`);
  return [chain.id, read.address];
}
