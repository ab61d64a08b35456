import type { OrderReply, PaymentStatusReply } from '@tollbridge/contracts';
import { pdfOf, type PdfText } from './pdf';
import { receiptLines } from './receipt-page';
import { amountOf } from './summary';
import type { Language } from './texts/language';

const margin = 56;
const valueX = 200;
const lineHeight = 15;
// What fits beside the names at 10 points, also in wide letters.
const charactersPerLine = 58;

/** The receipt of a completed payment as a document. */
export function receiptPdf(
  status: PaymentStatusReply,
  order: OrderReply | undefined,
  language: Language,
): Buffer {
  const { text } = language;
  const amount = amountOf(status.payment_request);
  const texts: PdfText[] = [
    { text: text('receipt'), x: margin, y: 80, size: 12 },
    { text: amount, x: margin, y: 112, size: 24, isBold: true },
    { text: text('paidOn', { time: language.moment(status.updated_at) }), x: margin, y: 132, size: 10 },
  ];
  let y = 172;
  for (const [name, value] of receiptLines(status, order, language)) {
    texts.push({ text: name, x: margin, y, size: 10 });
    for (const part of partsOf(value)) {
      texts.push({ text: part, x: valueX, y, size: 10 });
      y += lineHeight;
    }
    y += lineHeight / 3;
  }
  return pdfOf(text('receiptOf', { amount }), texts);
}

const partsOf = (value: string): string[] =>
  value.match(new RegExp(`[^]{1,${charactersPerLine}}`, 'gu')) ?? [''];
