import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { repository } from '../local/directory.mjs';
import { filesIn } from '../local/files-in.mjs';
import { importCycles, importGraph } from './import-cycles.mjs';

const sources = (/** @type {string[]} */ folders) =>
  folders.flatMap((folder) => filesIn(join(repository, folder))).filter((path) => path.endsWith('.ts'));

describe('the imports of the repository', () => {
  it('contain no cycle', () => {
    const cycles = importCycles(importGraph(sources(['apps', 'libs', 'e2e'])));
    const shown = cycles.map((cycle) => cycle.map((path) => relative(repository, path)).join('\n  -> '));
    assert.deepEqual(shown, [], `\n${shown.join('\n')}\n`);
  });
});

describe('importCycles', () => {
  const cyclesIn = (/** @type {Record<string, string>} */ files) => {
    const folder = mkdtempSync(join(tmpdir(), 'import-cycles-'));
    const paths = Object.keys(files).map((name) => join(folder, name));
    try {
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
      return importCycles(importGraph(paths)).map((cycle) =>
        cycle.map((path) => relative(folder, path)).join(' '),
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

  it('finds two files that import each other', () => {
    assert.deepEqual(cyclesIn({ 'a.ts': "import { b } from './b';", 'b.ts': "import { a } from './a';" }), [
      'a.ts b.ts a.ts',
    ]);
  });

  it('finds a cycle of types, re-exports and dynamic imports', () => {
    const files = {
      'a.ts': "import type { B } from './b';",
      'b.ts': "export * from './c';",
      'c.ts': "export const load = () => import('./a');",
    };
    assert.deepEqual(cyclesIn(files), ['a.ts b.ts c.ts a.ts']);
  });

  it('finds a cycle through the index of a folder', () => {
    assert.deepEqual(cyclesIn({ 'index.ts': "export * from './a';", 'a.ts': "import { b } from '.';" }), [
      'a.ts index.ts a.ts',
    ]);
  });

  it('accepts a file that two files import', () => {
    const files = { 'a.ts': "import './b'; import './c';", 'b.ts': "import './c';", 'c.ts': '' };
    assert.deepEqual(cyclesIn(files), []);
  });

  it('resolves a package of the repository to its source files', () => {
    const graph = importGraph([...sources(['libs/domain/money']), ...sources(['libs/platform/rpc'])]);
    const targets = [...graph.entries()]
      .filter(([path]) => path.includes('/platform/rpc/'))
      .flatMap(([, imported]) => imported);
    assert.ok(targets.includes(join(repository, 'libs/domain/money/src/index.ts')));
  });
});
