import { DomainError } from '@tollbridge/rpc';

interface PgError {
  code?: string;
  /** Present only on errors that the server sent. */
  severity?: string;
  syscall?: string;
  message?: string;
}

// Serialization failure and deadlock: the transaction should be retried.
const repeatable = ['40001', '40P01'];
// The server rolled back the statement for a temporary reason: no disk, memory or connections (53); no lock (55P03); a
// time-out (57014, 25P03); a start in progress (57P03); a read-only server (25006); an I/O error (58030).
const withoutEffect = [/^53/, /^55P03$/, /^57014$/, /^25P03$/, /^57P03$/, /^25006$/, /^58030$/];
// The connection ended, or the server ended it: the outcome of a running commit is unknown.
const connectionLost = [/^08/, /^57P/, /^40003$/];
const connectionLostTexts = /^Connection terminated unexpectedly|not queryable|^Query read timeout/;
const connectCalls = ['connect', 'getaddrinfo'];
const noConnectionTexts =
  /^timeout exceeded when trying to connect|^Connection terminated due to connection timeout|after calling end on the pool/;

/**
 * Returns the SQLSTATE of an error that the server sent. Connection errors have codes of the operating
 * system. Some of them, such as EPIPE, look like an SQLSTATE.
 */
export function sqlStateOf(error: unknown): string | undefined {
  const { code, severity } = pgErrorOf(error);
  return severity !== undefined && code !== undefined && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

export function isRepeatable(error: unknown): boolean {
  return repeatable.includes(sqlStateOf(error) ?? '');
}

/**
 * Returns the error for the caller after a temporary database failure. SERVICE_UNAVAILABLE: nothing was
 * written. OUTCOME_UNKNOWN: the write may have happened. Undefined for every other error, which is a bug.
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

/** Whether a failure proves that nothing was written. */
export function isWithoutEffect(error: unknown): boolean {
  if (error instanceof DomainError)
    return error.code !== 'OUTCOME_UNKNOWN' && error.code !== 'INTERNAL_ERROR';
  const failure = databaseFailure(error);
  return failure ? failure.code === 'SERVICE_UNAVAILABLE' : sqlStateOf(error) !== undefined;
}

function matches(forms: readonly RegExp[], state: string): boolean {
  return forms.some((form) => form.test(state));
}

/** Unwraps an error of pg that TypeORM has wrapped. */
function pgErrorOf(error: unknown): PgError {
  const { driverError } = (error ?? {}) as { driverError?: PgError };
  return driverError ?? ((error ?? {}) as PgError);
}
