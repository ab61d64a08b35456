import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { replace } from './build-web.mjs';

describe('replace', () => {
  const root = mkdtempSync(join(tmpdir(), 'tollbridge-build-'));
  after(() => rmSync(root, { recursive: true }));
  const folder = join(root, 'dist');
  const draftOf = (/** @type {number} */ number) => {
    const draft = join(root, `dist.${number}`);
    mkdirSync(draft);
    for (const name of ['a.js', 'b.js']) writeFileSync(join(draft, name), String(number));
    return draft;
  };

  it('leaves one complete build if several finish at the same time', async () => {
    const drafts = [1, 2, 3, 4, 5, 6].map(draftOf);
    await Promise.all(drafts.map((draft) => replace(folder, draft)));
    assert.deepEqual(readdirSync(root), ['dist']);
    const [first, second] = ['a.js', 'b.js'].map((name) => readFileSync(join(folder, name), 'utf8'));
    assert.equal(first, second);
  });

  it('rejects if the draft is missing', async () => {
    await assert.rejects(replace(folder, join(root, 'dist.7')), { code: 'ENOENT' });
  });
});
