import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { loadProduct } from '../docs/product.mjs';

// Drills import libraries of the product.
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

  it('import no product package before they run, because the product may not be built yet', () => {
    const files = readdirSync(import.meta.dirname, { recursive: true }).filter((it) => it.endsWith('.mjs'));
    const text = (file) => readFileSync(join(import.meta.dirname, file), 'utf8');
    assert.deepEqual(
      files.filter((file) => /^import .*'@tollbridge\//m.test(text(file))),
      [],
    );
  });
});
