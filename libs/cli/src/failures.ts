import { ApiError, ClientError, TollbridgeError } from '@tollbridge/sdk';
import { CommandError, exitCodes } from './exit-codes';
import { errorActions } from './generated/api';
import { printable } from './output';
import type { Terminal } from './terminal';

/**
 * Prints an error and the next step.
 * @param isRepeatable whether the command accepts the idempotency key of the failed call
 * @returns the exit code
 */
export function reportFailure(
  error: unknown,
  terminal: Terminal,
  { isJson, isRepeatable }: { isJson: boolean; isRepeatable: boolean },
): number {
  const failure = describe(error);
  if (!isRepeatable) delete failure.repeat;
  if (isJson) {
    const { message, code, details, requestId, hint, repeat } = failure;
    terminal.note(JSON.stringify({ error: message, code, details, request_id: requestId, hint, repeat }));
  } else for (const line of linesOf(failure)) terminal.note(line);
  return failure.exitCode;
}

interface Failure {
  message: string;
  exitCode: number;
  code?: string | undefined;
  details?: unknown;
  requestId?: string | undefined;
  hint?: string | undefined;
  /** Command that repeats a call with an unknown outcome. */
  repeat?: string | undefined;
}

function describe(error: unknown): Failure {
  if (error instanceof CommandError) {
    const { message, exitCode, hint } = error;
    return { message, exitCode, hint };
  }
  if (error instanceof ClientError) return describeClientError(error);
  if (error instanceof TollbridgeError) {
    const { message, code, requestId } = error;
    const isDenied = error.status === 401 || error.status === 403;
    return {
      message,
      code,
      requestId,
      exitCode: exitCodeOf(error, isDenied),
      ...(error instanceof ApiError && { details: error.details }),
      hint: hintOf(error, isDenied),
      repeat: code === 'OUTCOME_UNKNOWN' ? repeatHint(error) : undefined,
    };
  }
  return { message: (error as Error).message ?? String(error), exitCode: exitCodes.failed };
}

const repeatHint = ({ operation, idempotencyKey }: TollbridgeError): string | undefined =>
  idempotencyKey && `Repeat ${operation} with --idempotency-key ${idempotencyKey}: it takes effect once.`;

function describeClientError(error: ClientError): Failure {
  const { code, message, requestId } = error;
  if (code === 'INVALID_ARGUMENT') return { message, exitCode: exitCodes.usage };
  if (code === 'UNEXPECTED_RESPONSE')
    return {
      message,
      code,
      requestId,
      exitCode: exitCodes.failed,
      hint: 'Is the address that of a gateway? Run: tollbridge doctor',
    };
  return {
    message,
    code,
    exitCode: exitCodes.noReply,
    hint: 'Check the address: tollbridge whoami. Locally, npm start must be running.',
    repeat: repeatHint(error),
  };
}

function exitCodeOf({ code }: TollbridgeError, isDenied: boolean): number {
  if (code === 'OUTCOME_UNKNOWN') return exitCodes.noReply;
  return isDenied ? exitCodes.denied : exitCodes.failed;
}

const loginHint = ' Run: tollbridge login; in a sandbox: tollbridge login --sandbox';

function hintOf(error: TollbridgeError, isDenied: boolean): string | undefined {
  const { code, retryAfterSeconds } = error;
  const action = errorActions[code];
  const wait = retryAfterSeconds ? ` Wait ${retryAfterSeconds} s.` : '';
  const login = isDenied && code === 'UNAUTHORIZED' ? loginHint : '';
  return action && `${action}${wait}${login}`;
}

function linesOf({ message, code, details, requestId, hint, repeat }: Failure): string[] {
  const entries = Array.isArray(details)
    ? details.map((each) => textOf(each))
    : Object.entries((details ?? {}) as Record<string, unknown>).map(
        ([name, value]) => `${name}: ${textOf(value)}`,
      );
  return [
    `Error: ${printable(message)}${code ? ` (${printable(code)})` : ''}`,
    ...entries.map((entry) => `  ${entry}`),
    ...(hint ? [hint.replaceAll('`', '')] : []),
    ...(repeat ? [repeat] : []),
    ...(requestId ? [`Request: ${printable(requestId)}`] : []),
  ];
}

function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return printable(String(value));
  const { field, message } = value as { field?: unknown; message?: unknown };
  if (field !== undefined && message !== undefined) return printable(`${String(field)} ${String(message)}`);
  return printable(JSON.stringify(value));
}
