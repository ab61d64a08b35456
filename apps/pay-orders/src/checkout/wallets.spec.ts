import { ChainAdapters } from '@tollbridge/chain-port';
import { Deployments } from '../chains/deployments';
import { walletsOf } from './wallets';

const deployments = new Deployments(new ChainAdapters([]), true);
const evm = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const solana = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T';
const unknown = / is not a known chain; GET \/api\/v1\/pay\/chains lists the chains$/;

it('walletsOf accepts the id and all aliases of a chain, and returns canonical addresses', () => {
  const { wallets, skipped } = walletsOf({ base: evm.toLowerCase(), 'eip155:1': evm, solana }, deployments);
  expect(skipped).toEqual([]);
  expect(wallets.map(({ chain, address }) => [chain.id, address])).toEqual([
    ['eip155:8453', evm],
    ['eip155:1', evm],
    ['solana', solana],
  ]);
});

it('walletsOf skips each wallet that cannot be read, with its reason, and keeps the others', () => {
  const given = { nowhere: evm, base: 'x', solana: evm, ton: '', 'eip155:1': evm };
  const { wallets, skipped } = walletsOf(given, deployments);
  expect(wallets.map(({ chain }) => chain.id)).toEqual(['eip155:1']);
  expect(skipped.map(({ blockchain }) => blockchain)).toEqual(['nowhere', 'base', 'solana', 'ton']);
  expect(skipped[0]!.reason).toMatch(unknown);
  expect(skipped[2]!.reason).toContain('Solana');
  expect(skipped[3]!.reason).toContain('empty');
});

it('walletsOf skips a chain that is given twice under different names', () => {
  const { wallets, skipped } = walletsOf({ base: evm, 'eip155:8453': evm, BASE: evm }, deployments);
  expect(wallets).toHaveLength(1);
  expect(skipped).toEqual([
    { blockchain: 'eip155:8453', reason: 'repeats Base; name each chain once' },
    { blockchain: 'BASE', reason: 'repeats Base; name each chain once' },
  ]);
});

it.each(['__proto__', 'constructor', 'toString', '', ' ', 'x'.repeat(10_000)])(
  'walletsOf skips the chain name %#',
  (name) => {
    const given = JSON.parse(JSON.stringify({ name: evm }).replace('"name"', JSON.stringify(name))) as Record<
      string,
      string
    >;
    expect(walletsOf(given, deployments)).toEqual({
      wallets: [],
      skipped: [{ blockchain: name.slice(0, 64), reason: expect.stringMatching(unknown) }],
    });
  },
);

it.each(['0x', `${evm}0`, `${evm} `, `${evm}\n`, evm.replace('F', 'f'), '0'.repeat(100_000)])(
  'walletsOf skips the address %#',
  (text) => expect(walletsOf({ base: text }, deployments)).toMatchObject({ wallets: [], skipped: [{}] }),
);
