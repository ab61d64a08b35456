import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { answerOnce, StoredOutput } from '../bus/answer-once';
import type { CallContext } from '../calls/call-context';
import { decode } from './decode';
import { DomainError, type FieldError } from '../errors/domain-error';
import type { ReplyStore } from '../calls/idempotency';
import type { AnyFeature, BusOperation, HandlersOf, InputOf, Operation, OutputOf } from './operation';
import { checkPrincipal } from '../calls/stated-principal';

/** Second argument of a handler. Nest enhancers receive it as the RPC context. */
export interface RpcContext extends CallContext {
  /** Store of replies to calls with an idempotency key. Handlers do not receive it. */
  readonly replies: ReplyStore;
}

type Method = (input: unknown, context: CallContext) => unknown;

/**
 * Makes the methods of a class the handlers of a feature's operations: method `createOrder` answers operation
 * `createOrder`. A class without a method for an operation, or with a wrong result type, does not compile.
 *
 * Each method becomes an ordinary Nest message handler, so guards, interceptors, pipes and filters apply to the method,
 * the class and globally. They run on the payload as the caller sent it. Then the handler verifies the caller's
 * principal, and decodes and validates the input. It serves a call with an idempotency key once.
 */
export function Handles<F extends AnyFeature>(feature: F) {
  return <H extends HandlersOf<F>>(target: new (...dependencies: any[]) => H): void => {
    const links = linksOf(target.prototype);
    for (const operation of links.keys())
      if (feature.operations[operation.name] !== operation)
        throw new Error(`${target.name} links a method to ${operation.subject}, which is not of its feature`);
    for (const [name, operation] of Object.entries(feature.operations) as [string, BusOperation][]) {
      const method: unknown = target.prototype[name];
      // A property with a function has the right type, but does not exist when the class is decorated.
      if (typeof method !== 'function') throw new Error(`${target.name}.${name} must be a method`);
      // A method inherited from a class with handlers is already a handler. Its original method is wrapped,
      // not the handler.
      const own = methods.get(method) ?? (method as Method);
      makeHandler(target.prototype, operation, own, links.get(operation) ?? {});
    }
  };
}

/**
 * Links a method to an operation as its validator, for checks of several fields or checks that a declaration
 * cannot express. It receives the valid fields and the errors so far, so that a reply lists every invalid
 * field at once. It returns an error for each further invalid field.
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
 * Links a method to an operation as the reader of its live fields. These fields of the reply must not be
 * stored, such as a card number. The method is called for the first reply and for every replay. `stored` is
 * the reply without these fields.
 */
export function LiveFields<Op extends BusOperation<any, any>>(operation: Op) {
  type Reader = (stored: OutputOf<Op>, context: CallContext) => Promise<Partial<OutputOf<Op>>>;
  return <P extends object, K extends keyof P & string>(
    prototype: P & Record<K, Reader>,
    name: K,
    _descriptor: PropertyDescriptor,
  ): void => link(prototype, operation, 'liveFields', name);
}

/** Names of the methods that are linked to an operation. */
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

/** Returns the links of a class, including those of its base classes. */
function linksOf(prototype: object | null): Map<BusOperation, Links> {
  if (prototype === null) return new Map();
  return new Map([
    ...linksOf(Object.getPrototypeOf(prototype) as object | null),
    ...(linksByPrototype.get(prototype) ?? []),
  ]);
}

/** The original method of each handler. */
const methods = new WeakMap<object, Method>();

type Instance = Readonly<Record<string, (...parameters: unknown[]) => unknown>>;

function makeHandler(prototype: object, operation: BusOperation, method: Method, links: Links): void {
  const { name } = operation;
  const handler = handlerOf(operation, method, links);
  methods.set(handler, method);
  Object.defineProperty(handler, 'name', { value: name });
  // Metadata of other decorators, such as guards, must apply to the handler.
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
    // A direct call by another method or a unit test has no store of replies, so replies are not stored or replayed.
    const { replies, isPeerCall, ...context } = rpcContext as CallContext & Partial<RpcContext>;
    if (isPublic) checkPrincipal(operation as Operation, context);
    const instance = this as Instance;
    // Only a client gets an error for an undeclared field. A newer peer may send fields that this release
    // does not declare.
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

/** Adds the live fields to an output. The stored reply does not contain them. */
async function withLiveFields(output: unknown, read: (stored: unknown) => Promise<object>): Promise<unknown> {
  if (!(output instanceof StoredOutput)) return { ...(output as object), ...(await read(output)) };
  const { reply, isReplayed } = output;
  const stored = JSON.parse(Buffer.from(reply.bytes).toString()) as object;
  const bytes = Buffer.from(JSON.stringify({ ...stored, ...(await read(stored)) }));
  return new StoredOutput({ ...reply, bytes }, isReplayed);
}

/** A GET is executed each time, because its reply may contain a secret and may change. */
function storesReplies(operation: BusOperation | Operation): boolean {
  return !('method' in operation && operation.method === 'GET');
}

/** Returns the fields to convert from text: path and query values are always text, a JSON body has typed values. */
function fieldsFromText(operation: BusOperation | Operation): boolean | readonly string[] {
  if (!('path' in operation)) return false;
  return operation.hasBody ? operation.pathFields : true;
}

/** Drops a validator's errors about fields that are already invalid, because they look absent to the validator. */
function withoutNamed(errors: FieldError[], named: readonly FieldError[]): FieldError[] {
  const isNamed = ({ field }: FieldError) =>
    named.some(
      (it) => it.field === field || it.field.startsWith(`${field}.`) || it.field.startsWith(`${field}[`),
    );
  return errors.filter((error) => !isNamed(error));
}
