import { Chains, type Chain } from '../api/chains';
import { compareValues } from '../parts/compare-values';
import { firstReceiver } from '../parts/first-receiver';
import { iconOf } from '../session/sign-in-wallet';
import { mergedSettings, enteredOf } from './settings/entered-settings';
import { isTonAccount } from './nano/ton-account';
import { settleMsOf } from './overview/settle-time';
import { signBatches } from './payouts/sign-batches';

const chains = { find: () => undefined };

describe('settings of the form', () => {
  it('keep fields that the form does not have', () => {
    const stored = { storeName: 'Tea', mine: { any: 1 }, receiveAddresses: { evm: '0xA', ton: 'UQ' } };
    const entered = { ...enteredOf(stored, chains), storeName: ' Tea & Co ', receiveEvm: '' };
    expect(mergedSettings(stored, entered)).toEqual({
      storeName: 'Tea & Co',
      mine: { any: 1 },
      receiveAddresses: { ton: 'UQ' },
    });
  });

  it('remove emptied fields', () => {
    const stored = { webhookUrl: 'https://shop.example', receiveAddresses: { evm: '0xA' } };
    const entered = { ...enteredOf(stored, chains), webhookUrl: '', receiveEvm: '' };
    expect(mergedSettings(stored, entered)).toEqual({});
  });

  it('treat settings of other types as empty', () => {
    const stored = { storeName: 7, storeColor: null, embedOrigins: 'x', receiveAddresses: 'x' };
    expect(enteredOf(stored, chains)).toMatchObject({
      storeName: '',
      storeColor: '',
      storeLogo: '',
      embedOrigins: '',
      receiveEvm: '',
    });
  });

  it('show one origin per line, without empty lines', () => {
    const embedOrigins = ['https://a.example', 'https://b.example'];
    const entered = enteredOf({ embedOrigins }, chains);
    expect(entered.embedOrigins).toBe('https://a.example\nhttps://b.example');
    const edited = { ...entered, embedOrigins: ` https://c.example \n\n${entered.embedOrigins}\n` };
    expect(mergedSettings({}, edited)).toEqual({ embedOrigins: ['https://c.example', ...embedOrigins] });
  });
});

describe('settleMsOf', () => {
  const record = {
    tx_type: 'payment',
    status: 'completed',
    order_id: 'order-1',
    confirmed_by: 'chain',
    created_at: '2026-11-26T12:00:00.000Z',
    updated_at: '2026-11-26T12:00:02.000Z',
  } as const;

  it('returns the median of settled orders only', () => {
    const others = [
      { ...record, order_id: null },
      { ...record, status: 'failed' as const },
      { ...record, tx_type: 'refund' as const },
      { ...record, confirmed_by: 'merchant' as const },
    ];
    expect(settleMsOf([...others, record])).toEqual({ medianMs: 2_000, count: 1 });
    expect(settleMsOf(others)).toBeUndefined();
  });
});

describe('compareValues', () => {
  it('sorts amounts exactly, texts alphabetically, and null last', () => {
    const amounts = [10n ** 30n + 1n, 9n, 10n ** 30n];
    expect([...amounts].sort(compareValues)).toEqual([9n, 10n ** 30n, 10n ** 30n + 1n]);
    expect(['b', null, 'A', 'a'].sort(compareValues)).toEqual(['a', 'A', 'b', null]);
    expect([2, 10, 1].sort(compareValues)).toEqual([1, 2, 10]);
  });
});

describe('firstReceiver', () => {
  const chainOf = (caip2: string) => ({ caip2 }) as Chain;
  it.each([
    ['0x70', 'eip155:8453', '0x70'],
    ['0x70', 'solana:5eykt', ''],
    ['Gma', 'solana:5eykt', 'Gma'],
    ['Gma', 'eip155:8453', ''],
  ])('maps the wallet %s on %s to "%s"', (wallet, caip2, receiver) => {
    expect(firstReceiver(wallet, chainOf(caip2))).toBe(receiver);
  });
});

describe('signBatches', () => {
  const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
  const typedData = { primaryType: 'Permit' };
  const payout = { wallet, batches: [{ typedData: null }, { typedData }] } as never;
  const providerOf = (account: string) => ({
    request: ({ method, params }: { method: string; params?: unknown[] }) =>
      Promise.resolve(method === 'eth_requestAccounts' ? [account] : `signed ${String(params)}`),
  });

  it('signs the batches that need it with the account of the payout', async () => {
    const account = wallet.toLowerCase();
    expect(await signBatches(payout, providerOf(account))).toEqual([
      `signed ${account},${JSON.stringify(typedData)}`,
    ]);
  });

  it('rejects another account, and a browser without a wallet', async () => {
    await expect(signBatches(payout, providerOf('0x1'))).rejects.toThrow(`Choose the account ${wallet}`);
    await expect(signBatches(payout, undefined)).rejects.toThrow('This browser has no wallet');
    expect(await signBatches({ wallet, batches: [] }, undefined)).toEqual([]);
  });
});

describe('iconOf', () => {
  const png = 'data:image/png;base64,iVBORw0KGgo=';
  it('keeps images in data: URLs', () => {
    for (const icon of [png, 'data:image/svg+xml,<svg/>', 'data:image/webp;base64,AA'])
      expect(iconOf(icon)).toBe(icon);
  });

  it.each([
    undefined,
    7,
    '',
    'https://wallet.example/icon.png',
    'javascript:alert(1)',
    'data:text/html,<script>',
    ` ${png}`,
    `data:image/png;base64,${'A'.repeat(300_000)}`,
  ])('removes %p', (icon) => {
    expect(iconOf(icon)).toBeUndefined();
  });
});

describe('isTonAccount', () => {
  it.each([
    `0:${'ab'.repeat(32)}`,
    `0:${'AB'.repeat(32)}`,
    `-1:${'0f'.repeat(32)}`,
    `UQ${'A_-9'.repeat(11)}AA`,
  ])('accepts %s', (text) => expect(isTonAccount(text)).toBe(true));

  it.each(['', 'hello', '0x1', `0:${'ab'.repeat(31)}`, ` 0:${'ab'.repeat(32)}`, 'merchant.ton'])(
    'rejects %j',
    (text) => expect(isTonAccount(text)).toBe(false),
  );
});

describe('explorerUrl', () => {
  const chainOf = (explorer_tx_url: string | null | undefined) =>
    new Chains([{ id: 'ton', caip2: 'ton', short_name: 'ton', explorer_tx_url } as Chain]);

  it('inserts the hash into the template of the API, as one part of the path', () => {
    const chains = chainOf('https://explorer.example/tx/{tx}?a');
    expect(chains.explorerUrl('ton', 'a/b+c=')).toBe('https://explorer.example/tx/a%2Fb%2Bc%3D?a');
  });

  it.each([null, undefined, 'javascript:alert("{tx}")'])(
    'returns undefined for the template %p',
    (template) => {
      expect(chainOf(template).explorerUrl('ton', 'ab')).toBeUndefined();
      expect(chainOf('https://e.example/{tx}').explorerUrl('near', 'ab')).toBeUndefined();
    },
  );
});
