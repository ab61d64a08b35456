import { soldAt } from './prices';
import { requireSalesSettings, salesSettings, type SalesConfig } from './settings';

const config = (changes: Partial<SalesConfig>): SalesConfig =>
  ({
    SALES: 'on',
    SALES_TOKENS: '',
    SALES_TON_ACCOUNT: '',
    SALES_KEY: '',
    SALES_SOLANA_KEY: '',
    ...changes,
  }) as SalesConfig;

describe('the settings of sales', () => {
  it('requires no setting while sales are off', () => {
    expect(() => requireSalesSettings(config({ SALES: 'off' }))).not.toThrow();
  });

  it('requires a way to pay, and a key for refunds', () => {
    expect(() => requireSalesSettings(config({}))).toThrow('SALES_TOKENS or SALES_TON_ACCOUNT');
    expect(() => requireSalesSettings(config({ SALES_TOKENS: 'base/USDC' }))).toThrow('SALES_KEY');
    expect(() => requireSalesSettings(config({ SALES_TON_ACCOUNT: `0:${'ab'.repeat(32)}` }))).not.toThrow();
  });

  it('requires the key of each chain family', () => {
    const SALES_TOKENS = 'solana/USDC';
    expect(() => requireSalesSettings(config({ SALES_TOKENS }))).toThrow('SALES_SOLANA_KEY is missing');
    const { example } = salesSettings.SALES_SOLANA_KEY;
    const SALES_SOLANA_KEY = salesSettings.SALES_SOLANA_KEY.read(example);
    expect(() => requireSalesSettings(config({ SALES_TOKENS, SALES_SOLANA_KEY }))).not.toThrow();
    expect(() => salesSettings.SALES_SOLANA_KEY.read(example.slice(0, -8))).toThrow('64 bytes');
  });

  it.each(['sui/USDC', 'base', 'nowhere/USDC', Array(9).fill('base/USDC').join(',')])(
    'rejects the token list %s',
    (value) => {
      expect(() => salesSettings.SALES_TOKENS.read(value)).toThrow();
    },
  );

  it.each(['-1', '1e3', '0.0000001', 'x', '99999999'])('rejects the dollar amount %s', (value) => {
    expect(() => salesSettings.SALES_DAY_USD.read(value)).toThrow();
  });

  it.each(['0', '0.000000', '', '-1', '1e1', '10000', 'on'])('rejects the price %j', (value) => {
    expect(() => salesSettings.SALES_EMAIL_USD.read(value)).toThrow();
  });

  it('does not sell an operation with the price "off"', () => {
    const prices = ['off', '0.000001', '9999'].map((value) =>
      soldAt(salesSettings.SALES_EMAIL_USD.read(value)),
    );
    expect(prices).toEqual([undefined, { priceUsd: '0.000001' }, { priceUsd: '9999' }]);
  });
});
