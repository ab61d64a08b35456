import { decode } from '../declarations/decode';
import type { FieldError } from '../errors/domain-error';
import { readEnvelope, type EventDeclaration, type EventEnvelope } from './events';
import { Integer, Text, Timestamp } from '../declarations/fields';
import { Uuid } from '../uuid';

// The largest declared event has about 2 KB. Much larger texts are not parsed.
const maxEventLength = 64 * 1024;
const maxReasonLength = 2_000;

/** An event that does not match its declaration. Redelivery or a retry cannot help. */
export class InvalidEventError extends Error {
  /** Prefix of every message, used to find stored reasons. */
  static readonly prefix = 'Invalid ';
  override readonly name = 'InvalidEventError';

  constructor(
    type: string,
    readonly errors: readonly FieldError[],
  ) {
    const reasons = errors.map(({ field, message }) => `${field} ${message}`).join('; ');
    super(`${InvalidEventError.prefix}${type} event: ${reasons}`.slice(0, maxReasonLength));
  }
}

/**
 * Decodes and validates the text of an event.
 * @param subject of its message; empty if unknown
 * @returns undefined for an event with an undeclared type or version
 * @throws InvalidEventError with every invalid field
 */
export type EventDecoder<D = unknown> = (text: string, subject: string) => EventEnvelope<D> | undefined;

/** Validates rules over several fields, or with the registry. Called only for an event with valid fields. */
export type EventCheck<D> = (event: EventEnvelope<D>) => FieldError[];

/** Fields of an envelope, without its data. */
class EnvelopeFields {
  @Uuid('Identifies the event')
  id: string;
  @Text('Name of the event')
  type: string;
  @Integer('Version of the type', { min: 1 })
  version: number;
  @Text('What changed')
  aggregateId: string;
  @Integer('Counts the changes', { min: 0 })
  aggregateVersion: number;
  @Timestamp('When it happened')
  occurredAt: string;
  @Text('The request that caused it', { minLength: 0, optional: true })
  requestId?: string;
  @Text('W3C trace context', { minLength: 0, optional: true })
  traceparent?: string;
}

/**
 * Creates the decoder of a consumer for its declared events. Undeclared fields are dropped, because a newer
 * publisher may add fields.
 */
export function eventDecoder<D>(
  declared: readonly EventDeclaration<D>[],
  check: EventCheck<D> = () => [],
): EventDecoder<D> {
  const byType = new Map(declared.map((event) => [`${event.type}.v${event.version}`, event]));
  return (text, subject) => {
    if (text.length > maxEventLength)
      throw new InvalidEventError('oversized', [
        { field: 'event', message: `must have at most ${maxEventLength} characters` },
      ]);
    const read = readEnvelope(text, subject);
    if (read instanceof Error)
      throw new InvalidEventError('unreadable', [{ field: 'event', message: read.message }]);
    const declaration = byType.get(`${read.type}.v${read.version}`);
    if (!declaration) return isTyped(read) ? undefined : fail(read.type, envelopeErrors(read));
    const decoded = decode(declaration.data, read.data, { ignoresUnknown: true });
    const errors = [...envelopeErrors(read), ...(decoded.ok ? [] : decoded.errors)];
    if (!decoded.ok || errors.length > 0) return fail(read.type, errors);
    const event: EventEnvelope<D> = { ...read, data: decoded.value };
    const problems = check(event);
    return problems.length > 0 ? fail(read.type, problems) : event;
  };
}

const isTyped = ({ version }: EventEnvelope): boolean => Number.isSafeInteger(version) && version > 0;

function envelopeErrors(read: EventEnvelope): FieldError[] {
  const decoded = decode(EnvelopeFields, read, { ignoresUnknown: true });
  return decoded.ok ? [] : decoded.errors;
}

function fail(type: string, errors: readonly FieldError[]): never {
  throw new InvalidEventError(type.slice(0, 64), errors);
}
