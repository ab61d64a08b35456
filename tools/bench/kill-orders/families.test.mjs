import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { allFamilies, chosenFamilies, networksOf } from './families.mjs';

describe('chosenFamilies', () => {
  it('returns all families without a list, and listed families in a fixed order', () => {
    assert.deepEqual(chosenFamilies(undefined), allFamilies);
    assert.deepEqual(chosenFamilies('sui,evm'), ['evm', 'sui']);
  });

  it('rejects unknown names', () => {
    assert.throws(() => chosenFamilies('evm,bitcoin'), /--families has bitcoin/);
  });
});

describe('networksOf', () => {
  it('returns the networks other than EVM, or "none"', () => {
    assert.equal(networksOf(['evm', 'ton', 'sui']), 'ton,sui');
    assert.equal(networksOf(['evm']), 'none');
  });
});
