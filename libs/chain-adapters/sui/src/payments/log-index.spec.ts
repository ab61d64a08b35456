import { account } from '../testing/scripted-node';
import { logIndexOf, requireDistinctTags } from './log-index';

const [one, other] = [account('one'), account('other')];

describe('logIndexOf', () => {
  it('differs for each position and package, in 31 bits', () => {
    const indexes = [
      logIndexOf(one, 0),
      logIndexOf(one, 32_767),
      logIndexOf(other, 0),
      logIndexOf(other, 32_767),
    ];
    expect(new Set(indexes).size).toBe(4);
    for (const index of indexes) expect(index).toBeLessThan(2 ** 31);
  });

  it('rejects a position that overlaps with another package', () => {
    expect(() => logIndexOf(one, 32_768)).toThrow('more than 32768 payments');
  });
});

describe('requireDistinctTags', () => {
  it('rejects packages that would have the same indexes', () => {
    expect(() => requireDistinctTags([one, other])).not.toThrow();
    expect(() => requireDistinctTags([one, one])).toThrow('the same tag');
  });
});
