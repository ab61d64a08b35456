import assert from 'node:assert/strict';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { repository } from '../local/directory.mjs';
import { descriptionFile, writeGeneratedSources } from './generated-sources.mjs';

/** @type {string} */
let root;

const filesOf = () =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.parentPath.endsWith('generated'))
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1))
    .sort();

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tollbridge-generated-'));
  for (const path of [descriptionFile, 'docs/openapi.json', 'docs/asyncapi.json']) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    cpSync(join(repository, path), join(root, path));
  }
});
afterEach(() => rmSync(root, { recursive: true }));

describe('writeGeneratedSources', () => {
  it('writes only files that git ignores', () => {
    writeGeneratedSources(root);
    const files = filesOf();
    assert.ok(files.includes('libs/sdk/src/generated/operations.ts'));
    const ignored = readFileSync(join(repository, '.gitignore'), 'utf8').split('\n').filter(Boolean);
    const committed = files.filter((path) => !ignored.some((folder) => path.startsWith(folder)));
    assert.deepEqual(committed, []);
  });

  it('writes a file again only if it differs', () => {
    writeGeneratedSources(root);
    const [first = '', second = ''] = filesOf().map((path) => join(root, path));
    const text = readFileSync(first, 'utf8');
    const { ino } = statSync(second);
    writeFileSync(first, 'damaged');
    writeGeneratedSources(root);
    assert.equal(readFileSync(first, 'utf8'), text);
    assert.equal(statSync(second).ino, ino);
  });

  it('writes nothing for a checkout without a description of the API', () => {
    rmSync(join(root, descriptionFile));
    writeGeneratedSources(root);
    assert.deepEqual(filesOf(), []);
  });

  it('applies a change of openapi.json', () => {
    const path = join(root, 'docs/openapi.json');
    const document = JSON.parse(readFileSync(path, 'utf8'));
    document.paths['/api/v1/pay/create-order'].post.summary = 'Place an order';
    writeFileSync(path, JSON.stringify(document));
    writeGeneratedSources(root);
    const texts = ['libs/sdk/src/generated/operations.ts', 'libs/cli/src/generated/api.ts'];
    for (const file of texts) assert.match(readFileSync(join(root, file), 'utf8'), /Place an order/);
  });
});
