import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { repository } from '../local/directory.mjs';
import LongestFirst from './longest-first.cjs';

const testOf = (/** @type {string} */ file) => ({
  path: join(repository, file),
  context: {
    config: { id: 'none', cacheDirectory: '/nowhere', rootDir: repository },
    hasteFS: { getSize: () => 1 },
  },
});

describe('the sequence of test files', () => {
  it('names files that exist', () => {
    const missing = LongestFirst.longest.filter((file) => !existsSync(join(repository, file)));
    assert.deepEqual(missing, []);
  });

  it('starts with the longest files, and keeps all others', () => {
    const [first = '', second = ''] = LongestFirst.longest;
    const other = 'apps/tee/src/config.ts';
    const sequencer = new LongestFirst({ contexts: [], globalConfig: /** @type {any} */ ({}) });
    const sorted = sequencer.sort(/** @type {any} */ ([other, second, first].map(testOf)));
    assert.deepEqual(
      sorted.map(({ path }) => path),
      [first, second, other].map((file) => join(repository, file)),
    );
  });
});
