import type { Tag } from '@tollbridge/contracts';
import {
  feature,
  type Feature,
  type JsonSchema,
  type Operation,
  type OperationSpec,
  type ReplyStyle,
} from '@tollbridge/rpc';

/** A body that is not JSON of a declared class. */
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

/** One way to pay for a route. */
export interface PaymentOffer {
  intent: 'charge' | 'session';
  method: string;
  /** In the smallest unit of the currency; null where it depends on the request. */
  amount: string | null;
  currency?: string;
  description?: string;
}

/** The entry of a gateway-only route in the OpenAPI document. */
export interface RouteDocumentation {
  tag: Tag;
  /** Request headers, as OpenAPI parameters. */
  headers?: readonly JsonSchema[];
  body?: Content;
  /** Replies by status, without failures in the error format of the API. */
  replies: Readonly<Record<number, RouteReply>>;
  /** How its 402 can be paid: `x-payment-info` of draft-payment-discovery-00. The 402 itself is binding. */
  offers?: readonly PaymentOffer[];
  /** Media type of failures: JSON unless given. */
  failures?: 'text/html';
}

/** A route that forwards requests to one operation of a service. */
export interface OperationRoute {
  kind: 'operation';
  /** Method, path, authentication, limits, input, output and errors. */
  declaration: Operation;
  /** The feature of the operation; its title is the tag of the route in the document. */
  feature: Feature;
  /** A second path of the operation, which sells it. */
  isSalePath?: true;
}

/** A route that the gateway answers by its own code: a page, a file, a payment frame. */
export interface OwnRoute {
  kind: 'own';
  /** Method, path, authentication and limits. Its input declares the parameters of path and query only. */
  declaration: Operation<any, any>;
  /** Whether admission authenticates and counts its requests. Health, logos and documents are open. */
  isAdmitted: boolean;
  /** The style of failures, where it differs from the declaration. */
  failureStyle?: ReplyStyle;
  /** Absent for a route that is not part of the public API. */
  documentation?: RouteDocumentation;
}

export type GatewayRoute = OperationRoute | OwnRoute;
export type DocumentedRoute = OwnRoute & { documentation: RouteDocumentation };

export class NoFields {}

type OwnSpec = Pick<OperationSpec<any, any>, 'method' | 'path' | 'summary'> &
  Partial<OperationSpec<any, any>>;

/** Declares a route by the same builder as operations; its subject names it in logs and rate limits. */
export function declareRoute(featureName: string, name: string, spec: OwnSpec): Operation<any, any> {
  const complete = { auth: 'public', input: NoFields, output: NoFields, ...spec } as const;
  const { operations } = feature('gateway', featureName, featureName, { [name]: complete });
  return operations[name] as Operation<any, any>;
}

/** Declares a route with the authentication and the limits of an operation. */
export const declareLike = (
  like: Operation<any, any>,
  operationId: string,
  changes: Partial<Operation<any, any>> = {},
): Operation<any, any> => ({ ...like, name: operationId, operationId, ...changes });

/** A route that anonymous clients may read without being counted. */
export function openRoute(featureName: string, name: string, path: `/${string}`, summary: string): OwnRoute {
  return {
    kind: 'own',
    isAdmitted: false,
    declaration: declareRoute(featureName, name, { method: 'GET', path, summary }),
  };
}

export const binary: JsonSchema = { type: 'string', format: 'binary' };
export const htmlPage = (description: string): RouteReply => ({
  description,
  content: { type: 'text/html', schema: { type: 'string' }, example: '<!doctype html>…' },
});
