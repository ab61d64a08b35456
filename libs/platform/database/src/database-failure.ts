import { DomainError } from '@tollbridge/rpc';

interface PgError {
  code?: string;
  /** Only what the server sent has one. */
  severity?: string;
  syscall?: string;
  message?: string;
}

// Serialization failure and deadlock: PostgreSQL asks for the transaction to be run again.
const repeatable = ['40001', '40P01'];
// The server rejected or rolled back the statement because something is missing for a while: disk, memory, connections (53),
// a lock (55P03), time (57014, 25P03), a start that is not finished (57P03), a primary (25006), a disk that reads (58030).
const withoutEffect = [/^53/, /^55P03$/, /^57014$/, /^25P03$/, /^57P03$/, /^25006$/, /^58030$/];
// The connection ended, or was ended by the server: whether a commit under way took place is not known.
const connectionLost = [/^08/, /^57P/, /^40003$/];
const connectionLostTexts = /^Connection terminated unexpectedly|not queryable|^Query read timeout/;
const connectCalls = ['connect', 'getaddrinfo'];
const noConnectionTexts =
  /^timeout exceeded when trying to connect|^Connection terminated due to connection timeout|after calling end on the pool/;

/**
 * The SQLSTATE of what the server itself has said. Failures of the connection have codes as well, of the operating
 * system, and some of those look the same: EPIPE.
 */
export function sqlStateOf(error: unknown): string | undefined {
  const { code, severity } = pgErrorOf(error);
  return severity !== undefined && code !== undefined && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

export function isRepeatable(error: unknown): boolean {
  return repeatable.includes(sqlStateOf(error) ?? '');
}

/**
 * The error for a caller when a database fails for a temporary reason: SERVICE_UNAVAILABLE when nothing can have been
 * written, OUTCOME_UNKNOWN when that is not known. Undefined for everything else, which is a fault of ours.
 */
export function databaseFailure(cause: unknown): DomainError | undefined {
  const state = sqlStateOf(cause);
  if (state !== undefined) {
    if (repeatable.includes(state) || matches(withoutEffect, state))
      return new DomainError('SERVICE_UNAVAILABLE', undefined, { cause });
    return matches(connectionLost, state)
      ? new DomainError('OUTCOME_UNKNOWN', undefined, { cause })
      : undefined;
  }
  const { syscall, code, message = '' } = pgErrorOf(cause);
  if (connectCalls.includes(syscall ?? '') || noConnectionTexts.test(message))
    return new DomainError('SERVICE_UNAVAILABLE', undefined, { cause });
  const isLost =
    ['ECONNRESET', 'EPIPE', 'ETIMEDOUT'].includes(code ?? '') || connectionLostTexts.test(message);
  return isLost ? new DomainError('OUTCOME_UNKNOWN', undefined, { cause }) : undefined;
}

/** Whether a failure says that nothing was written; of all others it is not known. */
export function isWithoutEffect(error: unknown): boolean {
  if (error instanceof DomainError)
    return error.code !== 'OUTCOME_UNKNOWN' && error.code !== 'INTERNAL_ERROR';
  const failure = databaseFailure(error);
  return failure ? failure.code === 'SERVICE_UNAVAILABLE' : sqlStateOf(error) !== undefined;
}

function matches(forms: readonly RegExp[], state: string): boolean {
  return forms.some((form) => form.test(state));
}

/** TypeORM wraps what pg throws. */
function pgErrorOf(error: unknown): PgError {
  const { driverError } = (error ?? {}) as { driverError?: PgError };
  return driverError ?? ((error ?? {}) as PgError);
}
