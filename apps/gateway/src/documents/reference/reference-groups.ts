import { commandWord } from '@tollbridge/contracts';
import { withPartsInPlace, type Operation } from '@tollbridge/rpc';
import type { GatewayRoute } from '../../routes/gateway-route';
import type {
  MediaObject,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  ReplyObject,
  SchemaObject,
} from './open-api';

export interface Content {
  type: string;
  schema: SchemaObject;
  example: unknown;
}

export interface Reply {
  status: number;
  description: string;
  headers: readonly { name: string; description: string; schema: SchemaObject }[];
  content: Content | undefined;
}

export interface ReferenceOperation {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  declaration: Operation;
  /** Whether the SDK has a function or a stream for the operation. */
  client: 'function' | 'stream' | undefined;
  parameters: readonly ParameterObject[];
  body: Content | undefined;
  replies: readonly Reply[];
  failures: readonly Reply[];
}

export interface ReferenceGroup {
  /** The group's part of the URL, for example `payment-quotes` in `/docs/payment-quotes`. */
  slug: string;
  title: string;
  description: string;
  operations: readonly ReferenceOperation[];
}

// Headers that the introduction describes once for all replies.
const commonHeaders = new Set([
  'x-request-id',
  'ratelimit',
  'ratelimit-policy',
  'idempotent-replayed',
  'retry-after',
]);

/** Groups the operations of a document by tag, in the order of the document. */
export function referenceGroups(
  document: OpenApiDocument,
  routes: readonly GatewayRoute[],
): ReferenceGroup[] {
  const { paths, tags } = withPartsInPlace(document);
  const byRoute = new Map(
    routes.map((route) => [`${route.declaration.method} ${route.declaration.path}`, route]),
  );
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([name, described]) => {
      const method = name.toUpperCase();
      const route = byRoute.get(`${method} ${path}`)!;
      return { tag: described.tags[0], operation: readOperation({ path, method, described }, route) };
    }),
  );
  return tags.map(({ name, description = '' }) => ({
    slug: commandWord(name),
    title: name,
    description,
    operations: operations.filter(({ tag }) => tag === name).map(({ operation }) => operation),
  }));
}

function readOperation(
  { path, method, described }: { path: string; method: string; described: OperationObject },
  route: GatewayRoute,
): ReferenceOperation {
  const { operationId: id, summary, description = '', parameters = [], requestBody, responses } = described;
  const replies = Object.entries(responses).map(([status, reply]) => readReply(Number(status), reply));
  const operation = { id, method, path, summary, description, declaration: route.declaration };
  return {
    ...operation,
    client: clientOf(route, replies),
    parameters,
    body: contentOf(requestBody?.content),
    replies: replies.filter(({ status }) => status < 400),
    failures: replies.filter(({ status }) => status >= 400),
  };
}

function clientOf(route: GatewayRoute, replies: readonly Reply[]): ReferenceOperation['client'] {
  if (route.kind === 'operation') return route.isSalePath ? undefined : 'function';
  return replies.some(({ content }) => content?.type === 'text/event-stream') ? 'stream' : undefined;
}

function readReply(status: number, { description, headers = {}, content }: ReplyObject): Reply {
  const own = Object.entries(headers).filter(([name]) => !commonHeaders.has(name.toLowerCase()));
  return {
    status,
    description,
    headers: own.map(([name, { description: text = '', schema = {} }]) => ({
      name,
      description: text,
      schema,
    })),
    content: contentOf(content),
  };
}

function contentOf(content: Readonly<Record<string, MediaObject>> = {}): Content | undefined {
  const [first] = Object.entries(content);
  if (!first) return undefined;
  const [type, { schema = {}, example, examples = {} }] = first;
  return { type, schema, example: example ?? Object.values(examples)[0]?.value };
}
