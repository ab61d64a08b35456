import { toBuffer, toString } from 'qrcode';
import { html, trustedHtml, type Html } from './html';

// Level M is readable with 15 % of it damaged; the margin is the quiet zone of the standard.
const options = { errorCorrectionLevel: 'M', margin: 4 } as const;
// Denser codes are hard to scan from a screen; longer texts are shown as text.
const maxTextLength = 400;

/** Whether a text fits a code that a phone can scan. */
export function fitsQr(text: string): boolean {
  return Buffer.byteLength(text) <= maxTextLength;
}

/** An image of about 350 to 500 pixels for a link of the usual length. */
export function qrPng(text: string): Promise<Buffer> {
  return toBuffer(text, { ...options, type: 'png', scale: 8 });
}

/** Inline in a page. Black on white in every colour scheme, which many scanners need. */
export async function qrSvg(text: string, label: string): Promise<Html> {
  const svg = await toString(text, { ...options, type: 'svg' });
  const attributes = html`class="qr" role="img" aria-label="${label}"`;
  return trustedHtml(svg.replace('<svg ', () => `<svg ${attributes.text} `));
}
