import { readFileSync } from 'node:fs';

/**
 * Returns the text of the file of a deployment key.
 * @throws Error with the code of the failure and without the path, which may be a key passed by mistake
 */
export function readKeyFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`The file of --key-file cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
