import type { CallContext } from '../calls/call-context';
import type { Class } from './class';
import type { ErrorCode } from '../errors/error-codes';
import { hasSecretFields } from './secret-fields';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** How a reply is rendered: `bare` is the output itself, `envelope` is `{success, data, error, timestamp}`. */
export type ReplyStyle = 'bare' | 'envelope';

/**
 * What a key may be allowed: `read` what is there, `pay` to move money, `write` to create, change or buy. `settings`
 * and `webhooks` are apart from `write`: with them a stolen key could redirect money or forge messages to the merchant.
 */
export const permissions = ['read', 'pay', 'write', 'settings', 'webhooks'] as const;
export type Permission = (typeof permissions)[number];

/** Requires an API key. A `publishable` key is enough where no money moves without a further signature. */
export interface KeyAuth {
  key: 'publishable' | 'secret';
  permission: Permission;
  /** A client that proves a wallet may call without a key. */
  orWallet?: true;
}

/** Requires a proven wallet: the merchant itself, with everything that its keys may do. */
export interface WalletAuth {
  wallet: true;
}

/** Which clients may call: any, those with a key, or those that prove a wallet. */
export type Auth = 'public' | KeyAuth | WalletAuth;

/** The merchant itself: by the secret of a key with this permission, or by its wallet. */
export const merchantAuth = (permission: Permission): KeyAuth => ({
  key: 'secret',
  permission,
  orWallet: true,
});

export const isWalletAuth = (auth: Auth): auth is WalletAuth => typeof auth === 'object' && 'wallet' in auth;

export interface OperationSpec<I, O> {
  method: HttpMethod;
  /** OpenAPI spelling: `/api/v1/pay/order/{id}`. Names in braces are fields of the input. */
  path: `/${string}`;
  summary: string;
  description?: string;
  /** Its name in documents and generated clients; by default the name of the operation. */
  operationId?: string;
  input: Class<I>;
  /** For lists, and for objects without declared fields, see `listOf` and `anyObject`. */
  output: Class<O>;
  /** The field of the input that is the whole body; without it the fields of the body are fields of the input. */
  body?: keyof I & string;
  /** The errors of this operation; those of every operation (400, 404 route, 429, 500, 503, 504) are added. */
  errors?: readonly ErrorCode[];
  auth: Auth;
  style?: ReplyStyle;
  /** A field of the output that an envelope shows beside `data` too. */
  hoisted?: keyof O & string;
  /** How long a caller waits before the outcome is called unknown. */
  timeoutMs?: number;
  /** Rejected while the rate limiter is unavailable; by default every operation but a GET. */
  isCostly?: boolean;
  /** The rate limit for calls without a key from one address, beside the limit of all calls from it. */
  callsPerMinute?: number;
  /** Present in the sandbox environment only. */
  isSandboxOnly?: boolean;
  /** Its 401 is a failed authentication of the caller's address, and the service receives the caller's network. */
  isSignIn?: boolean;
  /** A list with `limit` and `cursor`; without a `limit` the gateway reads and returns all pages. */
  isWholeList?: boolean;
  /** Its work ends when the caller hangs up (`context.signal`): long waits that serve one caller only. */
  endsWithCaller?: boolean;
  /** It changes nothing, so a call without a reply is repeated without an idempotency key; by default a GET. */
  isRead?: boolean;
  /**
   * Without credentials it is sold for an x402 payment, where the deployment sells: `buys` buys something, `reads`
   * reads what the payer bought. The service gets the principal of `payerPrincipal`.
   */
  sale?: 'buys' | 'reads';
  /**
   * Where this operation is sold, if a specification states its answer to a call without credentials. Its own path
   * keeps that answer, and takes payments.
   */
  soldAt?: `/${string}`;
}

/** An operation between services: it has no route. */
export type InternalOperationSpec<I, O> = Pick<
  OperationSpec<I, O>,
  'summary' | 'input' | 'output' | 'errors' | 'timeoutMs' | 'endsWithCaller' | 'isRead'
>;

/** An operation with its app, feature, name and subject: all that the bus needs. */
export interface BusOperation<I = unknown, O = unknown> extends Required<InternalOperationSpec<I, O>> {
  /** A field of the output is a secret: where the reply is stored for replays, it is sealed. */
  hasSecretReply: boolean;
  /** A field of the input or of the output is a secret: calls and replies travel sealed. */
  isSealed: boolean;
  app: string;
  feature: string;
  name: string;
  /** The NATS subject that carries requests of this operation. */
  subject: string;
}

