import type { ServerKind } from './server-kinds';

/** One environment variable: how it is read, and what docs/settings.md and `.env.example` say about it. */
export interface Setting<T> {
  description: string;
  example: string;
  /** Taken when the variable is absent; a setting without one must be given. */
  default?: T;
  /** Taken in the sandbox only, where nothing is at stake. */
  sandboxDefault?: T;
  /**
   * A secret: `NAME_FILE` may name a file with it instead. Its example and its sandbox default are public, so they are
   * rejected outside the sandbox.
   */
  isSecret?: boolean;
  /** Whether most deployments set it although it has a default: `.env.example` has these and the required ones. */
  isCommon?: boolean;
  /** Bound of the values that `read` accepts, for docs/settings.md: `5 to 10000`. */
  accepts?: string;
  /** What earlier releases called it. A value under that name stops the start, unless Kubernetes injected it. */
  formerName?: string;
  /** Whether this value lets other machines reach the process; rejected in the sandbox, see `SANDBOX_EXPOSED`. */
  isExposing?(value: T): boolean;
  /** The kind of server that this value reaches over a network without TLS; rejected in production. */
  plaintextKindOf?(value: T): ServerKind | undefined;
  /**
   * Throws `UnusableValue` with a message to show. Messages of other errors may contain the value and are not shown.
   */
  read(text: string, env?: NodeJS.ProcessEnv): T;
}

export type Settings = Record<string, Setting<unknown>>;

// Wording of `accepts`.
export const atLeast = (characters: number): string => `at least ${characters} characters`;
export const acceptsUrl = (protocols: readonly string[]): string => `URL (${protocols.join(', ')})`;
