import assert from 'node:assert/strict';
import { join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { repository } from '../local/directory.mjs';
import { filesIn } from '../local/files-in.mjs';
import { importGraph } from './import-cycles.mjs';

const product = ['apps', 'libs'].flatMap((folder) => filesIn(join(repository, folder)));
const isWorkshop = (/** @type {string} */ path) => /^(tools|e2e|apps\/sandbox|libs\/dev)\//.test(path);
// These files run all apps with the simulators, or belong to tests.
const mayUseIt = /\.spec\.ts$|\/testing\/|^apps\/all-in-one\/|\/scripts\//;

describe('the product', () => {
  it('imports nothing from the workshop', () => {
    const paths = [...product, ...['tools', 'e2e'].flatMap((folder) => filesIn(join(repository, folder)))];
    const sources = paths.filter((path) => /\.[cm]?[jt]s$/.test(path) && !/\/(dist|generated)\//.test(path));
    const place = (/** @type {string} */ path) => relative(repository, path);
    const arrows = [...importGraph(sources)]
      .map(([from, targets]) => ({ from: place(from), targets: targets.map(place) }))
      .filter(({ from }) => !isWorkshop(from) && !mayUseIt.test(from))
      .flatMap(({ from, targets }) => targets.filter(isWorkshop).map((target) => `${from} -> ${target}`));
    assert.deepEqual(arrows, []);
  });
});
