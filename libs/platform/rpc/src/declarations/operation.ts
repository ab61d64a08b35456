import type { CallContext } from '../calls/call-context';
import type { Class } from './class';
import type { ErrorCode } from '../errors/error-codes';
import { hasSecretFields } from './secret-fields';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Format of a reply: `bare` is the output itself, `envelope` is `{success, data, error, timestamp}`. */
export type ReplyStyle = 'bare' | 'envelope';

/**
 * Permissions of an API key: `read` data, `pay` to move money, `write` to create, change or buy. `settings` and
 * `webhooks` are separate from `write`: with them a stolen key could redirect money or forge messages to the merchant.
 */
export const permissions = ['read', 'pay', 'write', 'settings', 'webhooks'] as const;
export type Permission = (typeof permissions)[number];

/**
 * Requires an API key. A `publishable` key is sufficient for operations that move no money without a further signature.
 */
export interface KeyAuth {
  key: 'publishable' | 'secret';
  permission: Permission;
  /** A client that proves a wallet may call without a key. */
  orWallet?: true;
}

/** Requires a proven wallet: the merchant itself, with all permissions of its keys. */
export interface WalletAuth {
  wallet: true;
}

/** The clients that may call: all, those with a key, or those that prove a wallet. */
export type Auth = 'public' | KeyAuth | WalletAuth;

/** Authenticates the merchant: by the secret of a key with this permission, or by its wallet. */
export const merchantAuth = (permission: Permission): KeyAuth => ({
  key: 'secret',
  permission,
  orWallet: true,
});

export const isWalletAuth = (auth: Auth): auth is WalletAuth => typeof auth === 'object' && 'wallet' in auth;

export interface OperationSpec<I, O> {
  method: HttpMethod;
  /** Path in OpenAPI spelling: `/api/v1/pay/order/{id}`. Names in braces are fields of the input. */
  path: `/${string}`;
  summary: string;
  description?: string;
  /** Name in documents and generated clients; by default the name of the operation. */
  operationId?: string;
  input: Class<I>;
  /** Class of the output. For lists, and for objects without declared fields, see `listOf` and `anyObject`. */
  output: Class<O>;
  /** Field of the input that is the whole body. Without it, the fields of the body are fields of the input. */
  body?: keyof I & string;
  /** Errors of this operation. Those of every operation (400, 404 for the route, 429, 500, 503, 504) are added. */
  errors?: readonly ErrorCode[];
  auth: Auth;
  style?: ReplyStyle;
  /** Field of the output that an envelope repeats beside `data`. */
  hoisted?: keyof O & string;
  /** Time-out of a call in milliseconds, after that its outcome is unknown; 10 s by default. */
  timeoutMs?: number;
  /** Whether the operation is rejected while the rate limiter is unavailable; by default true except for a GET. */
  isCostly?: boolean;
  /** Rate limit for calls without a key from one address, in addition to the limit for all its calls. */
  callsPerMinute?: number;
  /** Whether the operation exists only in the sandbox. */
  isSandboxOnly?: boolean;
  /**
   * Whether it authenticates a client. Its 401 counts against the client's address, and the service gets the
   * client's network.
   */
  isSignIn?: boolean;
  /** A list with `limit` and `cursor`. Without a `limit` the gateway reads and returns all pages. */
  isWholeList?: boolean;
  /** Whether the work ends when the caller hangs up (`context.signal`), for long waits that serve only one caller. */
  endsWithCaller?: boolean;
  /**
   * Whether it changes nothing, so that a call without a reply is retried without an idempotency key; by default a GET.
   */
  isRead?: boolean;
  /**
   * Marks an operation that clients without credentials can buy for an x402 payment, if the deployment sells: `buys`
   * buys something, `reads` reads the bought object. The service receives the principal from `payerPrincipal`.
   */
  sale?: 'buys' | 'reads';
  /**
   * Path for x402 sales, if a specification defines the reply to a call without credentials. The operation's
   * own path keeps that reply, and accepts payments too.
   */
  soldAt?: `/${string}`;
}

/** An operation between services, without a route. */
export type InternalOperationSpec<I, O> = Pick<
  OperationSpec<I, O>,
  'summary' | 'input' | 'output' | 'errors' | 'timeoutMs' | 'endsWithCaller' | 'isRead'
>;

/** An operation with its app, feature, name and subject: everything that the bus needs. */
export interface BusOperation<I = unknown, O = unknown> extends Required<InternalOperationSpec<I, O>> {
  /** Whether the output contains a secret. Such replies are encrypted when they are stored for replays. */
  hasSecretReply: boolean;
  /** Whether the input or the output contains a secret. Such calls and replies are sealed on the bus. */
  isSealed: boolean;
  app: string;
  feature: string;
  name: string;
  /** NATS subject for requests of this operation. */
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
  /** Whether it has a body. The body contains all fields that are neither in the path nor in the query. */
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

/**
 * Operations without routes. The type differs from `Feature`, so that the list of public features cannot contain it.
 */
export interface InternalFeature<S extends InternalSpecs = InternalSpecs> {
  app: string;
  name: string;
  operations: { [K in keyof S]: BuiltInside<S[K]> };
}

export type AnyFeature = Feature | InternalFeature;

export type InputOf<Op> =
  Op extends BusOperation<infer I, never> ? I : Op extends BusOperation<infer I, infer _O> ? I : never;
export type OutputOf<Op> = Op extends BusOperation<infer _I, infer O> ? O : never;

/** Type of a class that answers a feature: one method per operation, with the operation's types. */
export type HandlersOf<F extends AnyFeature> = {
  [K in keyof F['operations']]: (
    input: InputOf<F['operations'][K]>,
    context: CallContext,
  ) => Promise<OutputOf<F['operations'][K]>> | OutputOf<F['operations'][K]>;
};

// Long enough for every operation without its own time-out.
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
 * Declares the operations of one feature of an app. Everything else is derived from this declaration. Two
 * declarations may share a name and a title, so that two classes can handle the operations.
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

/** Declares operations that one app offers only to other apps. */
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
