import type { Reply } from './client';

const isString = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

const kinds = {
  string: isString,
  number: isNumber,
  integer: (value: unknown) => Number.isInteger(value),
  boolean: (value: unknown) => typeof value === 'boolean',
  object: (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: (value: unknown) => Array.isArray(value),
  null: (value: unknown) => value === null,
  strings: (value: unknown) => Array.isArray(value) && value.every(isString),
  amount: (value: unknown) => isString(value) && /^\d+$/.test(value),
  decimal: (value: unknown) => isString(value) && /^-?\d+(\.\d+)?$/.test(value),
  uuid: (value: unknown) => isString(value) && uuid.test(value),
  iso: (value: unknown) => isString(value) && isoTime.test(value),
  unix: (value: unknown) => Number.isInteger(value) && (value as number) > 1.5e9 && (value as number) < 1e10,
  hex: (value: unknown) => isString(value) && /^0x([0-9a-fA-F]{2})*$/.test(value),
  hash: (value: unknown) => isString(value) && /^0x[0-9a-f]{64}$/.test(value),
  address: (value: unknown) => isString(value) && /^0x[0-9a-fA-F]{40}$/.test(value),
  method: (value: unknown) => value === 'Direct' || value === 'CrossChain',
  caip2: (value: unknown) => isString(value) && /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/.test(value),
} satisfies Record<string, (value: unknown) => boolean>;

type Kind = keyof typeof kinds;
/** The type of a field. `?`: may be null or absent. `|null`: present, and may be null. */
export type FieldKind = Kind | `${Kind}?` | `${Kind}|null`;
export type Shape = { [field: string]: FieldKind | Shape };

function findFieldErrors(value: unknown, kind: FieldKind | Shape, path: string): string[] {
  if (typeof kind === 'object') return shapeProblems(value, kind, path);
  if (kind.endsWith('?') && (value === null || value === undefined)) return [];
  if (kind.endsWith('|null') && value === null) return [];
  const name = kind.replace(/\?$|\|null$/, '') as Kind;
  return kinds[name](value) ? [] : [`${path}: expected ${kind}, got ${JSON.stringify(value)}`];
}

function shapeProblems(value: unknown, shape: Shape, path: string): string[] {
  if (!kinds.object(value)) return [`${path}: expected an object, got ${JSON.stringify(value)}`];
  const fields = value as Record<string, unknown>;
  return Object.entries(shape).flatMap(([name, kind]) =>
    findFieldErrors(fields[name], kind, `${path}.${name}`),
  );
}

/** Every specified field must have its name and type; more fields are allowed. */
export function expectShape(value: unknown, shape: Shape, path = 'body'): void {
  expect(shapeProblems(value, shape, path)).toEqual([]);
}

export function expectEach(list: unknown, shape: Shape, path = 'body'): void {
  expect(Array.isArray(list) ? [] : [`${path}: expected an array, got ${JSON.stringify(list)}`]).toEqual([]);
  const items = list as unknown[];
  expect(items.flatMap((item, at) => shapeProblems(item, shape, `${path}[${at}]`))).toEqual([]);
}

/** The error body of every route outside the transaction API. */
export function expectError(reply: Reply, status: number, code?: string): void {
  expect({ status: reply.status, body: reply.body }).toMatchObject({ status });
  expectShape(reply.body, { error: 'string', code: 'string' });
  if (code) expect(reply.body.code).toBe(code);
  expectRequestId(reply);
}

/** A validation error lists every bad field. */
export function expectBadFields(reply: Reply, fields: string[]): void {
  expectError(reply, 400, 'VALIDATION_ERROR');
  expectFieldList(reply.body.details);
  const named = reply.body.details.map(({ field }: { field: string }) => field);
  expect(named).toEqual(expect.arrayContaining(fields));
}

function expectFieldList(details: unknown): void {
  expectEach(details, { field: 'string', message: 'string' }, 'details');
}

/** The failure envelope of the transaction API. */
export function expectFailure(reply: Reply, status: number, code: string): void {
  expect({ status: reply.status, body: reply.body }).toMatchObject({
    status,
    body: { success: false, data: null, error: { code } },
  });
  expectShape(reply.body, { error: { code: 'string', message: 'string' }, timestamp: 'iso' });
  // The details list invalid fields; every other failure has an object.
  const listsFields = ['VALIDATION_ERROR', 'INVALID_SIGNATURE'].includes(code);
  if (listsFields) expectFieldList(reply.body.error.details);
  else expectShape(reply.body.error, { details: 'object' }, 'error');
  expectRequestId(reply);
}

/** The success envelope of the transaction API. Returns its data. */
export function expectSuccess(reply: Reply): any {
  expect({ status: reply.status, body: reply.body }).toMatchObject({ status: 200, body: { success: true } });
  expectShape(reply.body, { data: 'object', timestamp: 'iso' });
  expect(reply.body).not.toHaveProperty('error');
  return reply.body.data;
}

export function expectRequestId(reply: Reply): void {
  expect(reply.headers.get('x-request-id')).toMatch(/^\S+$/);
}
