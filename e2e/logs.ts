import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The texts of all logs of a harness. Its servers and nodes write request data to no other files. */
export function logsIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.log'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
}

/** The secrets that the texts contain. */
export const foundIn = (texts: readonly string[], secrets: readonly string[]): string[] =>
  secrets.filter((secret) => texts.some((text) => stands(secret, text)));

/** A short numeric code can be part of an id or a time by chance: only a separate number counts. */
const stands = (secret: string, text: string): boolean =>
  /^\d{1,8}$/.test(secret)
    ? new RegExp(`(?<![\\w.-])${secret}(?![\\w-]|\\.\\d)`).test(text)
    : text.includes(secret);
