import { channel } from '@tollbridge/rpc';
import { Nested, OneOf, Text } from '../decorators';
import { TransactionId } from '../tx-engine/fields';
import { TransactionUpdate } from '../tx-engine/transactions.events';
import { TxHash } from '../pay-orders/fields';

// More than a wallet displays at once. Each subscription needs a bus subscription.
export const maxSubscriptionsPerSocket = 100;
/** Client messages are below 200 bytes. The server rejects messages above this size. */
export const maxClientMessageBytes = 4_096;
/** Rate limit and burst of client messages, enough for all permitted subscriptions. */
export const clientMessagesPerSecond = 20;
export const clientMessagesAtOnce = 120;
export const heartbeatSeconds = 30;

export const closeCodes = {
  protocolError: 1002,
  invalidText: 1007,
  tooManyMessages: 1008,
  messageTooLarge: 1009,
  restarting: 1012,
  slowReader: 1013,
} as const;

const typeOf = (type: string) => OneOf([type], 'Type of the message', { example: type });
const actionOf = (action: string) => OneOf([action], 'Type of the message', { example: action });

export class SubscribeMessage {
  @actionOf('subscribe')
  action: 'subscribe';
  @TransactionId('Id of the transaction set to follow, from the build reply') transactionId: string;
}

export class UnsubscribeMessage {
  @actionOf('unsubscribe')
  action: 'unsubscribe';
  @TransactionId('Id of the transaction set to stop following') transactionId: string;
}

export class PingMessage {
  @actionOf('ping')
  action: 'ping';
}

export class SubscribedMessage {
  @typeOf('subscribed')
  type: 'subscribed';
  @TransactionId('Id of the transaction set that was subscribed') transactionId: string;
}

export class UnsubscribedMessage {
  @typeOf('unsubscribed')
  type: 'unsubscribed';
  @TransactionId('Id of the transaction set that was unsubscribed') transactionId: string;
}

export class PongMessage {
  @typeOf('pong')
  type: 'pong';
}

/** A transaction update in the stream of a client. */
export class StreamedUpdate extends TransactionUpdate {
  @TxHash('Transaction of the step; empty before it is sent', { minLength: 0 })
  override txHash: string;
}

export class TransactionUpdateMessage {
  @typeOf('transaction_update')
  type: 'transaction_update';
  @Nested(() => StreamedUpdate, 'Current state of a transaction set') data: StreamedUpdate;
}

export const streamErrorCodes = [
  'MALFORMED_JSON',
  'VALIDATION_ERROR',
  'NOT_FOUND',
  'TOO_MANY_SUBSCRIPTIONS',
  'SERVICE_UNAVAILABLE',
] as const;
export type StreamErrorCode = (typeof streamErrorCodes)[number];

export class StreamError {
  @OneOf(streamErrorCodes, 'Stable code; clients can switch over it', { example: 'NOT_FOUND' })
  code: StreamErrorCode;
  @Text('Human-readable text', { maxLength: 1_000, example: 'The transactionId is unknown.' })
  message: string;
}

export class StreamErrorMessage {
  @typeOf('error')
  type: 'error';
  @Nested(() => StreamError, 'The error; the socket stays open') error: StreamError;
  @TransactionId('Requested transaction set, when it could be parsed', { optional: true })
  transactionId?: string;
}

export const transactionStream = channel('stream', {
  title: 'Transaction stream',
  path: '/v1/transaction/stream',
  summary: 'Follow the progress of transaction sets',
  description: `Send \`subscribe\` with a \`transactionId\`. The server acknowledges it with \`subscribed\`, then sends the current state, and then every change. \`version\` only increases: duplicate and out-of-order states are left out. Nothing follows after \`completed\`, \`failed\` and \`expired\`.\n\nNo key is needed: the \`transactionId\` is random, so only clients that received it can subscribe.\n\nA socket has at most ${maxSubscriptionsPerSocket} subscriptions; a message at most ${maxClientMessageBytes} bytes of JSON text; a client sends at most ${clientMessagesPerSecond} messages a second, ${clientMessagesAtOnce} at once. The server pings every ${heartbeatSeconds} seconds, which browsers answer automatically, and closes a socket that did not answer before the next ping. Subscriptions belong to their socket: subscribe again after reconnecting.`,
  receives: {
    subscribe: {
      summary: 'Follow a transaction set',
      payload: SubscribeMessage,
      answers: ['subscribed', 'error'],
    },
    unsubscribe: {
      summary: 'Stop following a transaction set',
      payload: UnsubscribeMessage,
      answers: ['unsubscribed', 'error'],
    },
    ping: { summary: 'Check that the server responds', payload: PingMessage, answers: ['pong'] },
  },
  sends: {
    subscribed: {
      summary: 'Acknowledges `subscribe`; a `transactionUpdate` follows immediately',
      payload: SubscribedMessage,
    },
    unsubscribed: { summary: 'Acknowledges `unsubscribe`', payload: UnsubscribedMessage },
    pong: { summary: 'Responds to `ping`', payload: PongMessage },
    transactionUpdate: {
      summary: 'State of a transaction set, after the subscription and after each change',
      payload: TransactionUpdateMessage,
    },
    error: {
      summary: 'A message could not be processed; the socket stays open',
      payload: StreamErrorMessage,
    },
  },
  closeCodes: {
    [closeCodes.protocolError]: 'the client sent an invalid WebSocket frame',
    [closeCodes.invalidText]: 'a text was not UTF-8',
    [closeCodes.tooManyMessages]: 'more messages than a client may send; send fewer',
    [closeCodes.messageTooLarge]: `a message of more than ${maxClientMessageBytes} bytes`,
    [closeCodes.restarting]: 'the service restarts; connect again, after a random part of a few seconds',
    [closeCodes.slowReader]: 'updates were not read fast enough; connect again and read faster',
  },
});
