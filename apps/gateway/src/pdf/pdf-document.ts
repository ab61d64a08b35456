import { Injectable } from '@nestjs/common';
import { fontRuns, visualRuns } from './text-runs';
import { PdfFonts } from './pdf-fonts';

/** A text. `y` is the distance of its first baseline from the top of the page. */
export interface PdfText {
  text: string;
  /** The distance from the edge where lines begin, which is the right edge in right-to-left documents. */
  x: number;
  y: number;
  size: number;
}

export interface PdfTerms {
  title: string;
  /** A BCP 47 code. */
  language: string;
  direction: 'ltr' | 'rtl';
}

// A4 in points (1/72 inch).
const pageWidth = 595;
// More lines would not fit on the page. The rest of the text is omitted.
const mostBreaks = 12;

/** Creates documents of one A4 page, in every script of the fonts. */
@Injectable()
export class PdfDocuments {
  constructor(private readonly fonts: PdfFonts) {}

  /** @param draw draws the texts on the page */
  async create({ title, language, direction }: PdfTerms, draw: (page: PdfPage) => void): Promise<Buffer> {
    // Imported on demand, because few processes ever create a document.
    const { default: PDFDocument } = await import('pdfkit');
    const document = new PDFDocument({
      size: 'A4',
      margin: 0,
      // None at first, because the fonts depend on the texts.
      font: '',
      lang: language,
      displayTitle: true,
      info: { Title: title },
    });
    const chunks: Buffer[] = [];
    const ended = new Promise<Buffer>((resolve, reject) => {
      document.on('data', (chunk: Buffer) => chunks.push(chunk));
      document.on('end', () => resolve(Buffer.concat(chunks)));
      document.on('error', reject);
    });
    draw(new PdfPage(document, this.fonts, direction));
    document.end();
    return ended;
  }
}

/** Draws texts on the page of a document. */
export class PdfPage {
  constructor(
    private readonly document: PDFKit.PDFDocument,
    private readonly fonts: PdfFonts,
    private readonly direction: 'ltr' | 'rtl',
  ) {}

  private readonly registered = new Set<string>();

  /**
   * Draws a text in lines of the given width.
   * @returns the number of its lines
   */
  write({ text, x, y, size }: PdfText, width: number, lineHeight = size * 1.5): number {
    const lines = text.split('\n', mostBreaks).flatMap((paragraph) => {
      return this.linesOf(paragraph, size, width).map((line) => ({ paragraph, line }));
    });
    lines.forEach(({ paragraph, line }, index) => {
      this.writeLine(paragraph, line, { x, y: y + index * lineHeight, size });
    });
    return lines.length;
  }

  private writeLine(paragraph: string, line: readonly [number, number], at: Omit<PdfText, 'text'>): void {
    const runs = visualRuns(paragraph, line, this.fonts);
    const widths = runs.map((run) => this.widthOf(run, at.size));
    const lineWidth = widths.reduce((sum, width) => sum + width, 0);
    let left = this.direction === 'rtl' ? pageWidth - at.x - lineWidth : at.x;
    runs.forEach(({ text, font }, index) => {
      this.use(font, at.size).text(text, left, at.y, { lineBreak: false, baseline: 'alphabetic' });
      left += widths[index]!;
    });
  }

  /** Breaks lines between words, and within words that are wider than a line. */
  private linesOf(text: string, size: number, width: number): [start: number, end: number][] {
    const words = new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text);
    const pieces = [...words].flatMap(({ segment }) =>
      this.measure(segment, size) > width ? graphemesOf(segment) : [segment],
    );
    const lines: [number, number][] = [];
    let [start, at, used] = [0, 0, 0];
    for (const piece of pieces) {
      const needed = this.measure(piece, size);
      if (at > start && used + needed > width) {
        lines.push([start, at]);
        [start, used] = [at, 0];
      }
      at += piece.length;
      used += needed;
    }
    return [...lines, [start, at]];
  }

  private measure(text: string, size: number): number {
    return fontRuns(text, this.fonts).reduce((sum, run) => sum + this.widthOf(run, size), 0);
  }

  private widthOf({ text, font }: { text: string; font: string }, size: number): number {
    return this.use(font, size).widthOfString(text);
  }

  private use(font: string, size: number): PDFKit.PDFDocument {
    if (!this.registered.has(font)) this.document.registerFont(font, this.fonts.content(font));
    this.registered.add(font);
    return this.document.font(font).fontSize(size);
  }
}

const graphemesOf = (text: string): string[] =>
  [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)].map(({ segment }) => segment);
