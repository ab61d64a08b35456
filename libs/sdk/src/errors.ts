import type { ErrorCode, ErrorDetails, ErrorStatus } from './generated/errors';

/** Facts about the failed call. */
export interface ErrorFacts {
  /** Name of the function, for example `createOrder`. */
  operation: string;
  /** HTTP status of the reply; 0 without a reply. */
  status: number;
  /** `x-request-id` of the reply. Include it when you report a problem. */
  requestId?: string | undefined;
  /** Key of the call. If the outcome is unknown, repeat the call with the same key: it takes effect once. */
  idempotencyKey?: string | undefined;
  /** Seconds to wait before a retry, if the reply contains them. */
  retryAfterSeconds?: number | undefined;
  /** URL of the explanation of the code. */
  documentationUrl?: string | undefined;
  cause?: unknown;
}

/** Base class of all errors of this package. Switch over `code`, which is stable; the message is for people. */
export class TollbridgeError extends Error {
  override readonly name: string = 'TollbridgeError';
  readonly code: string;
  readonly status: number;
  readonly operation: string;
  readonly requestId: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly documentationUrl: string | undefined;

  constructor(code: string, message: string, facts: ErrorFacts) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = code;
    this.status = facts.status;
    this.operation = facts.operation;
    this.requestId = facts.requestId;
    this.idempotencyKey = facts.idempotencyKey;
    this.retryAfterSeconds = facts.retryAfterSeconds;
    this.documentationUrl = facts.documentationUrl;
  }
}

/** The API rejected the call with a code that it declares for the operation. */
export class ApiError<C extends ErrorCode = ErrorCode> extends TollbridgeError {
  override readonly name: string = 'ApiError';
  declare readonly code: C;
  declare readonly status: ErrorStatus[C];
  /** Details of the code; undefined if the reply has none. */
  readonly details: ErrorDetails[C] | undefined;

  constructor(code: C, message: string, details: ErrorDetails[C] | undefined, facts: ErrorFacts) {
    super(code, message, facts);
    this.details = details;
  }
}

/**
 * - `NETWORK_ERROR`: no reply arrived. The outcome of a write is unknown: repeat the call with the same
 * `idempotencyKey`.
 * - `TIMEOUT`: the reply was not complete within `timeoutMs`. The outcome of a write is unknown too.
 * - `ABORTED`: the `signal` of the call was aborted; its reason is the `cause`.
 * - `UNEXPECTED_RESPONSE`: the API does not declare this reply, for example a page of a proxy.
 * - `INVALID_ARGUMENT`: no request was sent, because an argument is invalid.
 */
export type ClientErrorCode =
  | 'NETWORK_ERROR'
  | 'TIMEOUT'
  | 'ABORTED'
  | 'UNEXPECTED_RESPONSE'
  | 'INVALID_ARGUMENT';

/** The call failed without a declared error reply of the API. */
export class ClientError<C extends ClientErrorCode = ClientErrorCode> extends TollbridgeError {
  override readonly name: string = 'ClientError';
  declare readonly code: C;

  constructor(code: C, message: string, facts: ErrorFacts) {
    super(code, message, facts);
  }
}

type EachApiError<C extends ErrorCode> = C extends ErrorCode ? ApiError<C> : never;
type EachClientError<C extends ClientErrorCode> = C extends ClientErrorCode ? ClientError<C> : never;

/** Union of the API errors with these codes and of the client errors, discriminated by `code`. */
export type ErrorOf<C extends ErrorCode> = EachApiError<C> | EachClientError<ClientErrorCode>;

export const invalidArgument = (operation: string, message: string): ClientError<'INVALID_ARGUMENT'> =>
  new ClientError('INVALID_ARGUMENT', message, { operation, status: 0 });
