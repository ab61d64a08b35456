import { isCaip2, parseCaip2 } from '.';

describe('isCaip2 and parseCaip2', () => {
  const named: [string, string, string][] = [
    ['eip155:8453', 'eip155', '8453'],
    ['tvm:-239', 'tvm', '-239'],
    ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'solana', '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
    ['starknet:SN_MAIN', 'starknet', 'SN_MAIN'],
    ['bip122:000000000019d6689c085ae165831e93', 'bip122', '000000000019d6689c085ae165831e93'],
    ['chainstd:8c3444cf8970a9e41a706fab93e7a6c4', 'chainstd', '8c3444cf8970a9e41a706fab93e7a6c4'],
  ];
  it.each(named)('parse %s into %s and %s', (text, namespace, reference) => {
    expect(isCaip2(text)).toBe(true);
    expect(parseCaip2(text)).toEqual({ namespace, reference });
  });

  it.each([
    '',
    'eip155',
    'eip155:',
    ':1',
    'ei:1',
    'namespace9:1',
    'EIP155:1',
    'eip155:1:2',
    'eip155:1 ',
    ' eip155:1',
    'eip155:1\n',
    `eip155:${'1'.repeat(33)}`,
    'eip155:1/erc20:0x0',
    'base',
  ])('rejects %p', (text) => {
    expect(isCaip2(text)).toBe(false);
    expect(() => parseCaip2(text)).toThrow('namespace:reference');
  });

  it.each([[1], [null], [undefined], [['eip155:1']]])('reject %p', (value) => {
    expect(isCaip2(value)).toBe(false);
  });
});
