import { headers as natsHeaders, type Msg, type MsgHdrs } from 'nats';
import '../bus/nats-headers';
import { callContext, type CallContext } from '../calls/call-context';
import { DomainError, type FirstAnswer } from '../errors/domain-error';
import { errorCodes, type ErrorCode } from '../errors/error-codes';
import type { StoredReply } from '../calls/idempotency';
import type { PageFacts } from './list-pages';

/**
 * A request is the input as JSON, with the context in headers. A reply is the output as JSON without headers, so that
 * the gateway may pass its bytes through unread; a failure carries its code in a header.
 */
export const contextHeaders = {
  requestId: 'x-request-id',
  traceparent: 'traceparent',
  principal: 'tb-principal',
  caller: 'tb-caller',
  idempotencyKey: 'tb-idempotency-key',
  signature: 'tb-signature',
} as const;
/** Header of requests that end with their caller: the caller may announce it on `hungUpSubject`. */
export const endsWithCallerHeader = 'tb-ends-with-caller';
/** Every replica of the app subscribes to it. A message holds the reply subject of the abandoned request. */
export const hungUpSubject = (app: string): string => `op.${app}.hung-up`;

/** Header of a message on `hungUpSubject`: the caller stops, and waits for a reply until then. */
const stoppingHeader = 'tb-stopping';

export function stoppingHeaders(): MsgHdrs {
  const headers = natsHeaders();
  headers.set(stoppingHeader, '1');
  return headers;
}

export const isCallerStopping = (headers: MsgHdrs | undefined): boolean =>
  headers?.has(stoppingHeader) ?? false;

/** Where an app notifies its replicas of committed rows that one of them may have to process. */
export const writtenSubject = (app: string): string => `op.${app}.outbox-written`;
/** Header of a sealed call, and of its sealed reply (decision 92). */
export const sealHeader = 'tb-seal';
export const failureHeader = 'tb-error';
/** Headers of replies to calls with an idempotency key: time of the first reply, and whether this one is a replay. */
export const firstAnswerHeaders = { answeredAt: 'tb-answered-at', isReplayed: 'tb-replayed' } as const;

/** Headers of pages: the cursor of the next page, and the limit that was used. */
export const pageHeaderNames = { next: 'tb-next-cursor', limit: 'tb-limit' } as const;

/** What a failure says on the bus, and what the gateway renders. */
export interface Failure {
  code: ErrorCode;
  message: string;
  details?: unknown;
  retryAfterSeconds?: number;
  /** For a stored failure: the request that it was first returned to. */
  requestId?: string;
}

// What a header line can carry without ending it, and without being trimmed by the reader.
const headerForm = /^[\x21-\x7e]*$/;

/**
 * The headers of a call.
 * @param sign the signature over the given fields
 */
export function encodeContext(
  context: CallContext,
  endsWithCaller: boolean,
  sign: (fields: string) => string,
): MsgHdrs {
  const { requestId, traceparent, principal, caller = '', idempotencyKey = '' } = context;
  if (!headerForm.test(requestId + traceparent + principal + caller + idempotencyKey))
    throw new Error('a call context must be printable ASCII without spaces');
  const signature = sign(
    signedFields([requestId, traceparent, principal, caller, idempotencyKey], endsWithCaller),
  );
  const headers = natsHeaders();
  headers.set(contextHeaders.requestId, requestId);
  headers.set(contextHeaders.traceparent, traceparent);
  headers.set(contextHeaders.principal, principal);
  if (caller !== '') headers.set(contextHeaders.caller, caller);
  if (idempotencyKey !== '') headers.set(contextHeaders.idempotencyKey, idempotencyKey);
  if (endsWithCaller) headers.set(endsWithCallerHeader, '1');
  headers.set(contextHeaders.signature, signature);
  return headers;
}

/** No field holds a NUL: of two different calls, the texts differ. */
const signedFields = (fields: readonly string[], endsWithCaller: boolean): string =>
  `${fields.join('\0')}\0${endsWithCaller ? 1 : 0}`;

/** What the headers of a call state. Believe it only after its signature has been verified. */
export interface CallHead {
  context: CallContext;
  /** The caller may say that it waits no more (see `hungUpSubject`). */
  endsWithCaller: boolean;
  signature: string;
  /** The fields that the signature covers. */
  signedFields: string;
}

