import type { OrderReply, PaymentStatusReply } from '@tollbridge/contracts';
import { pdfOf, type PdfText } from './pdf';
import { receiptLines } from './receipt-page';

const margin = 56;
const valueX = 200;
const lineHeight = 15;
// What fits beside the names at 10 points, also in wide letters.
const charactersPerLine = 58;

/** The receipt of a completed payment as a document. */
export function receiptPdf(status: PaymentStatusReply, order: OrderReply | undefined): Buffer {
  const { payment_request: request } = status;
  const paidAt = status.updated_at.slice(0, 16).replace('T', ' ');
  const amount = `${request.amount_formatted} ${request.currency}`;
  const texts: PdfText[] = [
    { text: 'Receipt', x: margin, y: 80, size: 12 },
    { text: amount, x: margin, y: 112, size: 24, isBold: true },
    { text: `Paid on ${paidAt} UTC`, x: margin, y: 132, size: 10 },
  ];
  let y = 172;
  for (const [name, value] of receiptLines(status, order)) {
    texts.push({ text: name, x: margin, y, size: 10 });
    for (const part of partsOf(value)) {
      texts.push({ text: part, x: valueX, y, size: 10 });
      y += lineHeight;
    }
    y += lineHeight / 3;
  }
  return pdfOf(`Receipt: ${amount}`, texts);
}

const partsOf = (value: string): string[] =>
  value.match(new RegExp(`[^]{1,${charactersPerLine}}`, 'gu')) ?? [''];
