import type { LoadAppConfig } from './doctor/config-readers';

/** Access of commands to the process. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether a person can answer questions. */
  readonly isInteractive: boolean;
  /** Aborted at Ctrl-C. */
  readonly signal: AbortSignal;
  /** Writes a line to standard output, for results only. */
  out(line: string): void;
  /** Writes a line to standard error, for progress, questions and errors. */
  note(line: string): void;
  ask(question: string, options?: { isHidden?: boolean }): Promise<string>;
  /** Waits for the given time, or until the signal is aborted. */
  sleep(ms: number): Promise<void>;
  /** Reads all of standard input. */
  readInput(): Promise<string>;
  /** Loads the parsers of an app, for the check of its settings. */
  readonly loadAppConfig: LoadAppConfig;
}