/** An operation with a route. */
export interface Operation<I = unknown, O = unknown>
  extends
    BusOperation<I, O>,
    Required<
      Pick<
        OperationSpec<I, O>,
        'method' | 'path' | 'auth' | 'style' | 'isCostly' | 'isSandboxOnly' | 'isSignIn' | 'isWholeList'
      >
    > {
  description: string;
  operationId: string;
  body: string | undefined;
  callsPerMinute: number | undefined;
  sale: 'buys' | 'reads' | undefined;
  soldAt: `/${string}` | undefined;
  hoisted: string | undefined;
  pathFields: readonly string[];
  /** Fields that are neither in the path nor in the query travel in the body. */
  hasBody: boolean;
}

type Specs = Record<string, OperationSpec<any, any>>;
type BuiltFrom<S> = S extends OperationSpec<infer I, infer O> ? Operation<I, O> : never;
type InternalSpecs = Record<string, InternalOperationSpec<any, any>>;
type BuiltInside<S> = S extends InternalOperationSpec<infer I, infer O> ? BusOperation<I, O> : never;

export interface Feature<S extends Specs = Specs> {
  app: string;
  name: string;
  title: string;
  operations: { [K in keyof S]: BuiltFrom<S[K]> };
}

/** Operations without routes. It is not a `Feature`, so the list of public features cannot contain it. */
export interface InternalFeature<S extends InternalSpecs = InternalSpecs> {
  app: string;
  name: string;
  operations: { [K in keyof S]: BuiltInside<S[K]> };
}

export type AnyFeature = Feature | InternalFeature;

export type InputOf<Op> =
  Op extends BusOperation<infer I, never> ? I : Op extends BusOperation<infer I, infer _O> ? I : never;
export type OutputOf<Op> = Op extends BusOperation<infer _I, infer O> ? O : never;

/** What a class must offer to answer a feature: one method per operation, of the operation's types. */
export type HandlersOf<F extends AnyFeature> = {
  [K in keyof F['operations']]: (
    input: InputOf<F['operations'][K]>,
    context: CallContext,
  ) => Promise<OutputOf<F['operations'][K]>> | OutputOf<F['operations'][K]>;
};

// Long enough for every operation without a longer time-out of its own.
const defaultTimeoutMs = 10_000;

/** An operation with a route, such as `operation('GET /api/v1/pay/order/{id}', { ... })`. */
export function operation<I, O>(
  route: `${HttpMethod} /${string}`,
  spec: Omit<OperationSpec<I, O>, 'method' | 'path'>,
): OperationSpec<I, O> {
  const [method, path] = route.split(' ') as [HttpMethod, `/${string}`];
  return { ...spec, method, path };
}

export function internalOperation<I, O>(spec: InternalOperationSpec<I, O>): InternalOperationSpec<I, O> {
  return spec;
}

/**
 * Declares the operations that one app answers under one name; everything else is derived from this declaration. Two
 * declarations may share a name and a title, so that two classes handle the operations.
 */
export function feature<const S extends Specs>(
  app: string,
  name: string,
  title: string,
  specs: S,
): Feature<S> {
  const operations = built(specs, (key, spec) => build(app, name, key, spec));
  return { app, name, title, operations: operations as Feature<S>['operations'] };
}

/** Declares what one app answers to the other apps only. */
export function internalFeature<const S extends InternalSpecs>(
  app: string,
  name: string,
  specs: S,
): InternalFeature<S> {
  const operations = built(specs, (key, spec) => buildInside(app, name, key, spec));
  return { app, name, operations: operations as InternalFeature<S>['operations'] };
}

function built<S extends object, B>(
  specs: Record<string, S>,
  one: (key: string, spec: S) => B,
): Record<string, B> {
  return Object.fromEntries(Object.entries(specs).map(([key, spec]) => [key, one(key, spec)]));
}

function build(app: string, feature: string, name: string, spec: OperationSpec<unknown, unknown>): Operation {
  return {
    description: '',
    operationId: name,
    style: 'bare',
    body: undefined,
    callsPerMinute: undefined,
    sale: undefined,
    soldAt: undefined,
    hoisted: undefined,
    isCostly: spec.method !== 'GET',
    isSandboxOnly: false,
    isSignIn: false,
    isWholeList: false,
    ...spec,
    ...buildInside(app, feature, name, spec),
    pathFields: [...spec.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!),
    hasBody: spec.method === 'POST' || spec.method === 'PUT',
  };
}

function buildInside(
  app: string,
  feature: string,
  name: string,
  spec: InternalOperationSpec<unknown, unknown>,
): BusOperation {
  const hasSecretReply = hasSecretFields(spec.output);
  return {
    timeoutMs: defaultTimeoutMs,
    endsWithCaller: false,
    isRead: 'method' in spec && spec.method === 'GET',
    errors: [],
    ...spec,
    hasSecretReply,
    isSealed: hasSecretReply || hasSecretFields(spec.input),
    app,
    feature,
    name,
    subject: `op.${app}.${feature}.${kebab(name)}`,
  };
}

function kebab(camelCase: string): string {
  return camelCase.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
