import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { CommandError } from './exit-codes';

type Environment = Readonly<Record<string, string | undefined>>;

/** The stored login of a person at a deployment. */
export interface Profile {
  url: string;
  apiKey?: string;
}

export interface Stored {
  current: string;
  profiles: Record<string, Profile>;
  /** Seed of the wallet for 402 payments in the sandbox. The seed is worthless elsewhere. */
  sandboxSeed?: string;
}

/** Returns the path of `config.json` below `XDG_CONFIG_HOME`, or below `~/.config`. */
export function configFile(env: Environment): string {
  const base = env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config');
  return join(base, 'tollbridge', 'config.json');
}

/** Reads the stored profiles. @throws CommandError when the file is unreadable, or other users can read it */
export function readStored(env: Environment): Stored {
  const path = configFile(env);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
    if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0)
      throw new CommandError(
        `Other users can read ${path}, which has API keys.`,
        1,
        `Run: chmod 600 ${path}`,
      );
    const { current = 'default', profiles = {}, sandboxSeed } = JSON.parse(text) as Partial<Stored>;
    return { current, profiles, ...(sandboxSeed !== undefined && { sandboxSeed }) };
  } catch (error) {
    if (error instanceof CommandError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { current: 'default', profiles: {} };
    // The text of the syntax error is omitted, because it would contain a part of the file.
    throw new CommandError(`${path} cannot be read.`, 1, 'Repair or delete it, then log in again.');
  }
}

/** Replaces the file atomically. Only its owner can read it. */
export function writeStored(env: Environment, stored: Stored): void {
  const path = configFile(env);
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, path);
}
