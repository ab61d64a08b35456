import type { ServerKind } from './server-kinds';

/** One environment variable: its reader, and its text in docs/settings.md and `.env.example`. */
export interface Setting<T> {
  description: string;
  example: string;
  /** Value of an absent variable. A setting without a default is required. */
  default?: T;
  /** Value of an absent variable in the sandbox only, where no real money is at stake. */
  sandboxDefault?: T;
  /**
   * Whether the value is a secret, which `NAME_FILE` can also provide as a file. Outside the sandbox its
   * example and its sandbox default are rejected, because they are public.
   */
  isSecret?: boolean;
  /**
   * Whether most deployments set it although it has a default. `.env.example` lists these and the required settings.
   */
  isCommon?: boolean;
  /** Bound of the values that `read` accepts, for docs/settings.md, such as `5 to 10000`. */
  accepts?: string;
  /** Name in earlier releases. A value under that name stops the start, unless Kubernetes injected it. */
  formerName?: string;
  /**
   * Whether this value lets other machines reach the process. The sandbox rejects such values, see `SANDBOX_EXPOSED`.
   */
  isExposing?(value: T): boolean;
  /** The kind of server that this value reaches over a network without TLS. Production rejects such values. */
  plaintextKindOf?(value: T): ServerKind | undefined;
  /**
   * @throws UnusableValue with a message for the operator; messages of other errors may contain the value and
   * are not shown
   */
  read(text: string, env?: NodeJS.ProcessEnv): T;
}

export type Settings = Record<string, Setting<unknown>>;

// Texts for `accepts`.
export const atLeast = (characters: number): string => `at least ${characters} characters`;
export const acceptsUrl = (protocols: readonly string[]): string => `URL (${protocols.join(', ')})`;
