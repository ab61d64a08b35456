import type { OrderReply, PaymentStatusReply } from '@tollbridge/contracts';
import type { PdfDocuments } from '../../pdf/pdf-document';
import { receiptLines } from './receipt-page';
import { amountOf } from '../parts/summary';
import type { Language } from '../texts/language';

// In points.
const margin = 56;
const valueX = 200;
const valueWidth = 595 - valueX - margin;
const nameWidth = valueX - margin - 12;
const lineHeight = 15;

/** The receipt of a completed payment as a PDF document. */
export function receiptPdf(
  documents: PdfDocuments,
  status: PaymentStatusReply,
  order: OrderReply | undefined,
  language: Language,
): Promise<Buffer> {
  const { text, code, direction } = language;
  const amount = amountOf(status.payment_request, language);
  const terms = { title: text('receiptOf', { amount }), language: code, direction };
  return documents.create(terms, (page) => {
    const paidOn = text('paidOn', { time: language.moment(status.updated_at) });
    page.write({ text: text('receipt'), x: margin, y: 80, size: 12 }, nameWidth + valueWidth);
    page.write({ text: amount, x: margin, y: 112, size: 24 }, nameWidth + valueWidth);
    page.write({ text: paidOn, x: margin, y: 132, size: 10 }, nameWidth + valueWidth);
    let y = 172;
    for (const [name, value] of receiptLines(status, order, language)) {
      const ofName = page.write({ text: name, x: margin, y, size: 10 }, nameWidth, lineHeight);
      const ofValue = page.write({ text: value, x: valueX, y, size: 10 }, valueWidth, lineHeight);
      y += (Math.max(ofName, ofValue) + 1 / 3) * lineHeight;
    }
  });
}
