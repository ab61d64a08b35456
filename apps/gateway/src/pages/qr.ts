import { toBuffer, toString } from 'qrcode';
import { trustedHtml, type Html } from './html';

// Level M still reads with a seventh of it covered; the quiet zone is what the standard asks for.
const look = { errorCorrectionLevel: 'M', margin: 4 } as const;
// Denser codes are hard to read from a screen, and drawing them costs time: longer texts are shown, not drawn.
const maxTextLength = 400;

/** Whether a text fits a code that a phone can still read. */
export function fitsQr(text: string): boolean {
  return Buffer.byteLength(text) <= maxTextLength;
}

/** A picture of about 350 to 500 pixels for a link of the usual length. */
export function qrPng(text: string): Promise<Buffer> {
  return toBuffer(text, { ...look, type: 'png', scale: 8 });
}

/** For a page: it needs no request of its own and stays sharp. Always black on white, since many readers want that. */
export async function qrSvg(text: string, label: string): Promise<Html> {
  const svg = await toString(text, { ...look, type: 'svg' });
  const name = label.replace(/[^\w .,:-]/g, '');
  return trustedHtml(svg.replace('<svg ', `<svg class="qr" role="img" aria-label="${name}" `));
}
