import type { SandboxReply } from '@tollbridge/sdk';
import { networkOf } from './sandbox-networks';

const networks = ['ton', 'solana'].map((family) => ({ chain: family, family }));

it.each([
  ['ton', 'ton'],
  ['tvm:-239', 'ton'],
  ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'solana'],
  ['sui:mainnet', undefined],
  ['eip155:8453', undefined],
])('networkOf maps %s to the family %s', (name, family) => {
  expect(networkOf({ networks } as unknown as SandboxReply, name)?.family).toBe(family);
});
