import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { repository } from '../local/directory.mjs';
import { filesIn } from '../local/files-in.mjs';
import { findForms } from './forms.mjs';
import { exceptions, findWords, isSearched, words } from './words.mjs';

const textFile =
  /\.(ts|tsx|mjs|cjs|md|sol|move|tolk|c|h|css|sh|yml|yaml|sql|conf|json|svg|txt|example)$|(^|\/)Dockerfile$/;
const rootFolders = ['apps', 'libs', 'deploy', 'docs', 'e2e', 'examples', 'tools'];
const rootFiles = [
  'README.md',
  'CHANGELOG.md',
  'docker-compose.yml',
  'jest.config.cjs',
  'package.json',
  '.env.example',
];

/** The files to search, with their findings. */
const searched = [...rootFiles.map((name) => join(repository, name)), ...rootFolders.flatMap(inFolder)]
  .map((path) => ({ path: relative(repository, path), text: readFileSync(path, 'utf8') }))
  .filter(({ path, text }) => isSearched(path, text))
  .map(({ path, text }) => ({ path, text, found: findWords(path, text), forms: findForms(path, text) }));

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

  it('contains no avoided form', () => {
    const wrong = searched.flatMap(({ path, forms }) =>
      forms.map(({ line, form, write }) => `${path}:${line}: ${form} Write ${write}.`),
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

  it('finds each listed word in a sentence', () => {
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
      'the list is no list',
      'keys of which one is old',
      'an app whose stream is missing',
    ])
      assert.equal(findWords('a.ts', text).length, 1, text);
    assert.equal(words.length, 23);
  });

  it('accepts "no" where something is missing or has ended', () => {
    for (const text of ['there is no key', 'the key is no longer valid', 'it has no key', 'no key is valid'])
      assert.deepEqual(wordsIn(text), [], text);
  });

  it('accepts questions and plain clauses with "which"', () => {
    for (const text of ['which key is valid', 'the key, which is old', 'chooses which one'])
      assert.deepEqual(wordsIn(text), [], text);
  });

  it('returns the line and the replacement', () => {
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

  it('ignores stored status values, but finds the word in a sentence', () => {
    assert.deepEqual(wordsIn("status = 'refused' is refused"), ['1 refused']);
    assert.deepEqual(wordsIn("status = 'refused'"), []);
  });

  it('applies an exception only to its listed files', () => {
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

describe('findForms', () => {
  const formsIn = (/** @type {string} */ text, path = 'apps/x/src/a.ts') =>
    findForms(path, text).map(({ line, form }) => `${line} ${form}`);
  const words = (/** @type {number} */ count) => Array.from({ length: count }, () => 'word').join(' ');

  it('finds a sentence above 22 words in each kind of comment', () => {
    for (const [path, text] of /** @type {const} */ ([
      ['a.ts', `// ${words(23)}`],
      ['a.ts', `x(); // ${words(23)}`],
      ['a.tsx', `/** ${words(12)}\n * ${words(11)} */`],
      ['a.sol', `/// ${words(23)}`],
      ['a.tolk', `/// ${words(23)}`],
      ['a.move', `/// ${words(23)}`],
      ['a.css', `/* ${words(23)} */`],
      ['a.sql', `-- ${words(23)}`],
      ['a.yml', `# ${words(23)}`],
      ['Dockerfile', `# ${words(12)}\n# ${words(11)}`],
    ]))
      assert.equal(findForms(path, text).length, 1, `${path}: ${text}`);
  });

  it('accepts 22 words per sentence, and counts neither types nor tags', () => {
    for (const text of [
      `// ${words(22)}.\n// ${words(22)}:\n// ${words(22)}`,
      `/** ${words(22)}\n * @param {${words(5)}} name ${words(22)}\n * @returns ${words(21)}\n */`,
      `// ${words(15)}\nx();\n// ${words(15)}`,
      `// - ${words(15)}\n// - ${words(15)}`,
      `const text = '${words(30)}';`,
    ])
      assert.deepEqual(formsIn(text), [], text);
  });

  it('finds comments above 120 columns, and long code lines in files without a formatter', () => {
    const long = `f(${'"some words", '.repeat(9)});`;
    assert.deepEqual(formsIn(long), []);
    assert.deepEqual(formsIn(long, 'a.tolk'), ['1 130 columns']);
    assert.deepEqual(formsIn(`// ${'word. '.repeat(20)}`), ['1 123 columns']);
  });

  it('accepts a string, a path and a type that cannot be split into two lines', () => {
    for (const text of [
      `string constant T = "${'word '.repeat(25)}";`,
      `// ${'path/'.repeat(25)}`,
      ` * @param {{ ${'name: string, '.repeat(9)}}} options`,
    ])
      assert.deepEqual(formsIn(text, 'a.sol'), [], text);
  });

  it('finds test titles that do not continue their describe', () => {
    for (const title of [
      "it('is read', () => {",
      "it('are read', async () => {",
      "])('of %s is %s', (a) => {",
      `it("is the payer's", () => {`,
      "describe.each([1])('of %s', () => {\n  it('is read', () => {",
    ])
      assert.equal(formsIn(title, 'a.spec.ts').length, 1, title);
  });

  it('accepts verbs, statuses, subjects and every title of a describe', () => {
    for (const title of [
      "it('reads', () => {",
      "it('400: rejects', () => {",
      "it('a payment is read once', () => {",
      "describe('in production', () => {",
      "describe.each([1])('after %s', (a) => {",
    ])
      assert.deepEqual(formsIn(title, 'a.spec.ts'), [], title);
  });
});
