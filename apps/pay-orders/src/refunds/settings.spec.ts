import { findChain } from '@tollbridge/chains';
import { loadConfig } from '@tollbridge/config';
import { RefundAccounts } from './evm/refund-accounts';
import { readManualAccounts, refundSettings, requireRefundSettings, type RefundConfig } from './settings';

const phrase = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
const load = (env: NodeJS.ProcessEnv): RefundConfig => {
  const config = loadConfig(refundSettings, { TOLLBRIDGE_ENV: 'production', ...env });
  requireRefundSettings(config);
  return config;
};

describe('refund settings', () => {
  it('default to off, without keys', () => {
    expect(load({})).toMatchObject({ REFUND_ACCOUNT: 'off', REFUND_PHRASE: '', REFUND_GAS_KEY: '' });
  });

  it('report every missing key when the account is on', () => {
    expect(() => load({ REFUND_ACCOUNT: 'on' })).toThrow(
      /REFUND_PHRASE is missing[^]*REFUND_GAS_KEY is missing/,
    );
  });

  it('have default keys in the sandbox that other environments reject', () => {
    const { REFUND_PHRASE, REFUND_GAS_KEY } = load({ TOLLBRIDGE_ENV: 'sandbox', REFUND_ACCOUNT: 'on' });
    expect(REFUND_PHRASE).not.toBe('');
    for (const known of [{ REFUND_PHRASE }, { REFUND_GAS_KEY }, { REFUND_PHRASE: phrase }])
      expect(() => load(known)).toThrow('must not be a value from the examples');
  });

  it.each([
    [{ REFUND_PHRASE: `${phrase} zoo` }, 'must be a BIP-39 phrase'],
    [{ REFUND_GAS_KEY: '0x1234' }, 'must be 0x and 64 hex digits'],
    [{ REFUND_MANUAL_SENDERS: '0x1234' }, 'must be EVM addresses'],
    [{ REFUND_MANUAL_ACCOUNTS: 'nowhere=x' }, 'must name chains of the registry'],
    [
      { REFUND_MANUAL_ACCOUNTS: 'btc=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
      'must have an address of btc',
    ],
  ])('reject %j', (env, problem) => {
    expect(() => load(env)).toThrow(problem);
  });

  it('accept the id and all aliases of chains, and return the canonical address', () => {
    const given =
      'base=0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed, btc=bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
    const { REFUND_MANUAL_ACCOUNTS } = load({ REFUND_MANUAL_ACCOUNTS: given });
    expect([...readManualAccounts(REFUND_MANUAL_ACCOUNTS)]).toEqual([
      ['eip155:8453', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
      ['btc', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'],
    ]);
  });
});

describe('RefundAccounts', () => {
  const options = {
    readableChains: ['eip155:8453'],
    manualAccounts: new Map([['btc', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq']]),
    maxWeiPerGas: 1n,
    tipPerGas: undefined,
    gasAlarmWei: 0n,
    maxSenderTransactions: 1,
    manualSenders: [],
  };
  const kinds = (accounts: RefundAccounts) =>
    ['eip155:8453', 'btc', 'tron'].map((id) => accounts.kindOf(findChain(id)!));

  it('forwards on chains with nodes, except for chains that the operator has excluded', () => {
    const accounts = new RefundAccounts(options, { phrase, gasKey: `0x${'44'.repeat(32)}` });
    expect(kinds(accounts)).toEqual(['forwarded', 'manual', null]);
    expect(accounts.chains.sort()).toEqual(['btc', 'eip155:8453']);
  });

  it('forwards nothing without keys', () => {
    const accounts = new RefundAccounts(options, null);
    expect(kinds(accounts)).toEqual([null, 'manual', null]);
    expect(() => accounts.addressOf(0)).toThrow('forwards no refunds');
    expect(() => accounts.gasWallet).toThrow('forwards no refunds');
  });

  it('derives the addresses that any wallet shows for the phrase', () => {
    const accounts = new RefundAccounts(options, { phrase, gasKey: `0x${'44'.repeat(32)}` });
    expect(accounts.addressOf(0)).toBe('0x58A57ed9d8d624cBD12e2C467D34787555bB1b25');
    expect(new Set([0, 1, 2].map((index) => accounts.addressOf(index))).size).toBe(3);
  });
});
