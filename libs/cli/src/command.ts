import type { Client } from '@tollbridge/sdk';
import type { FlagInfo, ParsedLine } from './parse-flags';
import type { Session } from './session';
import type { Terminal } from './terminal';

/** What a command knows when it runs. */
export interface CommandContext extends ParsedLine {
  terminal: Terminal;
  session: Session;
  client: Client;
  /** The first value of a flag. */
  flag(name: string): string | undefined;
  has(name: string): boolean;
  isJson: boolean;
}

/** A command that is written by hand; those of operations are generated. */
export interface CommandInfo {
  /** One or two words: `login`, `events replay`. */
  name: string;
  summary: string;
  /** What follows the name. */
  usage?: string;
  description?: string;
  flags: readonly FlagInfo[];
  examples: readonly string[];
  /** Positionals that are possible: by default none. */
  positionals?: { min: number; max: number };
  /** `--profile` may name one that does not exist. */
  namesProfile?: true;
  /** Values of the first positional, for completion. */
  completes?: 'webhook-types' | 'shells';
  /** @returns the exit code; undefined for 0 */
  load(): Promise<{ run(context: CommandContext): Promise<number | void> }>;
}

/** Options of every command. */
export const globalFlags: readonly FlagInfo[] = [
  { name: 'json', description: 'Print JSON, as the API returns it' },
  { name: 'profile', value: '<name>', description: 'Profile to use; TOLLBRIDGE_PROFILE does the same' },
  { name: 'api-url', value: '<url>', description: 'Address of the gateway; TOLLBRIDGE_URL does the same' },
  { name: 'as-wallet', value: '<address>', description: 'Wallet to act as: in the sandbox without a key' },
  { name: 'help', description: 'Show this help' },
];
