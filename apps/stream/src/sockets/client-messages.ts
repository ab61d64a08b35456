import {
  PingMessage,
  SubscribeMessage,
  UnsubscribeMessage,
  type StreamErrorCode,
} from '@tollbridge/contracts';
import { decode, isUuid, type Class, type FieldError } from '@tollbridge/rpc';

export type ClientMessage = SubscribeMessage | UnsubscribeMessage | PingMessage;

/** The reason that a message is rejected. */
export interface MessageRejection {
  code: StreamErrorCode;
  message: string;
  transactionId?: string;
}

const classes: Readonly<Record<ClientMessage['action'], Class<ClientMessage>>> = {
  subscribe: SubscribeMessage,
  unsubscribe: UnsubscribeMessage,
  ping: PingMessage,
};
const actions = Object.keys(classes).join(', ');
// The maximum number of fields in an error, to limit its length.
const maxNamed = 5;

export const unknownTransaction = 'The transactionId is unknown.';

/** Parses an untrusted message of a client. */
export function readClientMessage(
  text: string,
): { message: ClientMessage; rejection?: never } | { message?: never; rejection: MessageRejection } {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return { rejection: { code: 'MALFORMED_JSON', message: 'The message is not valid JSON.' } };
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return invalid('The message must be a JSON object.');
  const { action, transactionId } = given as { action?: unknown; transactionId?: unknown };
  // Only valid ids are returned to the client.
  const named = typeof transactionId === 'string' && isUuid(transactionId) ? { transactionId } : {};
  if (typeof action !== 'string' || !Object.hasOwn(classes, action))
    return invalid(`The action must be one of ${actions}.`, named);
  const decoded = decode(classes[action as ClientMessage['action']], given);
  if (!decoded.ok) return invalid(sentenceOf(decoded.errors), named);
  const message = decoded.value;
  // The id becomes part of a bus subject, so it must be a UUID.
  if ('transactionId' in message && !isUuid(message.transactionId))
    return { rejection: { code: 'NOT_FOUND', message: unknownTransaction } };
  return { message };
}

function invalid(message: string, named: { transactionId?: string } = {}): { rejection: MessageRejection } {
  return { rejection: { code: 'VALIDATION_ERROR', message, ...named } };
}

function sentenceOf(errors: readonly FieldError[]): string {
  const named = errors.slice(0, maxNamed).map(({ field, message }) => `${field} ${message}`);
  return `The message is not valid: ${named.join('; ')}.`;
}
