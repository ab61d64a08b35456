import { processorMsOf } from '@tollbridge/testing';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import en from './en.json';
import { Language, type Text, type TextKey } from './language';
import { english, languageOf, languages, readLanguageFiles } from './languages';

const keys = Object.keys(en.pages) as TextKey[];
/** The text, or all of its plural forms. */
const formsOf = (text: Text): string[] => (typeof text === 'string' ? [text] : Object.values(text));
const placeholdersOf = (text: string) => [...text.matchAll(/\{[^}]*\}/g)].map(([name]) => name).sort();
const codeOf = (acceptLanguage?: string, lang?: unknown) =>
  languageOf({ query: { lang }, headers: { 'accept-language': acceptLanguage } }).code;

// Texts that consist only of values and punctuation.
const withoutWords: readonly TextKey[] = ['linkTitle', 'linkSummary', 'stepLine'];

const files = readLanguageFiles().map(([code, file]) => ({ code, ...file }));
const fields = ['code', 'name', 'direction', 'locale', 'menuPosition', 'sameAsEnglish', 'pages', 'embed'];

describe.each(files.slice(1))('the file of $name', ({ code, pages, embed, ...file }) => {
  const forms = keys.map((key) => [key, formsOf(pages[key])] as const);
  const all = [...forms.flatMap(([, texts]) => texts), ...Object.values(embed)];

  it('has exactly the keys of English', () => {
    expect(Object.keys(pages).sort()).toEqual([...keys].sort());
    expect(Object.keys(embed).sort()).toEqual(Object.keys(en.embed).sort());
    expect(Object.keys(file).filter((key) => !fields.includes(key))).toEqual([]);
  });

  it('declares valid language tags, a name, a direction, and a menu position after English', () => {
    for (const tag of [code, file.locale ?? code]) expect(Intl.getCanonicalLocales(tag)).toEqual([tag]);
    expect(file.name).not.toBe(en.name);
    expect(['ltr', 'rtl']).toContain(file.direction);
    expect(file.menuPosition).toBeGreaterThan(en.menuPosition);
  });

  it('uses the placeholders of English in every text', () => {
    for (const [key, texts] of forms)
      for (const text of texts)
        expect([key, placeholdersOf(text)]).toEqual([key, placeholdersOf(en.pages[key])]);
  });

  it('uses only the plural forms of its language', () => {
    const { pluralCategories } = new Intl.PluralRules(code).resolvedOptions();
    const plurals = keys.map((key) => pages[key]).filter((text) => typeof text !== 'string');
    for (const text of plurals) {
      expect(text.other).toBeDefined();
      expect(pluralCategories).toEqual(expect.arrayContaining(Object.keys(text)));
    }
  });

  it('contains no empty text and no text with leading or trailing spaces', () => {
    expect(all.filter((text) => text === '' || text.trim() !== text)).toEqual([]);
  });

  it('translates every text', () => {
    const allowed = [...withoutWords, ...(file.sameAsEnglish ?? [])];
    expect(keys.filter((key) => pages[key] === en.pages[key] && !allowed.includes(key))).toEqual([]);
    expect(embed).not.toEqual(en.embed);
  });

  it('contains no markup, no bidi control character, and no separator of embed.js', () => {
    for (const text of all) expect(text).not.toMatch(/[<>|]|\p{Bidi_Control}/u);
  });
});

describe('readLanguageFiles', () => {
  it('adds a language from a copied file, after the languages with a lower position', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollbridge-languages-'));
    try {
      const copies = { en: 1, uk: 7, ru: 7, ar: 8 };
      for (const [code, menuPosition] of Object.entries(copies))
        writeFileSync(join(folder, `${code}.json`), JSON.stringify({ ...en, menuPosition }));
      writeFileSync(join(folder, 'README.md'), '');
      expect(readLanguageFiles(folder).map(([code]) => code)).toEqual(['en', 'ru', 'uk', 'ar']);
    } finally {
      rmSync(folder, { recursive: true });
    }
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
  ])('selects from Accept-Language %j: %s', (header, code) => {
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
  ])('selects English for the header %j', (header) => {
    expect(codeOf(header)).toBe('en');
  });

  it('parses a header of 64 kB without delay', () => {
    expect(processorMsOf(() => codeOf('de;q=0.1,'.repeat(8_000)))).toBeLessThan(200);
  });

  it('prefers the language of the URL', () => {
    expect(codeOf('de', 'ar')).toBe('ar');
  });

  it.each(['xx', '', '__proto__', ['fr', 'it'], { fr: 1 }])('ignores %j in the URL', (lang) => {
    expect(codeOf('de', lang)).toBe('de');
  });

  it('selects English for a request without a query', () => {
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

  it('isolates values in titles of right-to-left languages', () => {
    expect(english.text('pay', { amount: '1 USDC' })).toBe('Pay 1 USDC');
    expect(arabic.text('pay', { amount: '1 USDC' })).toBe('ادفع \u20681 USDC\u2069');
  });

  it.each([
    ['ru', 1, '1 способ'],
    ['ru', 3, '3 способа'],
    ['ru', 11, '11 способов'],
    ['en', 1, '1 способ'],
    ['en', 3, '3 способов'],
  ])('selects the plural form of %s for %d', (code, count, text) => {
    const forms = { one: '{count} способ', few: '{count} способа', other: '{count} способов' };
    const terms = { ...languages[0]!, code, texts: { ...languages[0]!.texts, moreWays: forms } };
    const language = new Language({ ...terms, locale: code });
    expect(language.text('moreWays', { count: `${count}` })).toBe(text);
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
  ])('formats %d seconds as %s', (seconds, text) => {
    expect(english.duration(seconds)).toBe(text);
  });

  it('formats times in UTC with Latin digits in every language', () => {
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
  ])('use the notation of %s', (code, amount, usd, zero) => {
    const plain = (text: string) => text.replace(/\s/g, ' ').replace(/\p{Bidi_Control}/gu, '');
    const language = of(code);
    expect(plain(language.amount('1234.5'))).toBe(amount);
    // Rounded down.
    expect([language.dollars('1234.569'), language.dollars('0.004')].map(plain)).toEqual([usd, zero]);
  });

  it('keep every digit, and leave other texts unchanged', () => {
    const fraction = '000000000000000000000001';
    expect(of('de').amount(`123456789012345678901.${fraction}`)).toBe(
      `123.456.789.012.345.678.901,${fraction}`,
    );
    expect(of('de').amount('12.50')).toBe('12,50');
    for (const text of ['', '1e9', '<b>', '1.2.3', '-']) expect(of('de').amount(text)).toBe(text);
  });

  it('accept the separator of the language, and stay as entered when they are ambiguous', () => {
    const entered = ['12,5', '12.5', '1.234,5', '1,234.5'];
    expect(entered.map((text) => of('de').entered(text))).toEqual(['12.5', '12.5', '1.234,5', '1,234.5']);
    expect(entered.map((text) => of('en').entered(text))).toEqual(entered);
  });
});
