import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { readFileSync } from 'node:fs';
import { WebFiles } from '../web/web-files';
import { openTypeOf } from './woff';

interface FontFile {
  file: string;
  /** First and last code points. */
  ranges: [first: number, last: number][];
}

// A document in one language needs two or three fonts.
const mostInMemory = 16;

/** Replaces a character that no font contains. */
export const missingCharacter = '\ufffd';

/** The fonts of PDF documents: many small files, each for some scripts. A document needs only a few of them. */
@Injectable()
export class PdfFonts {
  private index: ReadonlyMap<string, FontFile> | undefined;
  private readonly contents = new LRUCache<string, Buffer>({ max: mostInMemory });

  constructor(private readonly files: WebFiles) {}

  /**
   * A font that contains a character: the preferred one if it does, otherwise the first of the index.
   * @returns its path; undefined when no font contains the character
   */
  find(codePoint: number, preferred = ''): string | undefined {
    this.index ??= this.read();
    const has = ({ ranges }: FontFile) =>
      ranges.some(([first, last]) => codePoint >= first && codePoint <= last);
    const same = this.index.get(preferred);
    if (same && has(same)) return preferred;
    for (const [path, font] of this.index) if (has(font)) return path;
    return undefined;
  }

  /** @returns the font at a path that `find` returned, as OpenType */
  content(path: string): Buffer {
    const known = this.contents.get(path);
    if (known) return known;
    const content = openTypeOf(readFileSync(path));
    this.contents.set(path, content);
    return content;
  }

  /** Fonts by path, in the order of the lookup of a character. */
  private read(): ReadonlyMap<string, FontFile> {
    const fonts = this.files.readJson<FontFile[]>('fonts/index.json');
    return new Map(fonts.map((font) => [this.files.path(`fonts/${font.file}`), font]));
  }
}
