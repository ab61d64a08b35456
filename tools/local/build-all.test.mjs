import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { buildAll, buildDigest } from './build-all.mjs';
import { repository } from './directory.mjs';

/** @type {string} */
let root;

/** @param {string} path @param {string} text */
function write(path, text) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const read = (/** @type {string} */ path) => readFileSync(join(root, path), 'utf8');

/** Returns the last progress message of the build. */
async function build() {
  let last = '';
  await buildAll((text) => (last = text), root);
  return last;
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tollbridge-build-'));
  mkdirSync(join(root, 'node_modules'));
  copyFileSync(join(repository, '.swcrc'), join(root, '.swcrc'));
  write('libs/domain/money/src/index.ts', 'export const cents: number = 1;');
  write('apps/shop/src/main.ts', 'export const name: string = "shop";');
});
afterEach(() => rmSync(root, { recursive: true }));

describe('the build', () => {
  it('compiles every project once', async () => {
    assert.equal(await build(), '2 of 2 projects');
    assert.match(read('libs/domain/money/dist/index.js'), /cents = 1/);
    assert.ok(existsSync(join(root, 'apps/shop/dist/main.js.map')));
    assert.equal(await build(), 'nothing changed');
  });

  it('compiles a project again if a source file changes, and removes stale output', async () => {
    await build();
    const before = buildDigest(root);
    rmSync(join(root, 'libs/domain/money/src/index.ts'));
    write('libs/domain/money/src/amount.ts', 'export const amount: bigint = 2n;');
    assert.equal(await build(), '1 of 2 projects');
    assert.match(read('libs/domain/money/dist/amount.js'), /amount = 2n/);
    assert.ok(!existsSync(join(root, 'libs/domain/money/dist/index.js')));
    assert.notEqual(buildDigest(root), before);
  });

  it('compiles a project again if its output is missing or the record of the last build is damaged', async () => {
    await build();
    rmSync(join(root, 'apps/shop/dist'), { recursive: true });
    assert.equal(await build(), '1 of 2 projects');
    write('node_modules/.tollbridge-build', '{"libs/mon');
    assert.equal(await build(), '2 of 2 projects');
  });

  it('reports the location of an error, and compiles again after the failure', async () => {
    await build();
    write('libs/domain/money/src/index.ts', 'export const = ;');
    await assert.rejects(build(), (/** @type {any} */ error) => /The build failed/.test(error.message));
    write('libs/domain/money/src/index.ts', 'export const cents: number = 3;');
    assert.equal(await build(), '1 of 2 projects');
    assert.match(read('libs/domain/money/dist/index.js'), /cents = 3/);
  });
});
