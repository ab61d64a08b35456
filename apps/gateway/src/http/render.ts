import { DomainError, type ReplyStyle } from '@tollbridge/bus';
import type { FastifyReply } from 'fastify';

export const jsonType = 'application/json; charset=utf-8';
const opening = Buffer.from('{"success":true,"data":');

// What is answered with "try again" also says when.
const retryAfterSeconds: Partial<Record<DomainError['code'], number>> = {
  SERVICE_UNAVAILABLE: 1,
  RATE_LIMIT_EXCEEDED: 1,
};

/** Sends an output that came as JSON; a bare one is passed through without being read. */
export function sendOutput(reply: FastifyReply, style: ReplyStyle, output: Uint8Array): FastifyReply {
  const bytes = Buffer.from(output.buffer, output.byteOffset, output.byteLength);
  reply.header('content-type', jsonType);
  if (style === 'bare') return reply.send(bytes);
  const closing = Buffer.from(`,"error":null,"timestamp":"${new Date().toISOString()}"}`);
  return reply.send(Buffer.concat([opening, bytes, closing]));
}

/** Sends a failure in the style of its route. */
export function sendFailure(reply: FastifyReply, style: ReplyStyle, error: DomainError): FastifyReply {
  const retryAfter = retryAfterSeconds[error.code];
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
  reply.request.failureCode = error.code;
  return reply.status(error.status).header('content-type', jsonType).send(failureText(style, error));
}

export function failureText(style: ReplyStyle, { code, message, details }: DomainError): string {
  const retryAfter = retryAfterSeconds[code];
  const told = details === undefined ? {} : { details };
  const retry = retryAfter === undefined ? {} : { retryAfter };
  if (style === 'bare') return JSON.stringify({ error: message, code, ...told, ...retry });
  const error = { code, message, ...told };
  return JSON.stringify({ success: false, data: null, error, ...retry, timestamp: new Date().toISOString() });
}

/** The style of a path that no operation answers: the transaction API speaks in envelopes, all else does not. */
export function styleOfPath(path: string): ReplyStyle {
  return path.startsWith('/v1/') ? 'envelope' : 'bare';
}

interface FrameworkError {
  code?: string;
  statusCode?: number;
}

/** Turns whatever was thrown into an error of ours; nothing of foreign text reaches the caller. */
export function asDomainError(thrown: unknown): DomainError {
  if (thrown instanceof DomainError) return thrown;
  const { code, statusCode } = (thrown ?? {}) as FrameworkError;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new DomainError('PAYLOAD_TOO_LARGE');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new DomainError('UNSUPPORTED_MEDIA_TYPE');
  if (statusCode === 414) return new DomainError('URI_TOO_LONG');
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new DomainError('VALIDATION_ERROR', 'The request cannot be read.', { cause: thrown });
  }
  return new DomainError('INTERNAL_ERROR', undefined, { cause: thrown });
}
