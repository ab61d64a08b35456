import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { repository } from './directory.mjs';
import projects from './projects.cjs';

const readJson = (/** @type {string} */ path) => JSON.parse(readFileSync(join(repository, path), 'utf8'));

describe('the projects of the repository', () => {
  const libraries = Object.entries(projects.libraryFolders());

  it('tsconfig.base.json maps every library to its sources', () => {
    const { paths } = readJson('tsconfig.base.json').compilerOptions;
    for (const [name, folder] of libraries) assert.deepEqual(paths[name], [`./${folder}/src/index.ts`], name);
    const mapped = Object.keys(paths).filter((name) => /^@tollbridge\/(?!app-)[\w-]+$/.test(name));
    assert.deepEqual(mapped.sort(), libraries.map(([name]) => name).sort());
  });

  it('every project has an entry point and the tags that lint checks', () => {
    for (const folder of projects.projectFolders()) {
      const { nx } = readJson(`${folder}/package.json`);
      const kinds = folder.startsWith('libs/')
        ? /^(type:lib|layer:[\w-]+|lib:[\w-]+)$/
        : /^(type|app|scope):/;
      assert.ok(
        nx.tags.every((/** @type {string} */ tag) => kinds.test(tag)),
        folder,
      );
      if (folder.startsWith('libs/')) {
        assert.equal(nx.tags.length, 3, `${folder} needs type, layer and lib tags`);
        assert.ok(existsSync(join(repository, folder, 'src/index.ts')), folder);
      }
    }
  });

  it('resolves only packages of this repository to their sources', () => {
    const { sourceOf } = projects;
    assert.equal(sourceOf('@tollbridge/rpc'), join(repository, 'libs/platform/rpc/src/index.ts'));
    assert.equal(
      sourceOf('@tollbridge/paywall/nestjs'),
      join(repository, 'libs/nanopay/paywall/src/nestjs/index.ts'),
    );
    assert.equal(sourceOf('@tollbridge/app-gateway'), join(repository, 'apps/gateway/src/index.ts'));
    assert.equal(sourceOf('@tollbridge/unknown'), undefined);
    assert.equal(sourceOf('pg'), undefined);
  });
});
