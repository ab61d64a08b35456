import type { Client } from '@tollbridge/sdk';
import type { FlagInfo, ParsedLine } from './parse-flags';
import type { Session } from './session';
import type { Terminal } from './terminal';

/** Everything that a command needs to run. */
export interface CommandContext extends ParsedLine {
  terminal: Terminal;
  session: Session;
  client: Client;
  /** Returns the first value of a flag. */
  flag(name: string): string | undefined;
  has(name: string): boolean;
  isJson: boolean;
}

/** A handwritten command. The commands of operations are generated. */
export interface CommandInfo {
  /** Name of one or two words: `login`, `events replay`. */
  name: string;
  summary: string;
  /** Text after the name in the help. */
  usage?: string;
  description?: string;
  flags: readonly FlagInfo[];
  examples: readonly string[];
  /** Number of positional arguments; by default none. */
  positionals?: { min: number; max: number };
  /** Whether `--profile` may be the name of a new profile. */
  namesProfile?: true;
  /** Kind of values of the first positional argument, for completion. */
  completes?: 'webhook-types' | 'shells';
  /** @returns the exit code; undefined for 0 */
  load(): Promise<{ run(context: CommandContext): Promise<number | void> }>;
}

/** Options that every command accepts. */
export const globalFlags: readonly FlagInfo[] = [
  { name: 'json', description: 'Print JSON, as the API returns it' },
  { name: 'profile', value: '<name>', description: 'Profile to use; TOLLBRIDGE_PROFILE does the same' },
  { name: 'api-url', value: '<url>', description: 'Address of the gateway; TOLLBRIDGE_URL does the same' },
  { name: 'as-wallet', value: '<address>', description: 'Wallet to act as: in the sandbox without a key' },
  { name: 'help', description: 'Show this help' },
];
