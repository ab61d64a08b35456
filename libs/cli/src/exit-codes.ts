/** Exit codes of `tollbridge`; docs/cli.md lists them. */
export const exitCodes = {
  ok: 0,
  /** The API rejected the call, a check failed, or a payment was not made. */
  failed: 1,
  /** Nothing was sent: the command line is wrong. */
  usage: 2,
  /** Not signed in, or the key lacks a permission. */
  denied: 3,
  /** No reply arrived: the outcome of a write is unknown. */
  noReply: 4,
  interrupted: 130,
} as const;

/** Ends a command with a sentence for people. */
export class CommandError extends Error {
  constructor(
    message: string,
    readonly exitCode: number = exitCodes.failed,
    /** What to do next. */
    readonly hint?: string,
  ) {
    super(message);
  }
}

/** The command line is wrong. */
export class UsageError extends CommandError {
  constructor(message: string, hint?: string) {
    super(message, exitCodes.usage, hint);
  }
}
