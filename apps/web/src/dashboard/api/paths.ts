import type { Routes } from './generated/routes';

/** The routes in the type format of `openapi-fetch`, with the types of the SDK. */
export type Paths = {
  [Path in keyof Routes]: {
    [Method in keyof Routes[Path]]: Routes[Path][Method] extends readonly [infer Input, infer Result]
      ? Operation<Path, Method, Input, Result>
      : never;
  };
};

type Operation<Path, Method, Input, Result> = Parts<Method, Without<Input, NamesIn<Path>>> & {
  parameters: InPath<Pick<Input, NamesIn<Path> & keyof Input>> & {
    header?: { 'x-wallet'?: string; 'Idempotency-Key'?: string };
  };
  responses: { 200: { content: { 'application/json': Result } } };
};

/** For example `id` for `/api/paylinks/{id}/payments`. */
type NamesIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** `Omit` for each alternative of a union. */
type Without<Input, Names extends PropertyKey> = Input extends unknown ? Omit<Input, Names> : never;

type InPath<Fields> = keyof Fields extends never ? { path?: never } : { path: Fields };

/** Fields that are not in the path are in the query or in the body. */
type Parts<Method, Fields> = Method extends 'get' | 'delete'
  ? { parameters: object extends Fields ? { query?: Fields } : { query: Fields }; requestBody?: never }
  : { requestBody: { content: { 'application/json': Fields } } };
