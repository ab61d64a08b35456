import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { budgetsKb, weigh } from './web-budgets.mjs';

const manifest = {
  'main.ts': {
    file: 'checkout.js',
    name: 'checkout',
    isEntry: true,
    imports: ['shared.js', 'other.js'],
    css: ['a.css'],
  },
  'shared.js': { file: 'shared.js', imports: ['other.js'], css: ['a.css', 'b.css'] },
  'other.js': { file: 'other.js', imports: ['shared.js'] },
  'later.js': { file: 'later.js' },
};

describe('weigh', () => {
  it('counts each file that an entry needs at its start once', async () => {
    const sizes = {
      'checkout.js': 1,
      'shared.js': 10,
      'other.js': 100,
      'a.css': 1_000,
      'b.css': 10_000,
      'later.js': 1e6,
    };
    const weights = await weigh(manifest, async (file) => sizes[/** @type {keyof typeof sizes} */ (file)]);
    assert.deepEqual(weights, [{ entry: 'checkout', bytes: 11_111, budgetBytes: budgetsKb.checkout * 1024 }]);
  });

  it('rejects an entry without a budget', async () => {
    const unknown = { x: { file: 'x.js', name: 'x', isEntry: true } };
    await assert.rejects(
      weigh(unknown, async () => 1),
      /x has no budget/,
    );
  });
});
