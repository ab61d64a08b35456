import type { TransactionRecord } from '@tollbridge/contracts';
import { aTransactionRecord } from './testing/transaction-record.builder';
import { csvField, csvHeader, csvRow } from './transactions-csv';

const record = aTransactionRecord({
  id: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d',
  amount: '1000000000000000001',
  network: 'eip155:56',
  description: 'Order of "shop", the 17th',
  payment_request_id: '5f0c7f2e-4a1b-4a3e-9c1d-2b7a6d0e8f31',
  metadata: { cart: '4711' },
  value_usd: '1.000001',
});

it('writes one column for each name, with exact and formatted amounts', () => {
  expect(csvRow(record)).toBe(
    '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d,payment,completed,2026-11-20T12:00:00.000Z,2026-11-20T12:00:07.000Z,' +
      'eip155:56,USDC,1000000000000000001,1.000000000000000001,5000,0.000000000000005,1.000001,0xa1,,' +
      '"Order of ""shop"", the 17th",,false,chain,5f0c7f2e-4a1b-4a3e-9c1d-2b7a6d0e8f31,,"{""cart"":""4711""}",,,,,,,\r\n',
  );
  expect(csvHeader.split(',')).toHaveLength(28);
  expect(csvHeader).toMatch(/^id,tx_type,status,.*,amount,amount_formatted,.*,value_usd,.*\r\n$/);
});

it('writes the price of a payment, and the rate of its amount', () => {
  const rate = {
    pair: 'USDC/EUR',
    value: '0.92',
    source: 'routes, ecb',
    time: '2026-11-20T12:00:00.000Z',
    spread_bps: 0,
  };
  const price = { amount: '49.90', currency: 'EUR' };
  const row = csvRow({ ...record, price, rate, value: '49.90', value_currency: 'EUR' });
  expect(row).toMatch(/,49\.90,EUR,0\.92,"routes, ecb",2026-11-20T12:00:00\.000Z,49\.90,EUR\r\n$/);
});

it('leaves the formatted amount empty for a token with unknown decimals', () => {
  expect(csvRow({ ...record, token: 'NOSUCH' })).toContain(',NOSUCH,1000000000000000001,,5000,,1.000001,');
});

it.each(['-5', '9'.repeat(78), '1e60', 'NaN', '', null])(
  'writes a row with the invalid amount %j unchanged',
  (amount) => {
    const row = csvRow({ ...record, amount: amount as string, network: 'eip155:424242' });
    expect(row.split(',')).toHaveLength(csvRow(record).split(',').length);
    const known = csvRow({ ...record, amount: amount as string });
    expect(known).toContain(`,USDC,${csvField(String(amount ?? ''))},,5000,0.000000000000005,`);
  },
);

it('writes a row without times and with fields of other types', () => {
  const row = {
    ...record,
    created_at: null,
    token: 7,
    value_usd: {},
    late: 'no',
  } as unknown as TransactionRecord;
  expect(csvRow(row)).toMatch(/^0198f3a2-.*,payment,completed,,2026-.*\r\n$/);
});

it.each([
  ['plain', 'plain'],
  ['', ''],
  ['a,b', '"a,b"'],
  ['say "no"', '"say ""no"""'],
  ['two\r\nlines', '"two\r\nlines"'],
  ['=HYPERLINK("http://a","b")', `"'=HYPERLINK(""http://a"",""b"")"`],
  ['+1', `"'+1"`],
  ['-1', `"'-1"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  ['\t=1', `"'\t=1"`],
  ['\r=1', `"'\r=1"`],
  ['1=1', '1=1'],
])('writes %j as %s', (text, field) => {
  expect(csvField(text)).toBe(field);
});
