import { channel, Nested, OneOf, Text } from '@tollbridge/rpc';
import { TransactionId } from '../tx-engine/fields';
import { TransactionUpdate } from '../tx-engine/transactions.events';

// More than a wallet shows at once; each is a subscription on the bus.
export const maxSubscriptionsPerSocket = 100;
/** The longest message of ours is below 200 bytes; nothing that is larger can be one of a client. */
export const maxClientMessageBytes = 4_096;
/** How many messages a client may send in the long run, and how many at once: enough to subscribe to all it may. */
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

const typeOf = (type: string) => OneOf([type], { description: 'What this message is', example: type });
const actionOf = (action: string) => OneOf([action], { description: 'What is wanted', example: action });

export class SubscribeMessage {
  @actionOf('subscribe')
  action: 'subscribe';
  @TransactionId({ description: 'The set of transactions to follow, as build answered it' })
  transactionId: string;
}

export class UnsubscribeMessage {
  @actionOf('unsubscribe')
  action: 'unsubscribe';
  @TransactionId({ description: 'The set of transactions that is followed no longer' })
  transactionId: string;
}

export class PingMessage {
  @actionOf('ping')
  action: 'ping';
}

export class SubscribedMessage {
  @typeOf('subscribed')
  type: 'subscribed';
  @TransactionId({ description: 'The set of transactions that is followed from now on' })
  transactionId: string;
}

export class UnsubscribedMessage {
  @typeOf('unsubscribed')
  type: 'unsubscribed';
  @TransactionId({ description: 'The set of transactions that is followed no longer' })
  transactionId: string;
}

export class PongMessage {
  @typeOf('pong')
  type: 'pong';
}

export class TransactionUpdateMessage {
  @typeOf('transaction_update')
  type: 'transaction_update';
  @Nested(() => TransactionUpdate, { description: 'The present state of a set of transactions' })
  data: TransactionUpdate;
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
  @OneOf(streamErrorCodes, { description: 'Stable: switch over it', example: 'NOT_FOUND' })
  code: StreamErrorCode;
  @Text({
    description: 'For people',
    maxLength: 1_000,
    example: 'The transactionId is unknown.',
  })
  message: string;
}

export class StreamErrorMessage {
  @typeOf('error')
  type: 'error';
  @Nested(() => StreamError, { description: 'What was wrong; the socket stays open' })
  error: StreamError;
  @TransactionId({ description: 'The one that was asked for, where that could be read', optional: true })
  transactionId?: string;
}

export const transactionStream = channel('stream', {
  title: 'Transaction stream',
  path: '/v1/transaction/stream',
  summary: 'Follow sets of transactions as they get further',
  description: `Send \`subscribe\` with a \`transactionId\`: it is acknowledged by \`subscribed\`, the present state follows at once, and then every change. \`version\` only rises: what comes twice or late is left out. After \`completed\`, \`failed\` and \`expired\` nothing more comes.

No key is needed: the \`transactionId\` is random, and known only to whom you tell it.

A socket has at most ${maxSubscriptionsPerSocket} subscriptions; a message at most ${maxClientMessageBytes} bytes of JSON text; a client sends at most ${clientMessagesPerSecond} messages a second, ${clientMessagesAtOnce} at once. The server pings every ${heartbeatSeconds} seconds, which browsers answer by themselves, and ends a socket that does not answer until the next one. Subscriptions belong to their socket: subscribe again after you connect again.`,
  receives: {
    subscribe: {
      summary: 'Follow a set of transactions',
      payload: SubscribeMessage,
      answers: ['subscribed', 'error'],
    },
    unsubscribe: {
      summary: 'Follow it no longer',
      payload: UnsubscribeMessage,
      answers: ['unsubscribed', 'error'],
    },
    ping: { summary: 'Ask whether the server is there', payload: PingMessage, answers: ['pong'] },
  },
  sends: {
    subscribed: {
      summary: 'Answers `subscribe`; a `transactionUpdate` follows at once',
      payload: SubscribedMessage,
    },
    unsubscribed: { summary: 'Answers `unsubscribe`', payload: UnsubscribedMessage },
    pong: { summary: 'Answers `ping`', payload: PongMessage },
    transactionUpdate: {
      summary: 'The state of a set of transactions, at the subscription and after each change',
      payload: TransactionUpdateMessage,
    },
    error: { summary: 'A message could not be followed; the socket stays open', payload: StreamErrorMessage },
  },
  closeCodes: {
    [closeCodes.protocolError]: 'what was sent is no WebSocket frame of a client',
    [closeCodes.invalidText]: 'a text was not UTF-8',
    [closeCodes.tooManyMessages]: 'more messages than a client may send; send fewer',
    [closeCodes.messageTooLarge]: `a message of more than ${maxClientMessageBytes} bytes`,
    [closeCodes.restarting]: 'the service restarts; connect again, after a random part of a few seconds',
    [closeCodes.slowReader]: 'updates were not read fast enough; connect again and read faster',
  },
});
