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
  it('contains only existing files', () => {
    const missing = Object.keys(LongestFirst.durations).filter((file) => !existsSync(join(repository, file)));
    assert.deepEqual(missing, []);
  });

  it('starts with the slowest files, and keeps all others', () => {
    const [first = '', second = ''] = Object.keys(LongestFirst.durations);
    const other = 'apps/tee/src/config.ts';
    const sequencer = new LongestFirst({ contexts: [], globalConfig: /** @type {any} */ ({}) });
    const sorted = sequencer.sort(/** @type {any} */ ([other, second, first].map(testOf)));
    assert.deepEqual(
      sorted.map(({ path }) => path),
      [first, second, other].map((file) => join(repository, file)),
    );
  });

  it('assigns each file to one machine, and the slowest file to the first machine', () => {
    const files = [...Object.keys(LongestFirst.durations), 'apps/tee/src/config.ts'].map(testOf);
    const sequencer = new LongestFirst({ contexts: [], globalConfig: /** @type {any} */ ({}) });
    const shares = [1, 2, 3].map((shardIndex) =>
      sequencer.shard(/** @type {any} */ (files), { shardIndex, shardCount: 3 }).map(({ path }) => path),
    );
    assert.equal(shares[0]?.[0], files[0]?.path);
    assert.deepEqual(shares.flat().sort(), files.map(({ path }) => path).sort());
  });
});
