import { headers as natsHeaders, type Msg, type MsgHdrs } from 'nats';
import { callContext, type CallContext } from './call-context';
import { DomainError, type FieldError } from './domain-error';
import { errorCodes, type ErrorCode } from './error-codes';

/**
 * A request is the input as JSON, with the context in headers. A reply is the output as JSON without headers, so that
 * the gateway may pass its bytes through unread; a failure carries its code in a header.
 */
export const contextHeaders = {
  requestId: 'x-request-id',
  traceparent: 'traceparent',
  principal: 'tb-principal',
} as const;
export const failureHeader = 'tb-error';

/** What a failure says on the bus, and what the gateway renders. */
export interface Failure {
  code: ErrorCode;
  message: string;
  details?: unknown;
}

const encoder = new TextEncoder();
const noHeaderBreak = /[\r\n]/;

/** nats.js builds headers through maps and arrays; a request has three of known form, so they are written at once. */
export function encodeContext(context: CallContext): MsgHdrs {
  const { requestId, traceparent, principal } = context;
  if (noHeaderBreak.test(principal)) throw new Error('a principal must not contain line breaks');
  const text =
    `NATS/1.0\r\n${contextHeaders.requestId}: ${requestId}\r\n${contextHeaders.traceparent}: ${traceparent}\r\n` +
    `${contextHeaders.principal}: ${principal}\r\n\r\n`;
  return { encode: () => encoder.encode(text) } as unknown as MsgHdrs;
}

export function decodeContext(message: Pick<Msg, 'headers'>): CallContext {
  const headers = message.headers;
  return callContext({
    requestId: headers?.get(contextHeaders.requestId),
    traceparent: headers?.get(contextHeaders.traceparent),
    principal: headers?.get(contextHeaders.principal) || 'public',
  });
}

export function failureOf(error: DomainError): Failure {
  const { code, message, details } = error;
  return details === undefined ? { code, message } : { code, message, details };
}

export function failureHeaders(code: ErrorCode): MsgHdrs {
  const headers = natsHeaders();
  headers.set(failureHeader, code);
  return headers;
}

export function decodeFailure(bytes: Uint8Array): DomainError {
  const failure = JSON.parse(Buffer.from(bytes).toString()) as Partial<Failure>;
  const code = failure.code !== undefined && failure.code in errorCodes ? failure.code : 'INTERNAL_ERROR';
  return new DomainError(code, failure.message, { details: failure.details as FieldError[] | undefined });
}
