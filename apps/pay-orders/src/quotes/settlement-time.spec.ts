import { settlementSeconds } from './settlement-time';

it.each([
  ['a chain with slow blocks', { confirmations: 12, blockTimeMs: 12_000, pollIntervalMs: 4_000 }, 148],
  ['a chain with fast blocks', { confirmations: 20, blockTimeMs: 250, pollIntervalMs: 250 }, 6],
  ['one confirmation, rounded up', { confirmations: 1, blockTimeMs: 1, pollIntervalMs: 1 }, 1],
])('counts the blocks and one poll on %s', (_name, chain, seconds) => {
  expect(settlementSeconds(chain)).toBe(seconds);
});
