import { readFileSync } from 'node:fs';
import type { CommandContext } from './command';
import { UsageError } from './exit-codes';

/**
 * Returns the JSON of `--data` as text and as parsed value. The value is the JSON itself, `@` with a file name, or `-`
 * for standard input; undefined without the flag. @throws UsageError
 */
export async function readJsonFlag({
  flag,
  terminal,
}: CommandContext): Promise<{ text: string; value: unknown } | undefined> {
  const given = flag('data');
  if (given === undefined) return undefined;
  const text =
    given === '-' ? await terminal.readInput() : given.startsWith('@') ? readFile(given.slice(1)) : given;
  return { text, value: parseJson(text, '--data') };
}

/** Parses JSON. @throws UsageError */
export function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new UsageError(`${name} is not valid JSON.`, `For example: ${name} '{"key": "value"}'`);
  }
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new UsageError(`--data: the file ${path} cannot be read.`);
  }
}
