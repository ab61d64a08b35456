import type { PdfDocuments } from '../../pdf/pdf-document';
import { aPayment, anOrder } from '../testing/payment.builder';
import { receiptPdf } from './receipt-pdf';
import { Language } from '../texts/language';
import { english, languages } from '../texts/languages';

interface Drawn {
  text: string;
  x: number;
  y: number;
  width: number;
}

/** Draws the receipt on a fake page that records the texts. */
async function draw(description: string, language: Language = english) {
  const { payment_request, ...rest } = aPayment({ status: 'completed', pay_tx: '0xabc' });
  const status = { ...rest, payment_request: { ...payment_request, description } };
  const texts: Drawn[] = [];
  let terms: unknown;
  const documents: Pick<PdfDocuments, 'create'> = {
    create: async (given, write) => {
      terms = given;
      write({
        write: ({ text, x, y }: Drawn, width: number) => {
          texts.push({ text, x, y, width });
          return 2;
        },
      } as never);
      return Buffer.alloc(0);
    },
  };
  await receiptPdf(documents as PdfDocuments, status as never, anOrder(), language);
  return { texts, terms };
}

describe('the receipt as PDF', () => {
  it('shows the lines of the receipt below each other', async () => {
    const { texts, terms } = await draw('Two espressos');
    expect(terms).toEqual({ title: 'Receipt: 12.5 USDC', language: 'en', direction: 'ltr' });
    for (const part of ['12.5 USDC', 'Paid on 20 Nov 2026, 12:00 UTC', 'Two espressos', '0xabc'])
      expect(texts.map(({ text }) => text)).toContain(part);
    const positions = texts.map(({ y }) => y);
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
    for (const { x, width } of texts) expect(x + width).toBeLessThanOrEqual(595);
  });

  it('uses the language of the payer', async () => {
    const { texts, terms } = await draw('x', new Language(languages.find(({ code }) => code === 'he')!));
    expect(terms).toMatchObject({ language: 'he', direction: 'rtl' });
    expect(texts.map(({ text }) => text)).toContain('קבלה');
  });
});
