import {
  readEvmAddress,
  readCallData,
  readChainId,
  readQuantity,
  readToken,
  readTxHash,
  wireChain,
  wireSlippage,
} from './evm-wire';
import { bitcoin, usdc } from './testing/route-tokens';
import { wireToken } from './testing/scripted-swaps';

const address = usdc.address!;
const nothings: unknown[] = [undefined, null, '', 5, -1, NaN, true, {}, [], [address], 'x'];

it.each([
  [0, '0'],
  [1, '0.0001'],
  [50, '0.005'],
  [100, '0.01'],
  [1_000, '0.1'],
  [5_000, '0.5'],
  [9_999, '0.5'],
  [-5, '0'],
  [10.9, '0.001'],
])('converts %s basis points to %s', (bps, text) => {
  expect(wireSlippage(bps)).toBe(text);
});

it('returns a checksummed address for any letter case', () => {
  for (const value of [address, address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`])
    expect(readEvmAddress(value, 'to')).toBe(address);
  const bad = [
    ...nothings,
    address.slice(2),
    `${address}0`,
    address.slice(0, -1),
    ` ${address}`,
    `${address}\n`,
  ];
  for (const to of bad) expect(() => readEvmAddress(to, 'to')).toThrow('to is not an address');
});

it('returns a transaction hash in lower case', () => {
  const hash = `0x${'aB'.repeat(32)}`;
  expect(readTxHash(hash, 'hash')).toBe(hash.toLowerCase());
  for (const bad of [...nothings, hash.slice(2), `${hash}0`, `${hash}\n`, `0x${'zz'.repeat(32)}`])
    expect(() => readTxHash(bad, 'hash')).toThrow('hash is not a transaction hash');
});

it('finds a registry chain by its number', () => {
  expect(readChainId(42161, 'id')).toBe('eip155:42161');
  expect(readChainId(143, 'id')).toBe('monad');
  for (const id of [...nothings, 0, 1.5, 5, 34268394551451, 1e300, Infinity, '42161', '1'])
    expect(() => readChainId(id, 'id')).toThrow('id is not a supported chain');
});

it('returns a chain number only for EVM chains', () => {
  expect(wireChain(usdc)).toBe('8453');
  expect(() => wireChain(bitcoin)).toThrow('noRoute');
});

describe('a token', () => {
  it('parses every field, and accepts two addresses for the native coin', () => {
    expect(readToken(wireToken(usdc), 'token')).toEqual(usdc);
    for (const coin of [`0x${'0'.repeat(40)}`, `0x${'eE'.repeat(20)}`])
      expect(readToken({ ...wireToken(usdc), address: coin }, 'token')).toMatchObject({ address: null });
  });

  it.each<[string, unknown[]]>([
    ['address', nothings],
    ['symbol', [undefined, null, '', 5, {}, 'a\0', 'x'.repeat(65)]],
    ['decimals', [undefined, null, '6', -1, 37, 1.5, NaN, Infinity, 1e400]],
    ['chainId', [undefined, null, '8453', -1, 0, NaN, 5]],
  ])('rejects an invalid %s', (name, values) => {
    for (const value of values)
      expect(() => readToken({ ...wireToken(usdc), [name]: value }, 'token')).toThrow(`token.${name} `);
  });
});

it('requires at least a function selector', () => {
  expect(readCallData('0xA9059CBB00', 'data')).toBe('0xa9059cbb00');
  const most = `0x${'00'.repeat(131_071)}`;
  expect(readCallData(most, 'data')).toBe(most);
  const bad = ['0x', '0xa9059c', '0xa9059cbb0', 'a9059cbb', '0xa9059cbg', '0xa9059cbb\n', `${most}0000`];
  for (const data of [...nothings, ...bad])
    expect(() => readCallData(data, 'data')).toThrow('data is not call data');
});

it('requires a hex quantity of at most 256 bits', () => {
  expect(readQuantity('0x0', 'value')).toBe(0n);
  expect(readQuantity(`0x${'F'.repeat(64)}`, 'value')).toBe(2n ** 256n - 1n);
  for (const value of [...nothings, '0x', '10', '0xg', '-0x1', '0x1 ', '0x-1', `0x${'f'.repeat(65)}`])
    expect(() => readQuantity(value, 'value')).toThrow('value is not a quantity');
});
