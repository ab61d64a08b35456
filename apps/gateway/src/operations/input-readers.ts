import {
  DomainError,
  fieldsOf,
  type FieldDeclaration,
  type FieldError,
  type Operation,
} from '@tollbridge/rpc';
import type { FastifyRequest } from 'fastify';
import { readJsonObject, withoutByteOrderMark } from './json-body';

const emptyBody = Buffer.from('{}');
// Longer lists of errors and longer names are truncated.
const maxNamed = 20;
const maxNameLength = 64;

/**
 * Reads the input of an operation as one flat JSON object: body or query, and path fields. Their names never overlap.
 */
export type InputReader = (request: FastifyRequest) => Buffer;

export function bodyReader({ pathFields, body: field }: Operation): InputReader {
  return (request) => {
    // Rejects query fields: secrets in URLs appear in logs, and a misplaced field would be ignored silently.
    rejectFields(Object.keys(request.query as object), 'must be in the body, not in the query');
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
  const rejectRepeated = repetitionCheck(input);
  const inHeaders = fieldsOf(input).filter(({ header }) => header !== undefined);
  return (request) => {
    checkEncoding(request.url);
    const given = withHeaderFields(inHeaders, request);
    rejectRepeated(given);
    if (request.body !== undefined)
      rejectFields(Object.keys(readJsonObject(bodyOf(request))), 'must be in the query, not in the body');
    return withPathFields(pathFields, request, given);
  };
}

/** Rejects a query with a repeated field, except for lists. */
export function repetitionCheck(input: Operation['input']): (query: unknown) => void {
  const lists = fieldsOf(input).filter(({ schema }) => schema['type'] === 'array');
  const listNames = new Set(lists.map(({ name }) => name));
  return (query) => {
    const given = query as Record<string, unknown>;
    const repeated = Object.keys(given).filter((name) => Array.isArray(given[name]) && !listNames.has(name));
    rejectFields(repeated, 'must not be repeated');
  };
}

type HeaderField = Pick<FieldDeclaration, 'name' | 'header' | 'fromText'>;

/** Adds the fields that may be sent as a header instead of the query. */
function withHeaderFields(
  fields: readonly HeaderField[],
  { query, headers }: FastifyRequest,
): Record<string, unknown> {
  const given = query as Record<string, unknown>;
  const present = fields.filter(({ header }) => headers[header!] !== undefined);
  if (present.length === 0) return given;
  const inQuery = ({ name, fromText }: HeaderField): unknown => {
    const value = given[name];
    return typeof value === 'string' ? (fromText?.(value) ?? value) : value;
  };
  const differing = present.filter(
    (field) => Object.hasOwn(given, field.name) && inQuery(field) !== headers[field.header!],
  );
  rejectFields(
    differing.map(({ name }) => name),
    'must not differ between the header and the query: send one of the two',
  );
  return { ...given, ...Object.fromEntries(present.map(({ name, header }) => [name, headers[header!]])) };
}

function bodyOf(request: FastifyRequest): Buffer {
  const body = withoutByteOrderMark((request.body as Buffer | undefined) ?? emptyBody);
  return body.length > 0 ? body : emptyBody;
}

function withPathFields(names: readonly string[], request: FastifyRequest, given: object): Buffer {
  const misplaced = names.filter((name) => Object.hasOwn(given, name));
  rejectFields(misplaced, 'must be in the path only');
  return Buffer.from(JSON.stringify({ ...given, ...(request.params as Record<string, string>) }));
}

/** The query parser accepts the invalid encoding `%zz` as text, so it is checked here. */
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

function rejectFields(names: readonly string[], message: string): void {
  if (names.length === 0) return;
  const errors: FieldError[] = names
    .slice(0, maxNamed)
    .map((name) => ({ field: name.slice(0, maxNameLength), message }));
  throw DomainError.invalid(errors);
}
