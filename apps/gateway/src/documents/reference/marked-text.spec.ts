import { colouredJson, markedText, paragraphs } from './marked-text';

const textOf = (parts: readonly { text: string }[]) => parts.map(({ text }) => text).join('');

describe('markedText', () => {
  it('renders code and strong text, and leaves other text unchanged', () => {
    expect(textOf(markedText('**Needs** a key with `read`, 2 * 3 * 4, a_b_c and `')).trim()).toBe(
      '<strong>Needs</strong> a key with <code>read</code>, 2 * 3 * 4, a_b_c and &#96;',
    );
  });

  it('leaves marks inside code unchanged', () => {
    expect(textOf(markedText('`**x** <b>`'))).toBe('<code>**x** &lt;b&gt;</code>');
  });
});

describe('paragraphs', () => {
  it('splits text at empty lines', () => {
    expect(textOf(paragraphs('one\ntwo\n\n\nthree\n'))).toBe('<p>one\ntwo</p><p>three</p>');
    expect(paragraphs('')).toEqual([]);
  });
});

describe('colouredJson', () => {
  it('keeps the text, and colours fields, strings and numbers', () => {
    const value = { 'a"b': ['<x>', -1.5e3, true, null], c: { d: 'e: "f"' } };
    const shown = textOf(colouredJson(value));
    const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };
    const text = shown.replace(/<[^>]+>/g, '').replace(/&\w+;/g, (entity) => entities[entity]!);
    expect(text).toBe(JSON.stringify(value, null, 2));
    expect(shown).toContain('<span class="f">&quot;c&quot;</span>:');
    expect(shown).toContain('<span class="s">&quot;&lt;x&gt;&quot;</span>');
    expect(shown).toContain('<span class="n">-1500</span>');
  });
});
