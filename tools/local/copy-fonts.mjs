import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Copies the fonts of PDF documents (SIL Open Font License), with an index of the characters in each file. Only the
 * gateway reads them; web pages load no fonts.
 * @param {string} root the checkout
 * @param {string} folder the folder for `fonts/`
 */
export async function copyFonts(root, folder) {
  const source = join(root, 'apps/web/fonts');
  const target = join(folder, 'fonts');
  await mkdir(target, { recursive: true });
  const files = (await readdir(source)).filter((name) => name !== 'index.txt');
  await Promise.all(files.map((name) => copyFile(join(source, name), join(target, name))));
  const lines = (await readFile(join(source, 'index.txt'), 'utf8')).trim().split('\n');
  const index = lines.map((line) => {
    const [file, ranges = ''] = line.split(' ');
    return { file, ranges: rangesOf(ranges) };
  });
  await writeFile(join(target, 'index.json'), JSON.stringify(index));
}

/** @param {string} text such as `U+0131,U+0152-0153` */
const rangesOf = (text) =>
  text.split(',').map((range) => {
    const [first, last = first] = range.slice('U+'.length).split('-');
    return [Number.parseInt(`${first}`, 16), Number.parseInt(`${last}`, 16)];
  });
