import { ChainAdapters } from '@tollbridge/chain-port';
import { Deployments } from '../chains/deployments';
import { fieldErrorsOfWallets, walletsOf } from './wallets';

const deployments = new Deployments(new ChainAdapters([]), true);
const evm = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const solana = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T';
const unknown = / is not a known chain; GET \/api\/v1\/pay\/chains lists the chains$/;

it('walletsOf accepts any name of a chain, and returns canonical addresses', () => {
  const wallets = { base: evm.toLowerCase(), 'eip155:1': evm, solana };
  expect(fieldErrorsOfWallets(wallets, deployments)).toEqual([]);
  expect(walletsOf(wallets, deployments).map(({ chain, address }) => [chain.id, address])).toEqual([
    ['eip155:8453', evm],
    ['eip155:1', evm],
    ['solana', solana],
  ]);
});

it('fieldErrorsOfWallets names every invalid wallet at once', () => {
  const wallets = { nowhere: evm, base: 'x', solana: evm, ton: '', 'eip155:1': evm };
  const problems = fieldErrorsOfWallets(wallets, deployments);
  expect(problems.map(({ field }) => field)).toEqual([
    'wallets.nowhere',
    'wallets.base',
    'wallets.solana',
    'wallets.ton',
  ]);
  expect(problems[0]!.message).toMatch(unknown);
  expect(problems[2]!.message).toContain('Solana');
  expect(problems[3]!.message).toContain('empty');
});

it('fieldErrorsOfWallets rejects a chain that is given twice under different names', () => {
  expect(fieldErrorsOfWallets({ base: evm, 'eip155:8453': evm, BASE: evm }, deployments)).toEqual([
    { field: 'wallets.eip155:8453', message: 'repeats Base; name each chain once' },
    { field: 'wallets.BASE', message: 'repeats Base; name each chain once' },
  ]);
});

it.each(['__proto__', 'constructor', 'toString', '', ' ', 'x'.repeat(10_000)])(
  'fieldErrorsOfWallets rejects the chain name %#',
  (name) => {
    const wallets = JSON.parse(
      JSON.stringify({ name: evm }).replace('"name"', JSON.stringify(name)),
    ) as Record<string, string>;
    const [problem, ...others] = fieldErrorsOfWallets(wallets, deployments);
    expect(others).toEqual([]);
    expect(problem).toEqual({
      field: `wallets.${name.slice(0, 64)}`,
      message: expect.stringMatching(unknown),
    });
  },
);

it.each(['0x', `${evm}0`, `${evm} `, `${evm}\n`, evm.replace('F', 'f'), '0'.repeat(100_000)])(
  'fieldErrorsOfWallets rejects the address %#',
  (text) => expect(fieldErrorsOfWallets({ base: text }, deployments)).toHaveLength(1),
);

it('walletsOf throws for wallets that were not validated', () => {
  for (const wallets of [{ nowhere: evm }, { base: 'x' }] as Record<string, string>[])
    expect(() => walletsOf(wallets, deployments)).toThrow('without validation');
  expect(walletsOf({}, deployments)).toEqual([]);
});
