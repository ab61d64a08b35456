import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { repository } from '../local/directory.mjs';
import { filesIn } from '../local/files-in.mjs';

const folders = ['apps', 'libs', 'docs', 'deploy', 'tools', 'bench', 'e2e'];
const pages = [
  ...readdirSync(repository)
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(repository, name)),
  ...folders.flatMap((name) => filesIn(join(repository, name))).filter((path) => path.endsWith('.md')),
];

describe('the pages of the documentation', () => {
  it('have no table that holds a row twice', () => {
    const repeated = pages.flatMap((path) =>
      tablesOf(readFileSync(path, 'utf8')).flatMap((rows) =>
        rows
          .filter((row, index) => rows.indexOf(row) !== index)
          .map((row) => `${relative(repository, path)}: ${row}`),
      ),
    );
    assert.deepEqual(repeated, []);
  });

  it('link to files that exist', () => {
    const broken = pages.flatMap((path) =>
      brokenLinks(path).map((it) => `${relative(repository, path)}: ${it}`),
    );
    assert.deepEqual(broken, []);
  });
});

describe('decision records', () => {
  const folder = join(repository, 'docs/decisions');
  const numbers = readdirSync(folder).map((name) => Number(name.slice(0, 4)));

  it('have a number each, which their heading repeats', () => {
    assert.deepEqual(
      numbers,
      readdirSync(folder).map((name) =>
        Number(/^# (\d+)\. /.exec(readFileSync(join(folder, name), 'utf8'))?.[1]),
      ),
    );
    assert.equal(new Set(numbers).size, numbers.length);
  });

  it('are cited by their number', () => {
    const wrong = pages.flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/\[decision (\d+)\]\([^)]*?(\d{4})-[^)]*\)/gi)]
        .filter(([, cited, linked]) => Number(cited) !== Number(linked))
        .map(([link]) => `${relative(repository, path)}: ${link}`),
    );
    assert.deepEqual(wrong, []);
  });
});

/** The rows of each table, without the alignment of their cells. @param {string} text */
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