/** Each header is read once: nats.js goes through all of them to find one (bench row "create an order"). */
export function decodeHead({ headers }: Pick<Msg, 'headers'>): CallHead {
  const read = (name: string): string => headers?.get(name) ?? '';
  const requestId = read(contextHeaders.requestId);
  const traceparent = read(contextHeaders.traceparent);
  const principal = read(contextHeaders.principal);
  const caller = read(contextHeaders.caller);
  const idempotencyKey = read(contextHeaders.idempotencyKey);
  const endsWithCaller = headers?.has(endsWithCallerHeader) ?? false;
  return {
    context: {
      ...callContext({ requestId, traceparent, principal: principal || 'public' }),
      ...(caller && { caller }),
      ...(idempotencyKey && { idempotencyKey }),
    },
    endsWithCaller,
    signature: read(contextHeaders.signature),
    signedFields: signedFields([requestId, traceparent, principal, caller, idempotencyKey], endsWithCaller),
  };
}

export function failureOf(error: DomainError): Failure {
  const { code, message, details, retryAfterSeconds } = error;
  return {
    code,
    message,
    ...(details !== undefined && { details }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
}

export function failureHeaders(code: ErrorCode): MsgHdrs {
  const headers = natsHeaders();
  headers.set(failureHeader, code);
  return headers;
}

/**
 * A result, an output or a `DomainError`, as it is stored to be replayed.
 * @param requestId of the call that it answers
 */
export function replyOf(result: unknown, requestId: string): Pick<StoredReply, 'bytes' | 'failure'> {
  if (result instanceof DomainError) {
    const failure: Failure = { ...failureOf(result), requestId };
    return { bytes: Buffer.from(JSON.stringify(failure)), failure: result.code };
  }
  return { bytes: Buffer.from(JSON.stringify(result)), failure: null };
}

export function storedReplyHeaders({ failure, answeredAtMs }: StoredReply, isReplayed: boolean): MsgHdrs {
  const headers = failure === null ? natsHeaders() : failureHeaders(failure);
  headers.set(firstAnswerHeaders.answeredAt, String(answeredAtMs));
  if (isReplayed) headers.set(firstAnswerHeaders.isReplayed, '1');
  return headers;
}

export function pageHeaders({ next, limit }: PageFacts): MsgHdrs {
  if (next !== undefined && !headerForm.test(next))
    throw new Error('a cursor must be printable ASCII without spaces');
  const headers = natsHeaders();
  if (next !== undefined) headers.set(pageHeaderNames.next, next);
  if (limit !== undefined) headers.set(pageHeaderNames.limit, String(limit));
  return headers;
}

/** Both undefined for replies that are not a page. */
export function readPageFacts(headers: MsgHdrs): PageFacts {
  const limit = Number(headers.get(pageHeaderNames.limit) || NaN);
  return {
    next: headers.get(pageHeaderNames.next) || undefined,
    limit: Number.isSafeInteger(limit) ? limit : undefined,
  };
}

/** Undefined for replies to calls without an idempotency key. */
export function readFirstAnswer(headers: MsgHdrs): FirstAnswer | undefined {
  const answeredAtMs = Number(headers.get(firstAnswerHeaders.answeredAt) || NaN);
  if (!Number.isSafeInteger(answeredAtMs)) return undefined;
  return { answeredAtMs, isReplayed: headers.has(firstAnswerHeaders.isReplayed) };
}

/** Reads a failure as an error; what cannot be read is an error of ours, never an exception in the reader's loop. */
export function decodeFailure(bytes: Uint8Array, first?: FirstAnswer): DomainError {
  try {
    const { code, message, details, retryAfterSeconds, requestId } = JSON.parse(
      Buffer.from(bytes).toString(),
    ) as Failure;
    // A newer service may know codes that this one does not.
    if (!Object.hasOwn(errorCodes, code)) throw new Error(`unknown failure code ${String(code)}`);
    return new DomainError(code, message, {
      details,
      ...(first && { first: typeof requestId === 'string' ? { ...first, requestId } : first }),
      // It becomes a header.
      ...(Number.isSafeInteger(retryAfterSeconds) && { retryAfterSeconds: retryAfterSeconds! }),
    });
  } catch (cause) {
    return new DomainError('INTERNAL_ERROR', undefined, { cause });
  }
}
