import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { copyFonts } from './copy-fonts.mjs';
import { repository } from './directory.mjs';

describe('copyFonts', () => {
  const root = mkdtempSync(join(tmpdir(), 'tollbridge-fonts-'));
  after(() => rmSync(root, { recursive: true }));

  it('copies every font with its licence and characters', async () => {
    await copyFonts(repository, root);
    const names = readdirSync(join(root, 'fonts'));
    const index = JSON.parse(readFileSync(join(root, 'fonts/index.json'), 'utf8'));
    const fonts = index.map((/** @type {{ file: string }} */ { file }) => file);
    assert.deepEqual(names.filter((name) => name.endsWith('.woff')).sort(), fonts.sort());
    for (const family of new Set(
      fonts.map((/** @type {string} */ file) =>
        file.replace(/-(?:[a-z]+-ext|[a-z]+|\d+)-400-normal\.woff$/, ''),
      ),
    ))
      assert.match(
        readFileSync(join(root, 'fonts', `${family}.LICENSE`), 'utf8'),
        /SIL OPEN FONT LICENSE/i,
        family,
      );
    for (const name of fonts)
      assert.equal(readFileSync(join(root, 'fonts', name)).toString('latin1', 0, 4), 'wOFF');
    const has = (/** @type {string} */ character) =>
      index.some(({ ranges }) =>
        ranges.some(([from, to]) => from <= character.codePointAt(0) && character.codePointAt(0) <= to),
      );
    for (const character of 'Aß€Жשع한中あ') assert.ok(has(character), character);
  });
});
