import type { LoadAppConfig } from './doctor/config-readers';

/** What commands use of the process around them. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A person can answer questions. */
  readonly isInteractive: boolean;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** Writes a line to standard output: results only. */
  out(line: string): void;
  /** Writes a line to standard error: progress, questions, errors. */
  note(line: string): void;
  ask(question: string, options?: { isHidden?: boolean }): Promise<string>;
  /** Waits, at most until the signal is aborted. */
  sleep(ms: number): Promise<void>;
  /** All of standard input. */
  readInput(): Promise<string>;
  /** The parsers of the apps, for the check of their settings. */
  readonly loadAppConfig: LoadAppConfig;
}
