import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { answerOnce, StoredOutput } from '../bus/answer-once';
import type { CallContext } from '../calls/call-context';
import { decode } from './decode';
import { DomainError, type FieldError } from '../errors/domain-error';
import type { ReplyStore } from '../calls/idempotency';
import type { AnyFeature, BusOperation, HandlersOf, InputOf, Operation, OutputOf } from './operation';
import { checkPrincipal } from '../calls/stated-principal';

/** What the transport hands to a handler beside the payload; Nest enhancers read it as the RPC context. */
export interface RpcContext extends CallContext {
  /** Stores the replies to calls with an idempotency key. Handlers do not see it. */
  readonly replies: ReplyStore;
}

type Method = (input: unknown, context: CallContext) => unknown;

/**
 * Makes the methods of a class the handlers of a feature's operations: method `createOrder` answers operation
 * `createOrder`. A class that misses an operation, or answers one with the wrong type, does not compile.
 *
 * Each method becomes an ordinary Nest message handler, so guards, interceptors, pipes and filters work on it, on its
 * class and globally. They run on the payload as the caller sent it. Behind them the method itself checks the caller's
 * principal, and decodes and validates its input. It serves a call with an idempotency key once.
 */
export function Handles<F extends AnyFeature>(feature: F) {
  return <H extends HandlersOf<F>>(target: new (...dependencies: any[]) => H): void => {
    const links = linksOf(target.prototype);
    for (const operation of links.keys())
      if (feature.operations[operation.name] !== operation)
        throw new Error(`${target.name} links a method to ${operation.subject}, which is not of its feature`);
    for (const [name, operation] of Object.entries(feature.operations) as [string, BusOperation][]) {
      const method: unknown = target.prototype[name];
      // A property that holds a function has the right type, but does not exist when the class is decorated.
      if (typeof method !== 'function') throw new Error(`${target.name}.${name} must be a method`);
      // Inherited from a class with handlers, it is one already: its own method is wrapped, not the handler.
      const own = methods.get(method) ?? (method as Method);
      makeHandler(target.prototype, operation, own, links.get(operation) ?? {});
    }
  };
}

/**
 * Links a method to an operation as its validator. It checks several fields together, or needs more than the
 * declaration knows. It receives the valid fields and the errors found so far, so that a reply names every bad field at
 * once. It returns an error for each further bad field.
 */
export function Validates<Op extends BusOperation<any, any>>(operation: Op) {
  type Validator = (input: Partial<InputOf<Op>>, found: readonly FieldError[]) => FieldError[];
  return <P extends object, K extends keyof P & string>(
    prototype: P & Record<K, Validator>,
    name: K,
    _descriptor: PropertyDescriptor,
  ): void => link(prototype, operation, 'validator', name);
}

/**
 * Links a method to an operation as the reader of its live fields. These fields of the reply must not be stored,
 * such as the number of a card. It is called for the first reply and for every replay. `stored` is the reply without
 * them.
 */
export function LiveFields<Op extends BusOperation<any, any>>(operation: Op) {
  type Reader = (stored: OutputOf<Op>, context: CallContext) => Promise<Partial<OutputOf<Op>>>;
  return <P extends object, K extends keyof P & string>(
    prototype: P & Record<K, Reader>,
    name: K,
    _descriptor: PropertyDescriptor,
  ): void => link(prototype, operation, 'liveFields', name);
}

/** The names of the methods that are linked to an operation. */
interface Links {
  validator?: string;
  liveFields?: string;
}

const linksByPrototype = new WeakMap<object, Map<BusOperation, Links>>();

function link(prototype: object, operation: BusOperation, kind: keyof Links, name: string): void {
  const links = linksByPrototype.get(prototype) ?? new Map<BusOperation, Links>();
  linksByPrototype.set(prototype, links);
  const known = links.get(operation) ?? {};
  if (known[kind] !== undefined) throw new Error(`${operation.subject} has two methods as its ${kind}`);
  links.set(operation, { ...known, [kind]: name });
}

/** The links of a class, with those of the classes that it extends. */
function linksOf(prototype: object | null): Map<BusOperation, Links> {
  if (prototype === null) return new Map();
  return new Map([
    ...linksOf(Object.getPrototypeOf(prototype) as object | null),
    ...(linksByPrototype.get(prototype) ?? []),
  ]);
}

