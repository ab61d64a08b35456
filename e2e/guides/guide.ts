import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../harness';

/** The folder of a block: the repository, an empty folder, or a folder below the home folder (`~/…`). */
export type Place = { kind: 'repository' } | { kind: 'empty' } | { kind: 'home'; path: string };

/** One step of a page: a file to save, or commands to paste into a terminal. */
export interface Step {
  heading: string;
  place: Place;
  text: string;
  /** The file to save the text in; if omitted, the text is executed. */
  saveAs?: string;
  /** Runs in its own terminal until the end of the page. */
  isBackground: boolean;
}

export interface Guide {
  name: string;
  text: string;
  steps: Step[];
}

// The sentences of a page that state the folder of its blocks.
const places: [RegExp, (match: RegExpExecArray) => Place][] = [
  [/\bin (?:the folder of the repository|this folder)/i, () => ({ kind: 'repository' })],
  [/\bwork in an empty folder/i, () => ({ kind: 'empty' })],
  [/\bwork in the folder `~\/([^`]+)`/i, ([, path]) => ({ kind: 'home', path: path! })],
];

/** Reads a page of the documentation: its blocks in order, each with the sentences before it. */
export function readGuide(name: string): Guide {
  const text = readFileSync(join(repository, name), 'utf8');
  const steps: Step[] = [];
  let place: Place | undefined;
  let heading = '';
  let paragraph = '';
  for (const [part, fence, code] of text.matchAll(/```(\w*)\n([^]*?)\n```|[^\n]*\n/g)) {
    if (code === undefined) {
      heading = /^##? (.*)$/m.exec(part)?.[1] ?? heading;
      if (part.trim() !== '') paragraph = part;
      place = placeIn(part) ?? place;
      continue;
    }
    const saveAs = /\bSave this as `([^`]+)`/.exec(paragraph)?.[1];
    const isBackground = /\bin another terminal\b/.test(paragraph);
    if (fence === 'sh' || saveAs)
      steps.push({
        heading,
        place: place ?? missingPlace(name, heading),
        text: code,
        isBackground,
        ...(saveAs && { saveAs }),
      });
    // The next block does not inherit the sentences of this block.
    paragraph = '';
  }
  return { name, text, steps };
}

function placeIn(text: string): Place | undefined {
  for (const [pattern, place] of places) {
    const match = pattern.exec(text);
    if (match) return place(match);
  }
  return undefined;
}

function missingPlace(name: string, heading: string): never {
  throw new Error(`${name}: "${heading}" does not name the folder of its commands`);
}
