import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { UnusableValue } from './unusable-value';

/** Larger files are rejected, because a secret is a single line. */
export const maxSecretBytes = 65_536;

/**
 * Returns the value of a secret setting, from its variable `NAME` or from the file in `NAME_FILE`. Docker and
 * Kubernetes mount such files. One newline at the end of the file is dropped. Undefined or empty when neither is set.
 * @throws UnusableValue with the variable and the path, never with content
 */
export function readSecret(name: string, env: NodeJS.ProcessEnv): string | undefined {
  const [value, path] = [env[name], env[`${name}_FILE`]];
  if (!path) return value;
  if (value) throw new UnusableValue(`and ${name}_FILE are both set: set one of them`);
  try {
    return readSecretFile(path);
  } catch (error) {
    if (!(error instanceof UnusableValue)) throw error;
    throw new UnusableValue(`cannot be read from ${name}_FILE: ${error.message}`);
  }
}

/** Follows symbolic links, because Kubernetes mounts each secret behind two of them. */
function readSecretFile(path: string): string {
  const bytes = readBounded(path);
  if (bytes.length > maxSecretBytes)
    throw new UnusableValue(`${path} is larger than ${maxSecretBytes / 1024} KiB`);
  const text = bytes.toString('utf8').replace(/\r?\n$/, '');
  if (text === '') throw new UnusableValue(`${path} is empty`);
  if (text.includes('\u{fffd}') || text.includes('\0'))
    throw new UnusableValue(`${path} is not text in UTF-8`);
  return text;
}

function readBounded(path: string): Buffer {
  let descriptor: number | undefined;
  try {
    // Without O_NONBLOCK a named pipe would block the start.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if (!fstatSync(descriptor).isFile()) throw new UnusableValue(`${path} is not a file`);
    const buffer = Buffer.alloc(maxSecretBytes + 1);
    let length = 0;
    for (let read = 1; read > 0 && length < buffer.length; length += read)
      read = readSync(descriptor, buffer, length, buffer.length - length, null);
    return buffer.subarray(0, length);
  } catch (error) {
    if (error instanceof UnusableValue) throw error;
    throw new UnusableValue(`${path} (${(error as NodeJS.ErrnoException).code ?? 'unreadable'})`);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
