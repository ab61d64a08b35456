// Copies the fonts of PDF documents from their packages to apps/web/fonts: npm run fonts
// The packages contain all weights and need 150 MB, but the documents need only one weight.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository } from './local/directory.mjs';
import { readOptions } from './local/options.mjs';

readOptions({});
const version = '5.3.0';
// The fonts in search order. The last two contain East Asian scripts, in many small files.
const families = ['noto-sans', 'noto-sans-hebrew', 'noto-sans-arabic', 'noto-sans-kr', 'noto-sans-sc'];
// Taken from the Korean font. Its Chinese characters look different from those of the Chinese font.
const hangul = [
  [0x1100, 0x11ff],
  [0x3130, 0x318f],
  [0xac00, 0xd7a3],
];

const target = join(repository, 'apps/web/fonts');
const folder = mkdtempSync(join(tmpdir(), 'tollbridge-fonts-'));
try {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target);
  const lines = families.flatMap((family) => copyFamily(family, fetchPackage(`@fontsource/${family}`)));
  writeFileSync(join(target, 'index.txt'), `${lines.join('\n')}\n`);
} finally {
  rmSync(folder, { recursive: true });
}

/** @param {string} name @returns {string} its folder */
function fetchPackage(name) {
  const options = { cwd: folder, encoding: /** @type {const} */ ('utf8') };
  const [{ filename }] = JSON.parse(execFileSync('npm', ['pack', '--json', `${name}@${version}`], options));
  const place = join(folder, name);
  mkdirSync(place, { recursive: true });
  execFileSync('tar', ['-xzf', filename, '-C', place], options);
  return join(place, 'package');
}

/**
 * @param {string} family
 * @param {string} source
 * @returns {string[]} lines of the index, each with a file and its characters
 */
function copyFamily(family, source) {
  copyFileSync(join(source, 'LICENSE'), join(target, `${family}.LICENSE`));
  const subsets = Object.entries(JSON.parse(readFileSync(join(source, 'unicode.json'), 'utf8')));
  return subsets.flatMap(([subset, ranges]) => {
    // Numbered subsets are in brackets. The PDF library reads wrong outlines from WOFF2, so WOFF is used.
    const file = `${family}-${subset.replace(/[[\]]/g, '')}-400-normal.woff`;
    const wanted = ranges
      .split(',')
      .map((/** @type {string} */ it) => it.trim())
      .filter((/** @type {string} */ it) => family !== 'noto-sans-kr' || isHangul(it));
    if (wanted.length === 0) return [];
    copyFileSync(join(source, 'files', file), join(target, file));
    return `${file} ${wanted.join(',')}`;
  });
}

/** @param {string} range such as `U+AC00-AC02` */
function isHangul(range) {
  const [start, end = start] = range.slice('U+'.length).split('-');
  const isIn = (/** @type {number[]} */ [first = 0, last = 0]) =>
    Number.parseInt(`${start}`, 16) >= first && Number.parseInt(`${end}`, 16) <= last;
  return hangul.some(isIn);
}
