import { orderStream, ordersApi, paymentsApi, paymentStream, type Tag } from '@tollbridge/contracts';
import { Text, type EventStreamSpec, type Operation } from '@tollbridge/rpc';
import { declareLike, type OwnRoute } from '../routes/gateway-route';

const orderIdExample = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';
const paymentIdExample = '9a3d1c44-7be2-4f0a-8a6e-1d5c0b9f7e20';

const LastEventId = (example: string): PropertyDecorator =>
  Text(
    'Id of the last message that the client received: the state is sent only if it has changed since. Any other value gets the present state',
    { minLength: 0, maxLength: 128, optional: true, header: 'last-event-id', example },
  );

export interface FollowQuery {
  id: string;
  last_event_id?: string;
}

class FollowOrderQuery implements FollowQuery {
  @Text('Id of the order', { maxLength: 64, example: orderIdExample })
  id: string;
  @LastEventId('3')
  last_event_id?: string;
}

class FollowPaymentQuery implements FollowQuery {
  @Text('Id of the payment, or of the payment request', { maxLength: 64, example: paymentIdExample })
  id: string;
  @LastEventId(`${paymentIdExample}.3`)
  last_event_id?: string;
}

interface Following {
  like: Operation<any, any>;
  operationId: string;
  input: Operation<any, any>['input'];
  stream: EventStreamSpec;
  tag: Tag;
  example: string;
}

function routeOf({ like, operationId, input, stream, tag, example }: Following): OwnRoute {
  const { path, summary, description } = stream;
  return {
    kind: 'own',
    isAdmitted: true,
    declaration: declareLike(like, operationId, {
      path,
      input,
      summary,
      description: `${description}\n\nThe messages are in /asyncapi.json.`,
    }),
    documentation: {
      tag,
      replies: {
        200: {
          description: 'The stream',
          content: { type: 'text/event-stream', schema: { type: 'string' }, example },
        },
        204: { description: 'The state is final, and the client has it already' },
      },
    },
  };
}

export const followOrder = routeOf({
  like: ordersApi.operations.getOrder,
  operationId: 'followOrder',
  input: FollowOrderQuery,
  stream: orderStream,
  tag: 'Orders',
  example: `retry: 2000\n\nid: 1\nevent: order\ndata: {"order_id":"${orderIdExample}",…}\n\n`,
});

export const followPayment = routeOf({
  like: paymentsApi.operations.paymentStatus,
  operationId: 'followPayment',
  input: FollowPaymentQuery,
  stream: paymentStream,
  tag: 'Payments',
  example: `retry: 2000\n\nid: ${paymentIdExample}.1\nevent: payment\ndata: {"payment_id":"${paymentIdExample}",…}\n\n`,
});

export const liveStateRoutes = [followOrder, followPayment];
