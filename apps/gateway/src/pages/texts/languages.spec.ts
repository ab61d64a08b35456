import { processorMsOf } from '@tollbridge/testing';
import { en } from './en';
import { Language, type TextKey } from './language';
import { english, languageOf, languages } from './languages';

const keys = Object.keys(en) as TextKey[];
const placeholdersOf = (text: string) => [...text.matchAll(/\{[^}]*\}/g)].map(([name]) => name).sort();
const codeOf = (acceptLanguage?: string, lang?: unknown) =>
  languageOf({ query: { lang }, headers: { 'accept-language': acceptLanguage } }).code;

// Words that are the same in two languages.
const sameWords: Record<string, readonly TextKey[]> = {
  de: [],
  fr: ['transactionHash', 'transaction', 'confirmations'],
};
// Only values and punctuation.
const withoutWords: readonly TextKey[] = ['linkTitle', 'linkSummary', 'stepLine'];

describe.each(languages.slice(1))('$name', ({ code, texts }) => {
  it('has the placeholders of English in every text', () => {
    const named = (of: typeof texts) => keys.map((key) => [key, placeholdersOf(of[key])]);
    expect(named(texts)).toEqual(named(en));
  });

  it('has no empty text and no space at the end of one', () => {
    expect(keys.filter((key) => texts[key] === '' || texts[key].trim() !== texts[key])).toEqual([]);
  });

  it('translates every text', () => {
    const allowed = [...withoutWords, ...(sameWords[code] ?? [])];
    expect(keys.filter((key) => texts[key] === en[key] && !allowed.includes(key))).toEqual([]);
  });

  it('contains no markup and no control of direction', () => {
    for (const key of keys) expect(texts[key]).not.toMatch(/[<>]|\p{Bidi_Control}/u);
  });
});

describe('languageOf', () => {
  it.each([
    ['de', 'de'],
    ['DE-at', 'de'],
    ['iw-IL', 'he'],
    ['zh-Hans-CN', 'zh'],
    ['xx, fr;q=0.5, de;q=0.9', 'de'],
    ['fr;q=0.5, de; q=0.5', 'fr'],
    ['de;q=0, fr;q=0.1', 'fr'],
    ['*', 'en'],
    ['', 'en'],
    [undefined, 'en'],
  ])('takes from Accept-Language %j: %s', (header, code) => {
    expect(codeOf(header)).toBe(code);
  });

  it.each([
    'de;q=2',
    'de;q=-1',
    'de;q=1e9',
    'de;q=NaN',
    ';;;,,,q=',
    '__proto__',
    'constructor',
    '<script>',
    `${'x,'.repeat(16)}de`,
    `${'x'.repeat(300)},de`,
  ])('reads English from the header %j', (header) => {
    expect(codeOf(header)).toBe('en');
  });

  it('reads a header of 64 kB at once', () => {
    expect(processorMsOf(() => codeOf('de;q=0.1,'.repeat(8_000)))).toBeLessThan(200);
  });

  it('prefers the language of the URL', () => {
    expect(codeOf('de', 'ar')).toBe('ar');
  });

  it.each(['xx', '', '__proto__', ['fr', 'it'], { fr: 1 }])('ignores %j in the URL', (lang) => {
    expect(codeOf('de', lang)).toBe('de');
  });

  it('has no query', () => {
    expect(languageOf({ query: undefined, headers: {} }).code).toBe('en');
  });
});

describe('Language', () => {
  const arabic = new Language(
    languages.find(({ code }) => code === 'ar')!,
    true,
  );

  it('escapes values in markup, and isolates their direction', () => {
    expect(english.rich('backToShop', { shop: '<b>{shop}</b>' }).text).toBe(
      'Back to <bdi>&lt;b&gt;{shop}&lt;/b&gt;</bdi>',
    );
  });

  it('isolates values in titles of languages that read from right to left', () => {
    expect(english.text('pay', { amount: '1 USDC' })).toBe('Pay 1 USDC');
    expect(arabic.text('pay', { amount: '1 USDC' })).toBe('ادفع \u20681 USDC\u2069');
  });

  it('keeps a chosen language in links', () => {
    expect(arabic.href('/l/1')).toBe('/l/1?lang=ar');
    expect(arabic.href('/l/1?a=b')).toBe('/l/1?a=b&lang=ar');
    expect(english.href('/l/1')).toBe('/l/1');
  });

  it.each([
    [6, '6 seconds'],
    [0, '1 second'],
    [89, '89 seconds'],
    [90, '2 minutes'],
    [600, '10 minutes'],
    [7_200, '2 hours'],
  ])('writes %d seconds as %s', (seconds, text) => {
    expect(english.duration(seconds)).toBe(text);
  });

  it('writes moments in UTC with Latin digits in every language', () => {
    for (const terms of languages) {
      const text = new Language(terms).moment('2026-12-20T12:34:00.000Z');
      expect(text).toMatch(/20.*2026|2026.*20/);
      expect(text).toMatch(/12:34/);
      expect(text).toContain('UTC');
    }
  });
});

describe('amounts', () => {
  const of = (code: string) => new Language(languages.find((it) => it.code === code)!);

  it.each([
    ['en', '1,234.5', '$1,234.56', '$0.00'],
    ['es', '1234,5', '1234,56 $', '0,00 $'],
    ['pt', '1.234,5', '$ 1.234,56', '$ 0,00'],
    ['fr', '1 234,5', '1 234,56 $', '0,00 $'],
    ['de', '1.234,5', '1.234,56 $', '0,00 $'],
    ['it', '1234,5', '1234,56 $', '0,00 $'],
    ['tr', '1.234,5', '$1.234,56', '$0,00'],
    ['ru', '1 234,5', '1 234,56 $', '0,00 $'],
    ['zh', '1,234.5', '$1,234.56', '$0.00'],
    ['ja', '1,234.5', '$1,234.56', '$0.00'],
    ['ar', '1,234.5', '1,234.56 US$', '0.00 US$'],
    ['he', '1,234.5', '1,234.56 $', '0.00 $'],
  ])('are written as readers of %s write them', (code, amount, usd, zero) => {
    const plain = (text: string) => text.replace(/\s/g, ' ').replace(/\p{Bidi_Control}/gu, '');
    const language = of(code);
    expect(plain(language.amount('1234.5'))).toBe(amount);
    // Never more than it is.
    expect([language.dollars('1234.569'), language.dollars('0.004')].map(plain)).toEqual([usd, zero]);
  });

  it('keep every digit, and leave other texts alone', () => {
    const fraction = '000000000000000000000001';
    expect(of('de').amount(`123456789012345678901.${fraction}`)).toBe(
      `123.456.789.012.345.678.901,${fraction}`,
    );
    expect(of('de').amount('12.50')).toBe('12,50');
    for (const text of ['', '1e9', '<b>', '1.2.3', '-']) expect(of('de').amount(text)).toBe(text);
  });

  it('accept the separator of the language, and stay as entered where they have two meanings', () => {
    const entered = ['12,5', '12.5', '1.234,5', '1,234.5'];
    expect(entered.map((text) => of('de').entered(text))).toEqual(['12.5', '12.5', '1.234,5', '1,234.5']);
    expect(entered.map((text) => of('en').entered(text))).toEqual(entered);
  });
});
