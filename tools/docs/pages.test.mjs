import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { repository } from '../local/directory.mjs';
import { filesIn } from '../local/files-in.mjs';
import { quoted } from './render-quotes.mjs';

const folders = ['apps', 'libs', 'docs', 'deploy', 'tools', 'e2e'];
const pages = [
  ...readdirSync(repository)
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(repository, name)),
  ...folders.flatMap((name) => filesIn(join(repository, name))).filter((path) => path.endsWith('.md')),
];

describe('pages of documentation', () => {
  it('contain no duplicate table row', () => {
    const repeated = pages.flatMap((path) =>
      tablesOf(readFileSync(path, 'utf8')).flatMap((rows) =>
        rows
          .filter((row, index) => rows.indexOf(row) !== index)
          .map((row) => `${relative(repository, path)}: ${row}`),
      ),
    );
    assert.deepEqual(repeated, []);
  });

  it('link to existing files', () => {
    const broken = pages.flatMap((path) =>
      brokenLinks(path).map((it) => `${relative(repository, path)}: ${it}`),
    );
    assert.deepEqual(broken, []);
  });
});

describe('quoted', () => {
  const source = 'class A {\n  @Get()\n  one(): void {\n    two({\n    });\n  }\n}\n';

  it('returns the lines from the first to the closing line, without their indentation', () => {
    assert.equal(quoted(source, 'one('), 'one(): void {\n  two({\n  });\n}');
    assert.equal(quoted(source, '@Get()'), '@Get()\none(): void {\n  two({\n  });\n}');
  });

  it('returns undefined for a line that the source does not contain', () => {
    assert.equal(quoted(source, 'three('), undefined);
  });
});

describe('decision records', () => {
  const folder = join(repository, 'docs/decisions');
  const records = readdirSync(folder)
    .filter((name) => name !== 'README.md')
    .map((name) => ({
      name,
      number: Number(name.slice(0, 4)),
      text: readFileSync(join(folder, name), 'utf8'),
    }));
  const numbers = new Set(records.map(({ number }) => number));

  it('have a unique number that their heading repeats', () => {
    for (const { name, number, text } of records)
      assert.equal(Number(/^# (\d+)\. /.exec(text)?.[1]), number, name);
    assert.equal(numbers.size, records.length);
  });

  it('contain context, decision and consequences, in this order', () => {
    for (const { name, text } of records) {
      const headings = [...text.matchAll(/^## (Context|Decision|Consequences)\b/gm)].map(([, it]) => it);
      assert.deepEqual([...new Set(headings)], ['Context', 'Decision', 'Consequences'], name);
    }
  });

  it('fit on one screen of 60 lines', () => {
    const longer = records
      .map(({ name, text }) => ({ name, lines: linesOnScreen(text) }))
      .filter(({ lines }) => lines > 60);
    assert.deepEqual(longer, []);
  });

  it('appear in the index by number and title', () => {
    const index = readFileSync(join(folder, 'README.md'), 'utf8');
    const listed = [...index.matchAll(/^\| (\d+) +\| \[([^\]]+)\]\(([^)]+)\)/gm)].map(
      ([, number, title, name]) => ({
        name,
        heading: `# ${number}. ${title}`,
      }),
    );
    assert.deepEqual(
      listed,
      records.map(({ name, text }) => ({ name, heading: text.split('\n')[0] })),
    );
  });

  it('have the number that the citation states', () => {
    const wrong = pages.flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/\[decision (\d+)\]\([^)]*?(\d{4})-[^)]*\)/gi)]
        .filter(([, cited, linked]) => Number(cited) !== Number(linked))
        .map(([link]) => `${relative(repository, path)}: ${link}`),
    );
    assert.deepEqual(wrong, []);
  });

  it('exist if code cites them', () => {
    const missing = folders
      .flatMap((name) => filesIn(join(repository, name)))
      .filter((path) => /\.(ts|mjs|cjs|md|sol|sql)$/.test(path))
      .flatMap((path) =>
        [...readFileSync(path, 'utf8').matchAll(/\bdecision (\d+)\b/gi)]
          .filter(([, cited]) => !numbers.has(Number(cited)))
          .map(([text]) => `${relative(repository, path)}: ${text}`),
      );
    assert.deepEqual(missing, []);
  });
});

describe('docs/architecture.md', () => {
  const text = readFileSync(join(repository, 'docs/architecture.md'), 'utf8');
  const tree = /## Tree\n\n```\n([^]*?)\n```/.exec(text)?.[1] ?? '';
  const foldersIn = (/** @type {string} */ path) =>
    readdirSync(join(repository, path), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !['node_modules', 'dist'].includes(entry.name))
      .map(({ name }) => name);

  it('lists every app', () => {
    for (const app of foldersIn('apps')) assert.match(tree, new RegExp(`^  ${app} `, 'm'));
  });

  it('lists every library in its group', () => {
    const libraries = tree.slice(tree.indexOf('\nlibs/\n'));
    for (const group of foldersIn('libs')) {
      const entry = new RegExp(`^  ${group}/? [^]*?(?=\\n {2}\\S|\\n\\S)`, 'm').exec(libraries)?.[0];
      assert.ok(entry, `libs/${group} is not in the tree`);
      if (!existsSync(join(repository, 'libs', group, 'package.json')))
        for (const library of foldersIn(`libs/${group}`)) assert.match(entry, new RegExp(`\\b${library}\\b`));
    }
  });

  it('fits on two screens of 60 lines, not counting the tree', () => {
    const prose = text.replace(/```[^]*?```/, '');
    assert.ok(linesOnScreen(prose) <= 120, `${linesOnScreen(prose)} lines`);
  });
});

describe('docs/glossary.md', () => {
  it('defines at most forty words', () => {
    const rows = readFileSync(join(repository, 'docs/glossary.md'), 'utf8').match(/^\| /gm) ?? [];
    assert.ok(rows.length - 2 <= 40, `${rows.length - 2} words`);
  });
});

/** The number of lines on a screen with 120 columns. @param {string} text */
function linesOnScreen(text) {
  return text
    .trimEnd()
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / 120)), 0);
}

/** The rows of each table, without the padding of their cells. @param {string} text */
function tablesOf(text) {
  return text.split(/\n(?!\|)/).map((part) =>
    part
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .map((line) => line.replaceAll(/\s+/g, ' ')),
  );
}

/** @param {string} path */
function brokenLinks(path) {
  const text = readFileSync(path, 'utf8').replaceAll(/```[^]*?```|`[^`\n]*`/g, '');
  const targets = [...text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].map(([, target]) => target);
  return targets.filter((target) => !/^[a-z]+:/.test(target) && !existsSync(join(path, '..', target)));
}
