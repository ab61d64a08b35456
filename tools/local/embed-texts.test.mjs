import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { repository } from './directory.mjs';
import { languageFiles, readEmbedTexts } from './embed-texts.mjs';

describe('readEmbedTexts', () => {
  const texts = readEmbedTexts(repository);

  it('packs five texts for each language file', () => {
    assert.equal(Object.keys(texts).length, languageFiles(repository).length);
    for (const [code, packed] of Object.entries(texts))
      assert.equal(packed.split('|').filter(Boolean).length, 5, code);
  });

  it('joins the texts in the order that embed.js expects', () => {
    assert.equal(texts['en'], 'Payment|Close|Open in a window|The page does not answer.|Try again');
  });
});
