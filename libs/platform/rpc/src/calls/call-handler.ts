import { isObservable, lastValueFrom } from 'rxjs';
import { StoredFailure, StoredOutput } from '../bus/answer-once';
import type { CallContext } from './call-context';
import { DomainError } from '../errors/domain-error';
import type { RpcContext } from '../declarations/handlers';
import type { ReplyStore, StoredReply } from './idempotency';

/** Outcome of a call. */
export type Outcome = ({ ok: true; output: unknown } | { ok: false; error: DomainError }) & {
  /**
   * The stored reply to a call with an idempotency key. Its bytes are sent to the first caller and for every replay.
   */
  stored?: { reply: StoredReply; isReplayed: boolean };
};

/** A handler, in the form that Nest registers. */
export type Handler = (payload: unknown, context: RpcContext) => unknown;

/** A request from the bus. */
export interface Request {
  json: Uint8Array;
  context: CallContext;
  replies: ReplyStore;
}

/** Parses a request, calls its handler and returns the outcome. Never throws: an unexpected error is INTERNAL_ERROR. */
export async function callHandler(handler: Handler, { json, context, replies }: Request): Promise<Outcome> {
  try {
    const output = await valueOf(await handler(parse(json), { ...context, replies }));
    if (!(output instanceof StoredOutput)) return { ok: true, output };
    const { reply, isReplayed } = output;
    return { ok: true, output: undefined, stored: { reply, isReplayed } };
  } catch (cause) {
    if (!(cause instanceof StoredFailure)) return { ok: false, error: asDomainError(cause) };
    const { reply, isReplayed } = cause;
    return { ok: false, error: cause, stored: { reply, isReplayed } };
  }
}

const asDomainError = (cause: unknown): DomainError =>
  cause instanceof DomainError ? cause : new DomainError('INTERNAL_ERROR', undefined, { cause });

function parse(json: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString());
  } catch (cause) {
    throw new DomainError('MALFORMED_JSON', undefined, { cause });
  }
}

/** Unwraps an Observable, which Nest returns when an interceptor or an exception filter took part. */
const valueOf = (result: unknown): unknown =>
  isObservable(result) ? lastValueFrom(result, { defaultValue: undefined }) : result;
