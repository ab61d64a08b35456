import { WebFiles } from '../web/web-files';
import { PdfDocuments } from './pdf-document';
import { PdfFonts } from './pdf-fonts';

const fonts = new PdfFonts(new WebFiles());
const documents = new PdfDocuments(fonts);

async function write(text: string, { width = 300, direction = 'ltr' as const } = {}) {
  let lines = 0;
  const terms = { title: 'Title ) /Evil (', language: 'en', direction };
  const pdf = await documents.create(terms, (page) => {
    lines = page.write({ text, x: 50, y: 80, size: 10 }, width);
  });
  const content = pdf.toString('latin1');
  const embedded = [...content.matchAll(/\/FontName \/\w+\+([\w-]+)/g)].map(([, name]) => name!);
  return { content, lines, embedded };
}

describe('PdfFonts', () => {
  it.each([
    ['Latin', 'Éß', 'noto-sans-latin'],
    ['Latin of Turkish and Polish', 'ğł', 'noto-sans-latin-ext'],
    ['Vietnamese', 'ệ', 'noto-sans-vietnamese'],
    ['Cyrillic', 'Жя', 'noto-sans-cyrillic'],
    ['Greek', 'Ωμ', 'noto-sans-greek'],
    ['Hebrew', 'שם', 'noto-sans-hebrew'],
    ['Arabic', 'مر', 'noto-sans-arabic'],
    ['Chinese', '店角', 'noto-sans-sc'],
    ['Japanese', 'かナ', 'noto-sans-sc'],
    ['Korean', '한국', 'noto-sans-kr'],
  ])('contains the characters of %s', (_title, text, font) => {
    for (const character of text) expect(fonts.find(character.codePointAt(0)!)).toContain(`/${font}-`);
  });

  it('prefers a font that is in use, and contains no emoji', () => {
    const cyrillic = fonts.find(0x416)!;
    expect(fonts.find(0x44f, cyrillic)).toBe(cyrillic);
    expect(fonts.find(0x1f600)).toBeUndefined();
  });
});

describe('PdfDocuments', () => {
  it('embeds only the fonts of the text', async () => {
    const { content, embedded } = await write('Café Лавка قهوة שלום 角店 가게');
    expect(content).toMatch(/^%PDF-1\.\d\n[^]*%%EOF\n?$/);
    expect([...new Set(embedded)].sort()).toEqual([
      'NotoSans-Regular',
      'NotoSansArabic-Regular',
      'NotoSansHebrew-Regular',
      'NotoSansKR-Regular',
      'NotoSansSC-Regular',
    ]);
    expect(content.length).toBeLessThan(60_000);
  });

  it('breaks lines between words, and within long words', async () => {
    expect((await write('one two', { width: 300 })).lines).toBe(1);
    expect((await write('word '.repeat(40), { width: 100 })).lines).toBeGreaterThan(8);
    expect((await write('x'.repeat(200), { width: 100 })).lines).toBeGreaterThan(8);
    expect((await write('a\nb')).lines).toBe(2);
    expect((await write('\n'.repeat(500))).lines).toBe(12);
  });

  it('draws right-to-left texts', async () => {
    const { lines, embedded } = await write('مقهى الزاوية (24)', { direction: 'rtl' as never });
    expect(lines).toBe(1);
    expect(embedded).toContain('NotoSansArabic-Regular');
  });

  it('escapes its title', async () => {
    expect((await write('x')).content).not.toMatch(/[^\\]\) \/Evil/);
  });
});
