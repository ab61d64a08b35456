import { findChain } from '@tollbridge/chains';
import {
  validateReceiveAddresses,
  receiverOf,
  storeNameOf,
  warningsOf,
  webhookUrlOf,
  withoutWarnings,
  withWarnings,
} from './merchant-settings';

const find = (name: string) => findChain(name);
const evm = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const otherEvm = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const btc = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';
const solana = 'GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB';

describe('storeNameOf', () => {
  it.each<[string, unknown, string | null]>([
    ['returns the name', 'Corner Café', 'Corner Café'],
    ['returns other scripts', 'دکان ۲۴ · 角店 · Лавка', 'دکان ۲۴ · 角店 · Лавка'],
    ['returns joined emoji', '👩\u200d🍳 Kitchen', '👩\u200d🍳 Kitchen'],
    ['joins lines', ' A\r\n\tB \u2028 C ', 'A B C'],
    ['drops bidi controls', 'Shop \u202e0x123\u2066\u200f', 'Shop 0x123'],
    ['drops hidden characters', 'A\u200b\u00ad\ufeff\u0000\u0007B', 'AB'],
    ['drops half of a pair', 'A\ud83dB', 'AB'],
    ['truncates a long name', 'x'.repeat(10_000), 'x'.repeat(64)],
    ['truncates between characters', '😀'.repeat(100), '😀'.repeat(64)],
    ['returns null for spaces', ' \t ', null],
    ['returns null for hidden characters alone', '\u200d\u200c\u202e', null],
    ['returns null for invisible letters and symbols', '\u3164 \u115f\u2800\uffa0', null],
    ['returns null for an empty name', '', null],
    ['returns null for a number', 7, null],
    ['returns null for an object', { name: 'x' }, null],
  ])('%s', (_title, storeName, shown) => {
    expect(storeNameOf({ storeName })).toBe(shown);
  });

  it('limits combining marks on one letter', () => {
    const found = storeNameOf({ storeName: `e${'\u0323'.repeat(500)}` });
    expect([...found!].length).toBeLessThanOrEqual(6);
  });

  it('ignores inherited properties', () => {
    const settings = JSON.parse('{"__proto__": {"storeName": "x"}}') as Record<string, unknown>;
    expect(storeNameOf(settings)).toBeNull();
    expect(storeNameOf({})).toBeNull();
  });
});

describe('webhookUrlOf', () => {
  it.each([
    [{ webhookUrl: 'https://shop.example/' }, 'https://shop.example/'],
    [{ webhookUrl: '' }, null],
    [{ webhookUrl: null }, null],
    [{}, null],
  ])('returns for the URL %j: %j', (settings, url) => expect(webhookUrlOf(settings)).toBe(url));
});

describe('validateReceiveAddresses', () => {
  it.each([
    [undefined],
    [null],
    [''],
    [[]],
    [{}],
    [{ evm, solana }],
    [{ evm: '', ton: null }],
    [{ utxo: btc }],
    [{ btc, 'eip155:8453': otherEvm, base: evm }],
  ])('accepts %j', (receiveAddresses) => {
    expect(validateReceiveAddresses({ receiveAddresses }, find)).toEqual([]);
  });

  it.each<[unknown, string[]]>([
    ['x', ['receiveAddresses']],
    [[evm], ['receiveAddresses']],
    [1, ['receiveAddresses']],
    [{ evm: 1 }, ['receiveAddresses.evm']],
    [{ evm: '0x1', solana: evm }, ['receiveAddresses.evm', 'receiveAddresses.solana']],
    [{ evm: `0x${'0'.repeat(40)}` }, ['receiveAddresses.evm']],
    [{ nowhere: evm }, ['receiveAddresses.nowhere']],
    [{ btc: evm }, ['receiveAddresses.btc']],
    [Object.fromEntries(Array.from({ length: 65 }, (_, at) => [`k${at}`, evm])), ['receiveAddresses']],
  ])('rejects %j', (receiveAddresses, fields) => {
    expect(validateReceiveAddresses({ receiveAddresses }, find).map(({ field }) => field)).toEqual(fields);
  });
});

describe('receiverOf', () => {
  const on = (chain: string, receiveAddresses: unknown) =>
    receiverOf({ receiveAddresses }, findChain(chain)!, find);

  it('returns the address of the family', () => {
    expect(on('base', { evm: evm.toLowerCase(), solana })).toEqual({ ok: true, address: evm });
    expect(on('solana', { evm, solana })).toEqual({ ok: true, address: solana });
  });

  it('prefers the address of the chain to the address of its family', () => {
    const given = { evm, base: otherEvm };
    expect(on('base', given)).toEqual({ ok: true, address: otherEvm });
    expect(on('eip155:1', given)).toEqual({ ok: true, address: evm });
  });

  it('returns undefined without an address', () => {
    for (const given of [undefined, null, 'x', {}, { evm: '' }, { evm: null }, { evm: 5 }, { solana }])
      expect(on('base', given)).toBeUndefined();
  });

  it('returns an error when the address belongs to another chain of the family', () => {
    expect(on('ltc', { utxo: btc })).toMatchObject({ ok: false });
  });
});

describe('the warnings of PUT /api/settings', () => {
  const before = { webhookUrl: 'https://shop.example/' };
  const [warning] = warningsOf(before, {});

  it('report a webhookUrl that is missing, but not one that is explicitly removed or replaced', () => {
    expect(warning).toMatchObject({ code: 'WEBHOOK_URL_REMOVED', field: 'webhookUrl' });
    for (const after of [{ webhookUrl: null }, { webhookUrl: '' }, { webhookUrl: 'https://other.example/' }])
      expect(warningsOf(before, after)).toEqual([]);
    for (const none of [{}, { webhookUrl: '' }, { webhookUrl: null }])
      expect(warningsOf(none, {})).toEqual([]);
  });

  it('appear beside the stored settings without hiding a field', () => {
    expect(withWarnings({ a: 1 }, [])).toEqual({ a: 1 });
    expect(withWarnings({ a: 1 }, [warning!])).toEqual({ a: 1, warnings: [warning] });
    const own = { warnings: 'mine', _warnings: 0 };
    expect(withWarnings(own, [warning!])).toEqual({ ...own, __warnings: [warning] });
  });

  it("disappear when a client sends them back, and a merchant's own field with that name stays", () => {
    expect(withoutWarnings({ a: 1, warnings: [warning] })).toEqual({ a: 1 });
    for (const warnings of ['mine', [], [1], [null], [{ code: 'OTHER' }], [warning, { code: 'OTHER' }]])
      expect(withoutWarnings({ warnings })).toEqual({ warnings });
  });
});
