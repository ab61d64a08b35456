import {
  DomainError,
  type BusClient,
  type CallContext,
  type Feature,
  type HttpMethod,
  type Operation,
} from '@tollbridge/bus';
import { SpanKind, withSpan } from '@tollbridge/observability';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readJsonObject } from './json-body';
import { asDomainError, sendFailure, sendOutput } from './render';

declare module 'fastify' {
  interface FastifyRequest {
    call: CallContext;
  }
}

const methods: readonly HttpMethod[] = ['GET', 'POST', 'PUT', 'DELETE'];
const emptyBody = Buffer.from('{}');

/** Makes one HTTP route of every operation. There is no business rule here: the service that answers knows them. */
export function addOperationRoutes(
  server: FastifyInstance,
  features: readonly Feature[],
  bus: BusClient,
): void {
  const operations = features.flatMap((feature) => Object.values(feature.operations) as Operation[]);
  for (const operation of operations) {
    server.route({
      method: operation.method,
      url: routePattern(operation.path),
      handler: (request, reply) => answer(operation, bus, request, reply),
      errorHandler: (error, _request, reply) =>
        void sendFailure(reply, operation.style, asDomainError(error)),
    });
  }
  refuseOtherMethods(server, operations);
}

async function answer(
  operation: Operation,
  bus: BusClient,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const input = inputOf(operation, request);
  const output = await withSpan(operation.subject, request.call.traceparent, SpanKind.CLIENT, (traceparent) =>
    bus.callBytes(operation, input, { ...request.call, traceparent }),
  );
  return sendOutput(reply, operation.style, output);
}

/** The operation's input as one flat JSON object: body, query and path fields never overlap. */
function inputOf(operation: Operation, request: FastifyRequest): Buffer {
  const body = (request.body as Buffer | undefined) ?? emptyBody;
  const given = operation.hasBody
    ? readJsonObject(body.length > 0 ? body : emptyBody)
    : (request.query as Record<string, unknown>);
  if (operation.hasBody) refuseQuery(request);
  if (operation.pathFields.length === 0)
    return operation.hasBody ? (body.length > 0 ? body : emptyBody) : Buffer.from(JSON.stringify(given));
  const twice = operation.pathFields.filter((name) => Object.hasOwn(given, name));
  if (twice.length > 0)
    throw DomainError.invalid(twice.map((field) => ({ field, message: 'belongs in the path only' })));
  return Buffer.from(JSON.stringify({ ...given, ...(request.params as Record<string, string>) }));
}

/** Secrets in addresses end up in logs, and a misplaced field would be lost in silence. */
function refuseQuery(request: FastifyRequest): void {
  const names = Object.keys(request.query as object);
  if (names.length === 0) return;
  throw DomainError.invalid(
    names.slice(0, 20).map((name) => ({ field: name.slice(0, 64), message: 'belongs in the body' })),
  );
}

function routePattern(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

function refuseOtherMethods(server: FastifyInstance, operations: readonly Operation[]): void {
  for (const [path, taken] of groupByPath(operations)) {
    const allow = taken.map(({ method }) => method);
    const { style } = taken[0]!;
    server.route({
      method: [...methods, 'PATCH' as const].filter((method) => !allow.includes(method as HttpMethod)),
      url: routePattern(path),
      // Before the body is read: whatever it holds, nobody wants it.
      onRequest: async (_request, reply) => {
        reply.header('allow', allow.join(', '));
        return sendFailure(reply, style, new DomainError('METHOD_NOT_ALLOWED'));
      },
      handler: () => undefined,
    });
  }
}

function groupByPath(operations: readonly Operation[]): Map<string, Operation[]> {
  const groups = new Map<string, Operation[]>();
  for (const operation of operations)
    groups.set(operation.path, [...(groups.get(operation.path) ?? []), operation]);
  return groups;
}
