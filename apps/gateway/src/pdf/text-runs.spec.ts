import { fontRuns, visualRuns } from './text-runs';

// Fonts by script, split like the real ones.
const scripts: [string, RegExp][] = [
  ['latin', /[\u0020-\u00ff\ufffd]/],
  ['cyrillic', /[\u0400-\u04ff]/],
  ['arabic', /[\u0600-\u06ff]/],
  ['hebrew', /[\u0590-\u05ff]/],
];
const fonts = {
  find: (codePoint: number, preferred?: string) => {
    const character = String.fromCodePoint(codePoint);
    const having = scripts.filter(([, has]) => has.test(character)).map(([name]) => name);
    return preferred !== undefined && having.includes(preferred) ? preferred : having[0];
  },
};
const shown = (text: string, from = 0, to = text.length) =>
  visualRuns(text, [from, to], fonts).map(({ text: part, font }) => [font, part]);

describe('visualRuns', () => {
  it('keeps a left-to-right text, and changes the font with the script', () => {
    expect(shown('Café Лавка 5')).toEqual([
      ['latin', 'Café '],
      ['cyrillic', 'Лавка'],
      ['latin', ' 5'],
    ]);
  });

  it('draws the first word of a right-to-left text at the right', () => {
    expect(shown('שלום עולם')).toEqual([
      ['hebrew', 'עולם'],
      ['latin', ' '],
      ['hebrew', 'שלום'],
    ]);
  });

  it('keeps numbers and Latin words within Arabic in order', () => {
    expect(shown('مقهى 24 Base')).toEqual([
      ['latin', 'Base'],
      ['latin', ' '],
      ['latin', '24'],
      ['latin', ' '],
      ['arabic', 'مقهى'],
    ]);
  });

  it('mirrors brackets around right-to-left words', () => {
    expect(shown('(שלום)')).toEqual([
      ['latin', '('],
      ['hebrew', 'שלום'],
      ['latin', ')'],
    ]);
  });

  it('determines the direction of a line from its whole paragraph', () => {
    const text = 'שלום abc def';
    expect(shown(text, 5)).toEqual([['latin', 'abc def']]);
    expect(shown(text, 0, 5).at(-1)).toEqual(['hebrew', 'שלום']);
    expect(shown('')).toEqual([]);
  });

  it('applies isolate characters without drawing them, and draws no other invisible character', () => {
    expect(shown('a\u2068b\u2069\u200b\u0000c').flat().join('')).toBe('latinabc');
  });

  it('draws a replacement for a character that no font contains', () => {
    expect(fontRuns('a\u{1f600}', fonts)).toEqual([{ font: 'latin', text: 'a\ufffd' }]);
  });
});
