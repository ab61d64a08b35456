import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { repository } from '../local/directory.mjs';
import { filesIn } from '../local/files-in.mjs';
import { exceptions, findWords, isSearched, words } from './words.mjs';

const textFile = /\.(ts|mjs|cjs|md|sol|sh|yml|yaml|sql|conf|json|svg|txt|example)$|(^|\/)Dockerfile$/;
const rootFolders = ['apps', 'libs', 'bench', 'deploy', 'docs', 'e2e', 'examples', 'tools'];
const rootFiles = [
  'README.md',
  'CHANGELOG.md',
  'docker-compose.yml',
  'eslint.config.mjs',
  'jest.config.cjs',
  'package.json',
  '.env.example',
];

/** What is searched, with what was found in it. */
const searched = [...rootFiles.map((name) => join(repository, name)), ...rootFolders.flatMap(inFolder)]
  .map((path) => ({ path: relative(repository, path), text: readFileSync(path, 'utf8') }))
  .filter(({ path, text }) => isSearched(path, text))
  .map(({ path, text }) => ({ path, text, found: findWords(path, text) }));

/** @param {string} name */
function inFolder(name) {
  return filesIn(join(repository, name)).filter((path) => textFile.test(path));
}

describe('the text of the repository', () => {
  it('contains no word of the table', () => {
    const wrong = searched.flatMap(({ path, found }) =>
      found.map(({ line, word, write }) => `${path}:${line}: "${word}". Write ${write}.`),
    );
    assert.equal(wrong.length, 0, `\n${wrong.join('\n')}\n`);
  });

  it('uses every listed exception', () => {
    const unused = exceptions.filter(
      ({ text, files }) =>
        !searched.some((file) => (files?.test(file.path) ?? true) && file.text.search(text) >= 0),
    );
    assert.deepEqual(unused, []);
  });
});

describe('findWords', () => {
  const wordsIn = (/** @type {string} */ text, path = 'apps/x/src/a.ts') =>
    findWords(path, text).map(({ line, word }) => `${line} ${word.toLowerCase()}`);

  it('finds a word of each pattern in a sentence', () => {
    for (const text of [
      'nobody knows',
      'a key of somebody else',
      'whoever asks',
      'whom the token rejects',
      'his amount',
      'read anew',
      'what is told',
      'it hears of it',
      'is refused',
      'is judged',
      'is parked',
      'put aside',
      'given back',
      'taken back',
      'held against the budget',
      'a picture of events',
      'is noted',
      'a played provider',
      'the whole world',
      'problemsOfQuote',
    ])
      assert.equal(findWords('a.ts', text).length, 1, text);
    assert.equal(words.length, 20);
  });

  it('names the line and what to write instead', () => {
    const [found] = findWords('a.md', 'fine\nthe event is told');
    assert.deepEqual([found?.line, found?.word], [2, 'told']);
    assert.match(found?.write ?? '', /publish/);
  });

  it('finds words inside identifiers', () => {
    assert.deepEqual(wordsIn('const wasToldTwice = hearEvents(refused_at);'), [
      '1 told',
      '1 hear',
      '1 refused',
    ]);
  });

  it('ignores words that only contain a listed word', () => {
    assert.deepEqual(
      wordsIn('the theory of this history: ECONNREFUSED, retell, shear, heading, the real world'),
      [],
    );
  });

  it('ignores keys, hashes and encoded bytes', () => {
    assert.deepEqual(wordsIn("'0xHeHisTold00aa11bb22cc33dd44'"), []);
  });

  it('finds words in long names of files and tests', () => {
    assert.deepEqual(wordsIn('docs/decisions/0099-what-the-judge-told-the-payer.md'), ['1 told', '1 judge']);
  });

  it('ignores status values that are stored, but not the word in a sentence', () => {
    assert.deepEqual(wordsIn("status = 'refused' is refused"), ['1 refused']);
    assert.deepEqual(wordsIn("status = 'refused'"), []);
  });

  it('applies an exception only to the files that it names', () => {
    assert.deepEqual(wordsIn("user = 'nobody'", 'tools/local/server-user.mjs'), []);
    assert.deepEqual(wordsIn("user = 'nobody'", 'apps/x/src/a.ts'), ['1 nobody']);
  });

  it('skips migrations, generated pages and licences', () => {
    assert.equal(isSearched('apps/merchant/src/migrations/1-a.ts', ''), false);
    assert.equal(isSearched('docs/events.md', '<!-- Written by `npm run docs` from x. -->\n'), false);
    assert.equal(isSearched('LICENSE', ''), false);
    assert.equal(isSearched('apps/merchant/src/a.ts', ''), true);
  });
});
