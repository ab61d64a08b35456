import type { JsonSchema, Operation } from '@tollbridge/rpc';
import type { Tag } from '@tollbridge/contracts';

/** A body of another type than JSON. */
export interface Content {
  type: string;
  schema: JsonSchema;
  example?: unknown;
}

export interface RouteReply {
  description: string;
  content?: Content;
  headers?: Readonly<Record<string, JsonSchema>>;
}

/** A route that is no operation of the bus, described beside its handler. */
export interface DocumentedRoute {
  tag: Tag;
  /** How it is called and admitted. Its input holds the parameters of path and query only. */
  operation: Operation<any, any>;
  /** Request headers, as OpenAPI parameters. */
  headers?: readonly JsonSchema[];
  body?: Content;
  /** By status, what is not a failure in the style of the API. */
  replies: Readonly<Record<number, RouteReply>>;
  /** Media type of failures: JSON unless given. */
  failures?: 'text/html';
}

export const binary: JsonSchema = { type: 'string', format: 'binary' };
export const htmlPage = (description: string): RouteReply => ({
  description,
  content: { type: 'text/html', schema: { type: 'string' }, example: '<!doctype html>…' },
});

/** A route with the same name and operationId. */
export const describedAs = (
  operation: Operation<any, any>,
  operationId: string,
  rest: Partial<Operation<any, any>> = {},
): Operation<any, any> => ({ ...operation, name: operationId, operationId, ...rest });
