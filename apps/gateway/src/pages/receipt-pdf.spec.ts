import { exampleOfOrder, exampleOfStatus } from '../testing/payment-fixture';
import { pdfOf } from './pdf';
import { receiptPdf } from './receipt-pdf';
import { english } from './texts/languages';

const textOf = (pdf: Buffer) => pdf.toString('latin1');

/** Each entry of the table must be the position of its object. */
function expectValidTable(text: string): void {
  const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)![1]);
  expect(text.slice(start, start + 5)).toBe('xref\n');
  const entries = [...text.slice(start).matchAll(/^(\d{10}) 00000 n $/gm)];
  expect(entries).toHaveLength(7);
  for (const [index, [, position]] of entries.entries())
    expect(text.slice(Number(position))).toMatch(new RegExp(`^${index + 1} 0 obj\n`));
}

describe('the receipt as PDF', () => {
  const status = exampleOfStatus({ status: 'completed', pay_tx: '0xabc' });

  it('is a document with a valid table that names amount and payment', () => {
    const text = textOf(receiptPdf(status, exampleOfOrder(), english));
    expectValidTable(text);
    for (const part of [
      '(12.5 USDC)',
      '(Two espressos)',
      '(0xabc)',
      `(${status.payment_id})`,
      'Paid on 20 Nov 2026, 12:00 UTC',
    ])
      expect(text).toContain(part);
  });

  it('splits long texts into lines', () => {
    const payment_request = { ...status.payment_request, description: 'x'.repeat(130) };
    const text = textOf(receiptPdf({ ...status, payment_request }, undefined, english));
    expect(text.match(/\(x+\)/g)).toEqual([
      `(${'x'.repeat(58)})`,
      `(${'x'.repeat(58)})`,
      `(${'x'.repeat(14)})`,
    ]);
  });
});

describe('pdfOf', () => {
  const texts = (text: string) => [{ text, x: 1, y: 1, size: 10 }];

  it('keeps Latin-1, and shows other characters as a question mark', () => {
    const text = textOf(pdfOf('t', texts('Café 日本 €')));
    expectValidTable(text);
    expect(text).toContain('(Café ?? ?)');
  });

  it('escapes what would end a text', () => {
    const text = textOf(pdfOf(') /Evil (', texts('a) Tj ET (b\\')));
    expectValidTable(text);
    expect(text).toContain('(a\\) Tj ET \\(b\\\\) Tj');
    expect(text).toContain('(\\) /Evil \\()');
  });
});