/** The method of a class behind each handler. */
const methods = new WeakMap<object, Method>();

type Instance = Readonly<Record<string, (...parameters: unknown[]) => unknown>>;

function makeHandler(prototype: object, operation: BusOperation, method: Method, links: Links): void {
  const { name } = operation;
  const handler = handlerOf(operation, method, links);
  methods.set(handler, method);
  Object.defineProperty(handler, 'name', { value: name });
  // Metadata of other decorators on the method, such as its guards, applies to the handler in its place.
  for (const key of Reflect.getMetadataKeys(method))
    Reflect.defineMetadata(key, Reflect.getMetadata(key, method), handler);
  const descriptor = { value: handler, writable: true, configurable: true, enumerable: false };
  Object.defineProperty(prototype, name, descriptor);
  MessagePattern(operation.subject, { isSealed: operation.isSealed })(prototype, name, descriptor);
  Payload()(prototype, name, 0);
  Ctx()(prototype, name, 1);
}

function handlerOf(operation: BusOperation, method: Method, links: Links) {
  const fromText = fieldsFromText(operation);
  const isStored = storesReplies(operation);
  const isPublic = 'auth' in operation;
  return async function (this: unknown, payload: unknown, rpcContext: CallContext): Promise<unknown> {
    // Called by another method of the class, or by a unit test, there is no store: nothing is replayed then.
    const { replies, isPeerCall, ...context } = rpcContext as CallContext & Partial<RpcContext>;
    if (isPublic) checkPrincipal(operation as Operation, context);
    const instance = this as Instance;
    // Only a client gets an error for an undeclared field: a newer peer may send fields that this release does not
    // know.
    const ignoresUnknown = isPeerCall === true || !isPublic;
    const decoded = decode(operation.input, payload, { fromText, ignoresUnknown });
    const found = decoded.ok ? [] : decoded.errors;
    const given = decoded.ok ? decoded.value : decoded.partial;
    const further = links.validator ? (instance[links.validator]!(given, found) as FieldError[]) : [];
    const errors = [...found, ...withoutNamed(further, found)];
    if (!decoded.ok || errors.length > 0) throw DomainError.invalid(errors);
    const run = (runContext: CallContext): unknown => method.call(this, decoded.value, runContext);
    const isOnce = replies !== undefined && context.idempotencyKey !== undefined && isStored;
    const output = isOnce
      ? await answerOnce(replies, operation, { input: decoded.value, context }, run)
      : await run(context);
    if (!links.liveFields) return output;
    return withLiveFields(
      output,
      (stored) => instance[links.liveFields!]!(stored, context) as Promise<object>,
    );
  };
}

/** The output with the fields that are read for each reply. They are added behind the store of replies. */
async function withLiveFields(output: unknown, read: (stored: unknown) => Promise<object>): Promise<unknown> {
  if (!(output instanceof StoredOutput)) return { ...(output as object), ...(await read(output)) };
  const { reply, isReplayed } = output;
  const stored = JSON.parse(Buffer.from(reply.bytes).toString()) as object;
  const bytes = Buffer.from(JSON.stringify({ ...stored, ...(await read(stored)) }));
  return new StoredOutput({ ...reply, bytes }, isReplayed);
}

/** An operation that only reads is executed each time: its reply may be a secret, and may change. */
function storesReplies(operation: BusOperation | Operation): boolean {
  return !('method' in operation && operation.method === 'GET');
}

/** A JSON body has typed values; a value in the path or in the query is always text. */
function fieldsFromText(operation: BusOperation | Operation): boolean | readonly string[] {
  if (!('path' in operation)) return false;
  return operation.hasBody ? operation.pathFields : true;
}

/** A field that is invalid, or has an invalid part, looks missing to a validator: its errors there are dropped. */
function withoutNamed(errors: FieldError[], named: readonly FieldError[]): FieldError[] {
  const isNamed = ({ field }: FieldError) =>
    named.some(
      (it) => it.field === field || it.field.startsWith(`${field}.`) || it.field.startsWith(`${field}[`),
    );
  return errors.filter((error) => !isNamed(error));
}
