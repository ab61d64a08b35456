import bidiFactory from 'bidi-js';
import { missingCharacter, type PdfFonts } from './pdf-fonts';

const bidi = bidiFactory();

/** A text in one font and one direction. */
export interface TextRun {
  text: string;
  /** The path of the font. */
  font: string;
}

interface LevelRun {
  text: string;
  isRtl: boolean;
}

const hidden = /[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\p{Control}]/u;
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}]/u;

/**
 * The runs of a line from left to right, by the Unicode Bidirectional Algorithm. Arabic and Hebrew runs keep their
 * logical order, because the library that shapes them reverses them.
 * @param paragraph the text that determines the directions
 * @param start the line in the paragraph
 */
export function visualRuns(
  paragraph: string,
  [start, end]: readonly [start: number, end: number],
  fonts: Pick<PdfFonts, 'find'>,
): TextRun[] {
  return levelRuns(paragraph, start, end).flatMap(({ text, isRtl }) => {
    const runs = fontRuns(text, fonts);
    return isRtl ? runs.map(({ text: part, font }) => ({ text: mirrored(part), font })).reverse() : runs;
  });
}

/** The text in its logical order, split where the font changes. */
export function fontRuns(text: string, fonts: Pick<PdfFonts, 'find'>): TextRun[] {
  const runs: TextRun[] = [];
  for (const character of text) {
    if (hidden.test(character)) continue;
    const last = runs.at(-1);
    const found = fonts.find(character.codePointAt(0)!, last?.font);
    const font = found ?? fonts.find(missingCharacter.codePointAt(0)!)!;
    const shown = found === undefined ? missingCharacter : character;
    if (last?.font === font) last.text += shown;
    else runs.push({ text: shown, font });
  }
  return runs;
}

/** Parts with one direction, from left to right. */
function levelRuns(paragraph: string, start: number, end: number): LevelRun[] {
  if (start >= end) return [];
  const levels = bidi.getEmbeddingLevels(paragraph, 'auto');
  const runs: LevelRun[] = [];
  let previous: number | undefined;
  for (const at of bidi.getReorderedIndices(paragraph, levels, start, end - 1)) {
    // The other characters keep their positions.
    if (at < start || at >= end) continue;
    const isRtl = levels.levels[at]! % 2 === 1;
    const last = runs.at(-1);
    const unit = paragraph[at]!;
    const isNext = last?.isRtl === isRtl && previous !== undefined && at === previous + (isRtl ? -1 : 1);
    if (!isNext) runs.push({ text: unit, isRtl });
    else last.text = isRtl ? unit + last.text : last.text + unit;
    previous = at;
  }
  return runs;
}

/** Punctuation between right-to-left words, in its order and with mirrored brackets. */
function mirrored(text: string): string {
  if (rightToLeft.test(text)) return text;
  return [...text]
    .reverse()
    .map((character) => bidi.getMirroredCharacter(character) ?? character)
    .join('');
}
