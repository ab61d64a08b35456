import { AbiCoder, concat, id, Interface, toUtf8Bytes } from 'ethers';
import { revertReason } from './revert-reason';

const abi = new Interface(['error Error(string)', 'error Panic(uint256)']);

it.each([
  ['no bytes', '0x', 'reverted without a reason'],
  ['no data', '', 'reverted without a reason'],
  ['a text', abi.encodeErrorResult('Error', ['Too little received']), 'Too little received'],
  ['an empty text', abi.encodeErrorResult('Error', ['']), 'reverted without a reason'],
  ['control characters', abi.encodeErrorResult('Error', ['a\u0000b\nc']), 'a b c'],
  ['an overflow', abi.encodeErrorResult('Panic', [0x11]), 'an arithmetic overflow'],
  ['an unknown panic', abi.encodeErrorResult('Panic', [0x99]), 'panic 153'],
  [
    'an insufficient token balance',
    concat([
      id('ERC20InsufficientBalance(address,uint256,uint256)').slice(0, 10),
      AbiCoder.defaultAbiCoder().encode(
        ['address', 'uint256', 'uint256'],
        ['0x0000000000000000000000000000000000000001', 2, 3],
      ),
    ]),
    'ERC20InsufficientBalance(0x0000000000000000000000000000000000000001, 2, 3)',
  ],
  ['a foreign error', '0xdeadbeef00', 'reverted with error 0xdeadbeef'],
  [
    'a truncated known error',
    abi.encodeErrorResult('Error', ['abc']).slice(0, 20),
    'reverted with error 0x08c379a0',
  ],
  [
    'bytes that are not text',
    concat([abi.encodeErrorResult('Error', ['a']).slice(0, 138), '0xff'.padEnd(66, '0')]),
    expect.any(String),
  ],
])('revertReason decodes %s', (_name, data, reason) => {
  expect(revertReason(data)).toEqual(reason);
});

it('revertReason truncates the text of a contract', () => {
  const endless = abi.encodeErrorResult('Error', ['x'.repeat(100_000)]);
  expect(revertReason(endless)).toHaveLength(300);
  expect(revertReason(abi.encodeErrorResult('Error', [toUtf8Bytes('😀').length + '']))).toBe('4');
});
