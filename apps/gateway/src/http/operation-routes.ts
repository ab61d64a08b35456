import {
  DomainError,
  fieldsOf,
  type BusClient,
  type BusReply,
  type CallContext,
  type Feature,
  type FieldDeclaration,
  type FieldError,
  type Operation,
} from '@tollbridge/rpc';
import { SpanKind, withSpan } from '@tollbridge/observability';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { ReadIdempotencyKey } from '../idempotency/idempotency-key';
import type { Admit } from './admission';
import { readJsonObject } from './json-body';
import { namesLimit, readWholeList, sendPage } from './list-replies';
import { sendOutput } from './render';

const emptyBody = Buffer.from('{}');
// Nobody reads a longer list of mistakes, nor a longer name.
const maxNamed = 20;
// A call that waits is answered by the time-out of its operation before its connection is cut.
const waitMarginMs = 10_000;
const maxNameLength = 64;

/** Makes one HTTP route of every operation. There is no business rule here: the service that answers knows them. */
export function addOperationRoutes(
  server: FastifyInstance,
  features: readonly Feature[],
  bus: Pick<BusClient, 'callBytes'>,
  admit: Admit,
  keyOf: ReadIdempotencyKey,
): void {
  for (const operation of features.flatMap(({ operations }) => Object.values(operations) as Operation[])) {
    const { method, path, style } = operation;
    const onRequest = gate(operation, admit);
    const url = path.replace(/\{(\w+)\}/g, ':$1');
    const inputOf = operation.hasBody ? bodyReader(operation) : queryReader(operation);
    const handler = (request: FastifyRequest, reply: FastifyReply) => {
      // What only reads can be repeated without one.
      const idempotencyKey = operation.hasBody ? keyOf(request) : undefined;
      if (idempotencyKey !== undefined) request.call.idempotencyKey = idempotencyKey;
      return answer(operation, inputOf(request), bus, request, reply);
    };
    server.route({ method, url, config: { style }, onRequest, handler });
  }
}

/** Most requests are let in at once; only what has to wait pays for a promise. */
export function gate(operation: Operation, admit: Admit): onRequestHookHandler {
  return (request, reply, done) => {
    try {
      const admitted = admit(operation, request, reply);
      if (admitted) admitted.then(() => done(), done);
      else done();
    } catch (error) {
      done(error as Error);
    }
  };
}

async function answer(
  operation: Operation,
  input: Buffer,
  bus: Pick<BusClient, 'callBytes'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (operation.endsWithCaller) {
    request.call.signal = hangUpOf(reply);
    keepSilentConnection(request, operation.timeoutMs + waitMarginMs);
  }
  const answered = withSpan(operation.subject, request.call.traceparent, SpanKind.CLIENT, (traceparent) =>
    callFor(bus, operation, input, { ...request.call, traceparent }),
  );
  const output = await (request.onFailure ? answered.catch(request.onFailure) : answered);
  sendPage(reply, request.url, output.page);
  return sendOutput(reply, operation, output);
}

function callFor(
  bus: Pick<BusClient, 'callBytes'>,
  operation: Operation,
  input: Buffer,
  context: CallContext,
): Promise<BusReply> {
  return operation.isWholeList && !namesLimit(input)
    ? readWholeList(bus, operation, input, context)
    : bus.callBytes(operation, input, context);
}

/** Nothing moves on the connection of a call that waits. Node sets the time-out of the server again with the next request. */
function keepSilentConnection({ raw: { socket } }: FastifyRequest, ms: number): void {
  if (socket.timeout !== undefined && socket.timeout < ms) socket.setTimeout(ms);
}

/** Aborted when the caller has gone before he was answered. */
function hangUpOf({ raw }: FastifyReply): AbortSignal {
  const left = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) left.abort();
  });
  if (raw.destroyed) left.abort();
  return left.signal;
}

type InputReader = (request: FastifyRequest) => Buffer;

// The operation's input is one flat JSON object: body or query, and path fields. They never overlap.

function bodyReader({ pathFields, body: field }: Operation): InputReader {
  return (request) => {
    // Secrets in addresses end up in logs, and a misplaced field would be lost in silence.
    refuseFields(Object.keys(request.query as object), 'must be in the body, not in the query');
    const body = bodyOf(request);
    const given = readJsonObject(body);
    if (field !== undefined) return withPathFields(pathFields, request, { [field]: given });
    return pathFields.length > 0 ? withPathFields(pathFields, request, given) : body;
  };
}

export function queryReader({
  input,
  pathFields,
}: Pick<Operation<any>, 'input' | 'pathFields'>): InputReader {
  const lists = fieldsOf(input).filter(({ schema }) => schema['type'] === 'array');
  const listNames = new Set(lists.map(({ name }) => name));
  const inHeaders = fieldsOf(input).filter(({ header }) => header !== undefined);
  return (request) => {
    checkEncoding(request.url);
    const given = withHeaderFields(inHeaders, request);
    const twice = Object.keys(given).filter((name) => Array.isArray(given[name]) && !listNames.has(name));
    refuseFields(twice, 'must not be repeated');
    if (request.body !== undefined)
      refuseFields(Object.keys(readJsonObject(bodyOf(request))), 'must be in the query, not in the body');
    return withPathFields(pathFields, request, given);
  };
}

/** What may stand in a header instead of the query. */
function withHeaderFields(
  fields: readonly Pick<FieldDeclaration, 'name' | 'header'>[],
  { query, headers }: FastifyRequest,
): Record<string, unknown> {
  const given = query as Record<string, unknown>;
  const present = fields.filter(({ header }) => headers[header!] !== undefined);
  if (present.length === 0) return given;
  const twice = present.filter(({ name }) => Object.hasOwn(given, name)).map(({ name }) => name);
  refuseFields(twice, 'must be in the header or in the query, not in both');
  return { ...given, ...Object.fromEntries(present.map(({ name, header }) => [name, headers[header!]])) };
}

function bodyOf(request: FastifyRequest): Buffer {
  const body = request.body as Buffer | undefined;
  return body !== undefined && body.length > 0 ? body : emptyBody;
}

function withPathFields(names: readonly string[], request: FastifyRequest, given: object): Buffer {
  const twice = names.filter((name) => Object.hasOwn(given, name));
  refuseFields(twice, 'must be in the path only');
  return Buffer.from(JSON.stringify({ ...given, ...(request.params as Record<string, string>) }));
}

/** The parser of queries takes `%zz` for text. */
function checkEncoding(url: string): void {
  const start = url.indexOf('?');
  if (start < 0 || !url.includes('%', start)) return;
  try {
    decodeURIComponent(url.slice(start));
  } catch {
    throw new DomainError(
      'VALIDATION_ERROR',
      'The query is not percent-encoded UTF-8. Encode its values with encodeURIComponent or the like.',
    );
  }
}

function refuseFields(names: readonly string[], message: string): void {
  if (names.length === 0) return;
  const errors: FieldError[] = names
    .slice(0, maxNamed)
    .map((name) => ({ field: name.slice(0, maxNameLength), message }));
  throw DomainError.invalid(errors);
}
