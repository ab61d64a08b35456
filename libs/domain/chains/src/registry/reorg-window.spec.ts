import { chains } from './registry';
import { reorgWindow } from './reorg-window';

it.each([
  ['twice the confirmations', 40, 80],
  ['never fewer than 64', 1, 64],
  ['never more than 1,024, which is one batch of headers', 5_000, 1_024],
])('reorgWindow returns %s', (_name, confirmations, window) => {
  expect(reorgWindow({ confirmations })).toBe(window);
});

it('reorgWindow exceeds the confirmations of every direct chain, so that settlements can be reverted', () => {
  for (const chain of chains.filter(({ isDirect }) => isDirect)) {
    expect(reorgWindow(chain)).toBeGreaterThan(chain.confirmations);
  }
});
