import type { Api } from './http';
import type { Payer } from './payer';

interface Started {
  requestId: string;
  /** The reply of startPayment. */
  payment: any;
}

interface Message {
  id: string;
  event: string;
  data: any;
}

/** Server-sent events of an order and its payment with real services, from the start of the payment to its end. */
export function liveStateCases(api: () => Api, payer: () => Payer, start: () => Promise<Started>): void {
  it('streams an order and its payment until they are final', async () => {
    const { requestId, payment } = await start();
    const { order_id: orderId } = payment.order;
    const paths = [
      `/api/v1/pay/order/${orderId}`,
      `/api/v1/payment/${payment.payment_id}`,
      `/api/v1/payment/${requestId}`,
    ];
    // The headers of a stream arrive after its first state.
    const streams = await Promise.all(paths.map((path) => fetch(`${api().url}${path}/events`)));
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
    await payer().report(orderId, await payer().pay(payment.order));
    // A final stream ends by itself.
    const texts = await Promise.all(streams.map((stream) => stream.text()));
    const [order, byPayment, byRequest] = texts.map(messagesIn);
    expect(order!.map(({ data }) => data.status ?? data.reason)).toEqual(
      expect.arrayContaining(['waiting_payment', 'settling', 'settled', 'final']),
    );
    // During confirmation, an id contains the confirmations after the version.
    const versions = order!.map(({ id }) => Number(id.split('.')[0]));
    expect(versions).toEqual(versions.toSorted((one, other) => one - other));
    for (const messages of [byPayment!, byRequest!]) {
      expect(messages[0]).toMatchObject({ event: 'payment', data: { status: 'executing', progress: 0 } });
      expect(messages.at(-2)).toMatchObject({ event: 'payment', data: { status: 'completed' } });
      expect(messages.at(-1)).toMatchObject({ event: 'end', data: { reason: 'final' } });
    }
    const read = await api().get(paths[0]!);
    expect(order!.at(-2)!.data).toEqual(read.body);
    const again = await fetch(`${api().url}${paths[0]}/events`, {
      headers: { 'last-event-id': String(read.body.version) },
    });
    expect(again.status).toBe(204);
  });
}

function messagesIn(text: string): Message[] {
  return text
    .split('\n\n')
    .filter((block) => block.includes('\ndata: '))
    .map((block) => {
      const [id, event, data] = block.split('\n').map((line) => line.slice(line.indexOf(': ') + 2));
      return { id: id!, event: event!, data: JSON.parse(data!) as unknown };
    });
}
