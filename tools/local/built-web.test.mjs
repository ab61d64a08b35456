import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { buildFresh } from './build-web.mjs';
import { isBuiltWebCurrent, unpackWeb } from './built-web.mjs';
import { repository } from './directory.mjs';

describe('apps/web/built.bin', () => {
  const root = mkdtempSync(join(tmpdir(), 'tollbridge-web-'));
  after(() => rmSync(root, { recursive: true }));
  const advice = 'apps/web/built.bin is out of date. Type: npm run web:pack';

  it('matches the current source files and packages', () => {
    assert.ok(isBuiltWebCurrent(repository), advice);
  });

  it('contains the same files as a build', async () => {
    const [fresh, unpacked] = ['fresh', 'unpacked'].map((name) => join(root, name));
    await Promise.all([buildFresh(repository, fresh), unpackWeb(repository, unpacked)]);
    const names = readdirSync(fresh, { recursive: true }).sort();
    assert.ok(names.includes('manifest.json') && names.includes('guides.json') && names.length > 100);
    assert.deepEqual(readdirSync(unpacked, { recursive: true }).sort(), names);
    // Compressed files differ between versions of Node.js.
    for (const name of names.filter((it) => !/\.(br|gz)$/.test(it)))
      assert.ok(
        readFileSync(join(fresh, name)).equals(readFileSync(join(unpacked, name))),
        `${name}: ${advice}`,
      );
  });
});
