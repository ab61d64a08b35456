import type { Contract } from './contract';
import type { Json } from './request';

/** Path parameters of routes without an operation, by the preceding part of the path. */
async function pathsOf(contract: Contract): Promise<Record<string, string>> {
  const idOf = async (id: string) => String((await contract.realCall(id)).path['id']);
  const { path } = await contract.realCall('startPayment');
  const execute = contract.byId.get('startPayment')!;
  const started = await contract.send(execute, await contract.realCall('startPayment'));
  const paymentPage = `/checkout/${started.body.payment_request_id}/${started.body.payment_id}`;
  return {
    '/checkout/{id}': `/checkout/${path['id']}`,
    '/checkout/{id}/pay': `/checkout/${path['id']}/pay`,
    '/checkout/{id}/{payment}': paymentPage,
    '/checkout/{id}/{payment}/receipt': `${paymentPage}/receipt`,
    '/checkout/{id}/{payment}/receipt.pdf': `${paymentPage}/receipt.pdf`,
    '/api/v1/payment/{id}/qr.png': `/api/v1/payment/${path['id']}/qr.png`,
    '/l/{id}': `/l/${await idOf('getPublicPayLink')}`,
    '/l/{id}/checkout': `/l/${await idOf('getPublicPayLink')}/checkout`,
    '/api/v1/pay/order/{id}/events': `/api/v1/pay/order/${await idOf('getOrder')}/events`,
    '/api/v1/payment/{id}/events': `/api/v1/payment/${started.body.payment_id}/events`,
    '/solana-pay/{id}': `/solana-pay/${await idOf('getOrder')}`,
  };
}

const expected: Readonly<Record<string, number>> = {
  exportTransactions: 200,
  openCheckout: 200,
  submitCheckout: 303,
  reopenCheckout: 303,
  openPaymentPage: 200,
  // The payment is not completed.
  openReceipt: 409,
  openReceiptPdf: 409,
  getPaymentQrCode: 200,
  followOrder: 200,
  followPayment: 200,
  openPayLink: 200,
  submitPayLink: 200,
  openPayLinkCheckout: 303,
  reopenPayLink: 303,
  // The example is an order of another chain.
  describeSolanaPay: 422,
  makeSolanaPayTransaction: 422,
  // The example replaces binary data, and is not a valid frame.
  sendPaymentFrame: 400,
  buyDemoResource: 402,
  listSoldResources: 200,
  openTransactionStream: 426,
  quoteSwapBySale: 200,
};

/** Routes without an operation on the bus, such as pages and files. */
export function routeCases(open: () => Promise<Contract>): void {
  it('returns the documented status and type for the other documented routes', async () => {
    const contract = await open();
    const known = new Set(contract.operations.map(({ id }) => id));
    const paths = await pathsOf(contract);
    const seen: Record<string, number> = {};
    for (const [path, methods] of Object.entries<Json>(contract.paths))
      for (const [method, described] of Object.entries<Json>(methods)) {
        if (known.has(described['operationId'])) continue;
        const [type, content] = Object.entries<Json>(described['requestBody']?.content ?? {})[0] ?? [];
        const body = type === undefined ? undefined : bodyOf(type, content!['example']);
        const reply = await fetch(contract.gateway + (paths[path] ?? path), {
          method: method.toUpperCase(),
          redirect: 'manual',
          headers: {
            authorization: `Bearer ${contract.merchant.secret}`,
            ...(type && { 'content-type': type }),
          },
          ...(body !== undefined && { body }),
        });
        await readSome(reply);
        const { content: documented = {} } = described['responses'][reply.status] ?? {};
        const types = Object.keys(documented);
        if (types.length > 0)
          expect([path, types]).toEqual([path, [reply.headers.get('content-type')!.split(';')[0]]]);
        seen[described['operationId']] = described['responses'][reply.status] ? reply.status : 0;
      }
    expect(seen).toEqual(expected);
  });
}

/** Reads the first part only, because a stream does not end by itself. */
async function readSome(reply: Response): Promise<void> {
  if (!reply.headers.get('content-type')?.startsWith('text/event-stream'))
    return void (await reply.arrayBuffer());
  const reader = reply.body!.getReader();
  await reader.read();
  await reader.cancel();
}

/** An example, encoded as a request body. */
function bodyOf(type: string, example: any): URLSearchParams | string {
  if (type.includes('form')) return new URLSearchParams(example);
  return type.includes('json') ? JSON.stringify(example) : example;
}
