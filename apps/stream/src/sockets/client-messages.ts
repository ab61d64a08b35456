import {
  PingMessage,
  SubscribeMessage,
  UnsubscribeMessage,
  type StreamErrorCode,
} from '@tollbridge/contracts';
import { decode, isUuid, type Class, type FieldError } from '@tollbridge/rpc';

export type ClientMessage = SubscribeMessage | UnsubscribeMessage | PingMessage;

/** Why a message cannot be followed. */
export interface Refusal {
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
// Nobody reads a longer sentence.
const maxNamed = 5;

export const unknownTransaction = 'The transactionId is unknown.';

/** Reads what a client sent, which may be anything. */
export function readClientMessage(
  text: string,
): { message: ClientMessage; refusal?: never } | { message?: never; refusal: Refusal } {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return { refusal: { code: 'MALFORMED_JSON', message: 'The message is not valid JSON.' } };
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return invalid('The message must be a JSON object.');
  const { action, transactionId } = given as { action?: unknown; transactionId?: unknown };
  // What is no id of ours is not repeated.
  const named = typeof transactionId === 'string' && isUuid(transactionId) ? { transactionId } : {};
  if (typeof action !== 'string' || !Object.hasOwn(classes, action))
    return invalid(`The action must be one of ${actions}.`, named);
  const decoded = decode(classes[action as ClientMessage['action']], given);
  if (!decoded.ok) return invalid(sentenceOf(decoded.errors), named);
  const message = decoded.value;
  // It would be a part of a subject on the bus; and a text of another form is the id of nothing.
  if ('transactionId' in message && !isUuid(message.transactionId))
    return { refusal: { code: 'NOT_FOUND', message: unknownTransaction } };
  return { message };
}

function invalid(message: string, named: { transactionId?: string } = {}): { refusal: Refusal } {
  return { refusal: { code: 'VALIDATION_ERROR', message, ...named } };
}

function sentenceOf(errors: readonly FieldError[]): string {
  const named = errors.slice(0, maxNamed).map(({ field, message }) => `${field} ${message}`);
  return `The message is not valid: ${named.join('; ')}.`;
}
