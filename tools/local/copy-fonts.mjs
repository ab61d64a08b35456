import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

// In the order in which a character is looked up. The last two have the scripts of East Asia, in many small files.
const families = ['noto-sans', 'noto-sans-hebrew', 'noto-sans-arabic', 'noto-sans-kr', 'noto-sans-sc'];
// Of the Korean font: its Chinese characters have other shapes than those of the Chinese one.
const hangul = [
  [0x1100, 0x11ff],
  [0x3130, 0x318f],
  [0xac00, 0xd7a3],
];

/**
 * Copies the fonts of PDF documents (SIL Open Font License), with an index of the characters that each file has. Only the
 * gateway reads them: no page loads a font.
 * @param {string} root folder of the packages
 * @param {string} folder where `fonts/` is written
 */
export async function copyFonts(root, folder) {
  const require = createRequire(join(root, 'package.json'));
  const target = join(folder, 'fonts');
  await mkdir(target, { recursive: true });
  const index = [];
  for (const family of families) {
    const source = dirname(require.resolve(`@fontsource/${family}/unicode.json`));
    const subsets = Object.entries(JSON.parse(await readFile(join(source, 'unicode.json'), 'utf8')));
    await copyFile(join(source, 'LICENSE'), join(target, `${family}.LICENSE`));
    for (const [subset, ranges] of subsets) {
      // Numbered subsets are in brackets.
      // The library of PDF documents takes wrong outlines from WOFF2.
      const file = `${family}-${subset.replace(/[[\]]/g, '')}-400-normal.woff`;
      const wanted = rangesOf(ranges).filter((range) => family !== 'noto-sans-kr' || isHangul(range));
      if (wanted.length === 0) continue;
      await copyFile(join(source, 'files', file), join(target, file));
      index.push({ file, ranges: wanted });
    }
  }
  await writeFile(join(target, 'index.json'), JSON.stringify(index));
}

/** @param {number[]} range */
const isHangul = ([start, end]) => hangul.some(([first, last]) => start >= first && end <= last);

/** @param {string} text such as `U+0131,U+0152-0153` */
const rangesOf = (text) =>
  text.split(',').map((range) => {
    const [first, last = first] = range.trim().slice(2).split('-');
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
  });
