import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The texts of all logs of a harness; its servers and nodes write what they are asked for nowhere else. */
export function logsIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.log'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
}

/** Which of these secrets stand in the texts. */
export const foundIn = (texts: readonly string[], secrets: readonly string[]): string[] =>
  secrets.filter((secret) => texts.some((text) => stands(secret, text)));

/** A code of a few digits stands in ids and times by chance: it is one where it stands by itself. */
const stands = (secret: string, text: string): boolean =>
  /^\d{1,8}$/.test(secret)
    ? new RegExp(`(?<![\\w.-])${secret}(?![\\w-]|\\.\\d)`).test(text)
    : text.includes(secret);
