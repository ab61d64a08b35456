/** One line of text; the position is counted down from the top of the page. */
export interface PdfText {
  text: string;
  x: number;
  y: number;
  size: number;
  isBold?: boolean;
}

// A4 in points, 1/72 inch.
const [width, height] = [595, 842];
const firstLatin1 = 0xa0;

/**
 * A document of one A4 page in Helvetica, which every reader has, so that no font is embedded (PDF 1.4, section 5.5.1).
 * Characters outside Latin-1 are shown as a question mark.
 */
export function pdfOf(title: string, texts: readonly PdfText[]): Buffer {
  const content = texts.map(operatorsOf).join('\n');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>',
    `<< /Title ${literal(title)} >>`,
  ];
  return Buffer.from(withTable(objects), 'latin1');
}

/** The objects, and the table of their positions (section 3.4.3). */
function withTable(objects: readonly string[]): string {
  let text = '%PDF-1.4\n';
  const positions = objects.map((object, index) => {
    const position = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return position;
  });
  const entries = positions.map((position) => `${String(position).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  return `${text}xref\n0 ${count}\n0000000000 65535 f \n${entries}trailer\n<< /Size ${count} /Root 1 0 R /Info ${objects.length} 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
}

const operatorsOf = ({ text, x, y, size, isBold = false }: PdfText): string =>
  `BT /F${isBold ? 2 : 1} ${size} Tf ${x} ${height - y} Td ${literal(text)} Tj ET`;

/** A literal string (section 3.2.3): nothing in it ends it or starts an operator. */
function literal(text: string): string {
  const latin = [...text].map((char) => {
    const code = char.codePointAt(0)!;
    const isShown = (code >= 0x20 && code < 0x7f) || (code >= firstLatin1 && code <= 0xff);
    return isShown ? char : '?';
  });
  return `(${latin.join('').replace(/[\\()]/g, '\\$&')})`;
}
