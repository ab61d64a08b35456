import { toBuffer, toString } from 'qrcode';
import { html, trustedHtml, type Html } from './html';

// Level M is readable with 15 % of the code damaged. The margin is the quiet zone of the standard.
const options = { errorCorrectionLevel: 'M', margin: 4 } as const;
// Denser codes are hard to scan from a screen, so longer texts are shown as text.
const maxTextLength = 400;

/** Whether a text fits into a code that a phone can scan. */
export function fitsQr(text: string): boolean {
  return Buffer.byteLength(text) <= maxTextLength;
}

/** An image of about 350 to 500 pixels for a link of the usual length. */
export function qrPng(text: string): Promise<Buffer> {
  return toBuffer(text, { ...options, type: 'png', scale: 8 });
}

/** An inline code for a page. It is black on white in every colour scheme, because many scanners require that. */
export async function qrSvg(text: string, label: string): Promise<Html> {
  const svg = await toString(text, { ...options, type: 'svg' });
  const attributes = html`class="qr" role="img" aria-label="${label}"`;
  return trustedHtml(svg.replace('<svg ', () => `<svg ${attributes.text} `));
}
