/** Exit codes of `tollbridge`, documented in docs/cli.md. */
export const exitCodes = {
  ok: 0,
  /** The API rejected the call, a check failed, or a payment was not made. */
  failed: 1,
  /** No request was sent, because the command line is invalid. */
  usage: 2,
  /** Not signed in, or the key lacks a permission. */
  denied: 3,
  /** No reply arrived, so the outcome of a write is unknown. */
  noReply: 4,
  interrupted: 130,
} as const;

/** Ends a command with an error message for people. */
export class CommandError extends Error {
  constructor(
    message: string,
    readonly exitCode: number = exitCodes.failed,
    /** The next step for the user. */
    readonly hint?: string,
  ) {
    super(message);
  }
}

/** The command line is invalid. */
export class UsageError extends CommandError {
  constructor(message: string, hint?: string) {
    super(message, exitCodes.usage, hint);
  }
}
