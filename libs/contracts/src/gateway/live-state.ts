import { eventStream } from '@tollbridge/rpc';
import { OneOf, Unsigned } from '../decorators';
import { PaymentStatusReply } from '../merchant/payments.api';
import { OrderReply } from '../pay-orders/orders.api';

/** Clients reconnect after this time, in milliseconds. */
export const reconnectMs = 2_000;
export const streamHeartbeatSeconds = 15;
/** Maximum duration of a stream, in minutes. Then the client reconnects. */
export const streamMinutes = 10;

export const endReasons = ['final'] as const;

/** The last message of a stream, sent when the state is final. */
export class StreamEnd {
  @OneOf(endReasons, 'The state is final: close the `EventSource`, nothing follows')
  reason: (typeof endReasons)[number];
}

/** A payment in the format of its stream. */
export class FollowedPayment extends PaymentStatusReply {
  @Unsigned('Blocks that confirm a direct payment, while it lacks some', { optional: true, example: 2 })
  confirmations?: number;
  @Unsigned('Confirmations that the payment needs, beside `confirmations`', { optional: true, example: 5 })
  required_confirmations?: number;
}

const end = { summary: 'The state is final; the server ends the stream', payload: StreamEnd };

const behaviour = `The reply is \`text/event-stream\`. The first message is the present state; one message follows each change. A burst of changes may be one message, which shows the latest state.

\`id\` names the state. A client that reconnects sends it as \`Last-Event-ID\` (\`EventSource\` does so by itself), and gets the state only if it has changed since. Where the state is final, the last message is \`end\`; a client that has the final state already gets \`204\`, and its \`EventSource\` does not reconnect.

A comment every ${streamHeartbeatSeconds} seconds shows that the connection lives. The server ends a stream after ${streamMinutes} minutes, when it stops, and when the client reads too slowly: reconnect after the time that \`retry\` says.`;

export const orderStream = eventStream('gateway', {
  title: 'Order events',
  path: '/api/v1/pay/order/{id}/events',
  summary: 'Follow an order',
  description: `${behaviour}\n\n\`settled\` is final, and so are, for direct payments, \`expired\`, and \`failed\` some minutes after \`expires_at\`. While a direct payment is being confirmed, a message shows each further confirmation, or several at once.`,
  parameters: { id: 'Id of the order' },
  sends: {
    order: { summary: 'State of the order, as `GET /api/v1/pay/order/{id}` replies', payload: OrderReply },
    end,
  },
});

export const paymentStream = eventStream('gateway', {
  title: 'Payment events',
  path: '/api/v1/payment/{id}/events',
  summary: 'Follow a payment',
  description: `${behaviour}\n\nWith the id of a payment request, the stream shows its most advanced payment, and goes over to another payment that gets ahead of it. \`completed\` is final; for the id of a direct payment also \`expired\`, and \`failed\` some minutes after the end of its order. Further confirmations of a direct payment, and the expiry and cancellation of its request, send a message too.`,
  parameters: { id: 'Id of the payment, or of the payment request' },
  sends: {
    payment: {
      summary: 'State of the payment, as `GET /api/v1/payment/{id}/status` replies, with its confirmations',
      payload: FollowedPayment,
    },
    end,
  },
});
