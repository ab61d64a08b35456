import type { Tag } from '@tollbridge/contracts';
import {
  feature,
  type Feature,
  type JsonSchema,
  type Operation,
  type OperationSpec,
  type ReplyStyle,
} from '@tollbridge/rpc';

/** A body that no declared class describes. */
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

/** A payment option of a route. */
export interface PaymentOffer {
  intent: 'charge' | 'session';
  method: string;
  /** In the smallest unit of the currency; null when it depends on the request. */
  amount: string | null;
  currency?: string;
  description?: string;
}

/** The entry of a gateway-only route in the OpenAPI document. */
export interface RouteDocumentation {
  tag: Tag;
  /** Request headers as OpenAPI parameters. */
  headers?: readonly JsonSchema[];
  body?: Content;
  /** Replies by status, without failures in the error format of the API. */
  replies: Readonly<Record<number, RouteReply>>;
  /**
   * The payment options of the route's 402, as `x-payment-info` of draft-payment-discovery-00. Only the 402 itself is
   * binding.
   */
  offers?: readonly PaymentOffer[];
  /** The media type of failures; JSON by default. */
  failures?: 'text/html';
}

/** A route that forwards requests to one operation of a service. */
export interface OperationRoute {
  kind: 'operation';
  /** Method, path, authentication, limits, input, output and errors. */
  declaration: Operation;
  /** The feature of the operation. Its title is the tag of the route in the OpenAPI document. */
  feature: Feature;
  /** Set for the additional route at the operation's `soldAt`, where clients without credentials pay by x402. */
  isSalePath?: true;
}

/** A route that the gateway serves without an operation, for example a page, a file or a payment frame. */
export interface OwnRoute {
  kind: 'own';
  /** Method, path, authentication and limits. The input declares only the parameters of path and query. */
  declaration: Operation<any, any>;
  /** Whether admission authenticates and counts the requests. Routes for health, logos and documents skip admission. */
  isAdmitted: boolean;
  /** The style of failures, if it differs from the declaration. */
  failureStyle?: ReplyStyle;
  /** Absent for a route that is not part of the public API. */
  documentation?: RouteDocumentation;
}

export type GatewayRoute = OperationRoute | OwnRoute;
export type DocumentedRoute = OwnRoute & { documentation: RouteDocumentation };

export class NoFields {}

type OwnSpec = Pick<OperationSpec<any, any>, 'method' | 'path' | 'summary'> &
  Partial<OperationSpec<any, any>>;

/** Declares a route with the same builder as operations. The subject identifies the route in logs and rate limits. */
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

/** A GET route without admission: it needs no credentials, and no rate limit counts its requests. */
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
