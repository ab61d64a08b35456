import { MessagePattern } from '@nestjs/microservices';
import { answerOnce } from './answer-once';
import type { CallContext } from './call-context';
import { decode } from './decode';
import { DomainError, type FieldError } from './domain-error';
import type { ReplyStore, StoredReply } from './idempotency';
import type { AnyFeature, BusOperation, ChecksOf, HandlersOf, LiveFieldsOf, Operation } from './operation';
import { checkPrincipal } from './stated-principal';

/** What the transport gets back from a bound handler: never an exception. */
export type Outcome = ({ ok: true; output: unknown } | { ok: false; error: DomainError }) & {
  /** What is sent for a call with an idempotency key: the reply as it is stored, the first time and later. */
  stored?: { reply: StoredReply; isReplayed: boolean };
};

/** A request as it comes off the bus. Nest hands one argument on, so all is in one. */
export interface Request {
  json: Uint8Array;
  context: CallContext;
  replies: ReplyStore;
}

/** A handler as the transport calls it: bytes in, an outcome out. */
export type BoundHandler = (request: Request) => Promise<Outcome>;

/**
 * Binds a class to a feature. A class that misses one of the operations, or answers one with the wrong type, does not
 * compile. Each method is wrapped: its input is decoded and checked here, since NATS is an entrance like HTTP.
 */
export function Handles<F extends AnyFeature>(feature: F) {
  return <H extends HandlersOf<F> & ChecksOf<F> & LiveFieldsOf<F>>(
    target: new (...dependencies: any[]) => H & StrayChecks<H, F>,
  ): void => {
    for (const [name, operation] of Object.entries(feature.operations) as [string, BusOperation][]) {
      const method = target.prototype[name] as
        ((input: unknown, context: CallContext) => unknown) | undefined;
      // A property that holds a function has the right type, but is not there yet when the class is decorated.
      if (typeof method !== 'function') throw new Error(`${target.name}.${name} must be a method`);
      const bound = bind(operation, method);
      Object.defineProperty(target.prototype, `bound:${name}`, {
        value: bound,
        writable: true,
        configurable: true,
      });
      const descriptor = Object.getOwnPropertyDescriptor(target.prototype, `bound:${name}`)!;
      MessagePattern(operation.subject)(target.prototype, `bound:${name}`, descriptor);
    }
  };
}

type Checks = Readonly<
  Record<string, ((input: object, found: readonly FieldError[]) => FieldError[]) | undefined>
>;

type LiveFields = Readonly<
  Record<string, ((stored: unknown, context: CallContext) => Promise<object>) | undefined>
>;

const methodName = (prefix: string, name: string): string =>
  `${prefix}${name[0]!.toUpperCase()}${name.slice(1)}`;

/** A check under the name of no operation would never be run: its name must not be mistyped. */
type StrayChecks<H, F extends AnyFeature> = Record<
  Exclude<
    Extract<keyof H, `problemsOf${string}` | `liveFieldsOf${string}`>,
    keyof ChecksOf<F> | keyof LiveFieldsOf<F>
  >,
  never
>;

function bind(
  operation: BusOperation,
  method: (input: unknown, context: CallContext) => unknown,
): BoundHandler {
  const fromText = fieldsFromText(operation);
  const check = methodName('problemsOf', operation.name);
  const live = methodName('liveFieldsOf', operation.name);
  const isKept = keepsReplies(operation);
  return async function (this: unknown, { json, context, replies }) {
    try {
      if ('auth' in operation) checkPrincipal((operation as Operation).auth, context);
      const decoded = decode(operation.input, parse(json), { fromText });
      const found = decoded.ok ? [] : decoded.errors;
      const given = decoded.ok ? decoded.value : decoded.partial;
      // Looked up on the object, not on its class: a check may also be a property that holds a function.
      const errors = [...found, ...unnamed((this as Checks)[check]?.(given as object, found) ?? [], found)];
      if (!decoded.ok || errors.length > 0) return { ok: false, error: DomainError.invalid(errors) };
      const run = (given: CallContext): unknown => method.call(this, decoded.value, given);
      const outcome: Outcome =
        context.idempotencyKey === undefined || !isKept
          ? { ok: true, output: await run(context) }
          : await answerOnce(replies, operation, { input: decoded.value, context }, run);
      const read = (this as LiveFields)[live];
      return read ? await withLiveFields(outcome, (stored) => read.call(this, stored, context)) : outcome;
    } catch (error) {
      if (error instanceof DomainError) return { ok: false, error };
      return { ok: false, error: new DomainError('INTERNAL_ERROR', undefined, { cause: error }) };
    }
  };
}

/** The outcome with the fields that are read for each answer. They are added behind the store of replies. */
async function withLiveFields(
  outcome: Outcome,
  read: (stored: unknown) => Promise<object>,
): Promise<Outcome> {
  if (!outcome.ok) return outcome;
  const { stored } = outcome;
  const output = stored ? parse(stored.reply.bytes) : outcome.output;
  const complete = { ...(output as object), ...(await read(output)) };
  if (!stored) return { ok: true, output: complete };
  const bytes = Buffer.from(JSON.stringify(complete));
  return { ...outcome, stored: { ...stored, reply: { ...stored.reply, bytes } } };
}

/** What only reads is read anew each time, whoever sends a key with it: what it shows may be a secret, and may change. */
function keepsReplies(operation: BusOperation | Operation): boolean {
  return !('method' in operation && operation.method === 'GET');
}

/** A body has types of its own; what stands in the path or in the query is always text. */
function fieldsFromText(operation: BusOperation | Operation): boolean | readonly string[] {
  if (!('path' in operation)) return false;
  return operation.hasBody ? operation.pathFields : true;
}

/** A field in which something is wrong already, or in one of its parts, looks to a check as if it were not there. */
function unnamed(errors: FieldError[], named: readonly FieldError[]): FieldError[] {
  const isNamed = ({ field }: FieldError) =>
    named.some(
      (it) => it.field === field || it.field.startsWith(`${field}.`) || it.field.startsWith(`${field}[`),
    );
  return errors.filter((error) => !isNamed(error));
}

function parse(json: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString());
  } catch (cause) {
    throw new DomainError('MALFORMED_JSON', undefined, { cause });
  }
}
