import { Address } from '@ton/core';
import type { Environment } from '@tollbridge/config';
import { walletHeader } from './wallet-header';

const named = (wallet?: string, environment: Environment = 'production') =>
  walletHeader({ headers: wallet === undefined ? {} : { 'x-wallet': wallet } }, environment);
const checksummed = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

it.each([
  [checksummed, checksummed],
  [checksummed.toLowerCase(), checksummed],
  ['0x' + checksummed.slice(2).toUpperCase(), checksummed],
])('reads %s', (given, wallet) => {
  expect(named(given)).toEqual({ kind: 'named', wallet });
});

it('returns missing without the header', () => {
  expect(named()).toEqual({ kind: 'missing' });
});

it.each([
  '',
  ' ',
  'hello',
  checksummed.slice(0, -1),
  checksummed.replace('C5', 'c5'),
  `${checksummed}, ${checksummed}`,
  `${checksummed},${checksummed}`,
  checksummed.replace('0', '\u043e'),
  `0${checksummed}`,
])('rejects %j as malformed', (given) => {
  expect(named(given)).toEqual({ kind: 'malformed' });
});

it('reads the network of a raw TON address from the environment', () => {
  const raw = '0:b67b2f24499279561787cedb03ba2d02e21ea800e6c72475008edeabb481a015';
  expect(named(raw, 'test')).toEqual({
    kind: 'named',
    wallet: '0QC2ey8kSZJ5VheHztsDui0C4h6oAObHJHUAjt6rtIGgFbrV',
  });
  const { wallet } = named(raw) as { wallet: string };
  expect(wallet).toMatch(/^UQ/);
  // The bounceable and the non-bounceable form are the same wallet.
  expect(named(Address.parse(wallet).toString({ bounceable: true }))).toEqual(named(wallet));
});
