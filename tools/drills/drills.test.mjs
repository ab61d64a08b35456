import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { loadProduct } from '../docs/product.mjs';

// Drills load libraries of the product.
loadProduct();
const folders = readdirSync(import.meta.dirname, { withFileTypes: true }).filter((entry) =>
  entry.isDirectory(),
);

describe('drills', () => {
  for (const { name } of folders)
    it(`${name} can be imported`, async () => {
      const { run } = await import(`./${name}/run.mjs`);
      assert.equal(typeof run, 'function');
    });
});
