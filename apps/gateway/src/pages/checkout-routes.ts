import { internalPaymentsApi, paymentsApi, type PaymentDetailsReply } from '@tollbridge/contracts';
import { DomainError, Text, type BusClient, type Operation } from '@tollbridge/rpc';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Admit } from '../http/admission';
import { gate } from '../http/operation-routes';
import { choicePage, paymentPage } from './checkout-page';
import { sendPage } from './layout';
import { binary, describedAs, htmlPage, type DocumentedRoute } from '../openapi/documented-route';
import { formFields, type PageRoute } from './page-routes';
import { qrPng, qrSvg } from './qr';

const { getPayment, executePayment, paymentStatus } = paymentsApi.operations;
const { findPaymentRequest, paymentPage: readPage } = internalPaymentsApi.operations;

const requestIdExample = '5f0c7f2e-4a1b-4a3e-9c1d-2b7a6d0e8f31';

type Ids = { id: string; payment: string };
const idsOf = (request: FastifyRequest): Ids => request.params as Ids;

/** The pages of a payment request: what to pay with, and how the payment goes. They ask what any client may ask. */
export function checkoutRoutes(bus: Pick<BusClient, 'call'>, publicUrl: string): PageRoute[] {
  const read = (request: FastifyRequest) => bus.call(readPage, { id: idsOf(request).id }, request.call);
  const show = async (
    reply: FastifyReply,
    status: number,
    details: PaymentDetailsReply,
    problem?: string,
  ) => {
    const qr = await qrSvg(linkOf(publicUrl, details.payment_request.id), 'This page');
    return sendPage(reply, status, choicePage(details, { qr, ...(problem !== undefined && { problem }) }));
  };
  return [
    {
      ...{ method: 'GET', url: '/checkout/:id', operation: getPayment },
      answer: async (request, reply) => show(reply, 200, await read(request)),
    },
    {
      ...{ method: 'POST', url: '/checkout/:id/pay', operation: executePayment },
      async answer(request, reply) {
        const { id } = idsOf(request);
        try {
          const { payment_id } = await bus.call(executePayment, { id, ...choiceOf(request) }, request.call);
          // Seen by a GET, so that loading the page again pays nothing again.
          return reply.redirect(`/checkout/${encodeURIComponent(id)}/${payment_id}`, 303);
        } catch (error) {
          const problem = problemOf(error);
          if (problem === undefined) throw error;
          return show(reply, 400, await read(request), problem);
        }
      },
    },
    {
      // Where a reader lands who loads the answer to the form again.
      ...{ method: 'GET', url: '/checkout/:id/pay', operation: getPayment },
      answer: async (request, reply) =>
        reply.redirect(`/checkout/${encodeURIComponent(idsOf(request).id)}`, 303),
    },
    {
      ...{ method: 'GET', url: '/checkout/:id/:payment', operation: paymentStatus },
      async answer(request, reply) {
        const { id, payment } = idsOf(request);
        const status = await bus.call(paymentStatus, { id: payment }, request.call);
        const isOfRequest = status.payment_id === payment && status.payment_request.id === id;
        if (!isOfRequest)
          throw new DomainError('NOT_FOUND', 'This payment request has no such payment. Check both ids.');
        return sendPage(reply, 200, await paymentPage(status));
      },
    },
  ];
}

function choiceOf(request: FastifyRequest) {
  const fields = formFields(request, ['from_token', 'from_chain', 'payer_address']);
  const payer = fields.get('payer_address')?.trim() ?? '';
  return {
    selected_option: {
      from_token: fields.get('from_token') ?? '',
      from_chain: fields.get('from_chain') ?? '',
    },
    ...(payer !== '' && { payer_address: payer }),
  };
}

/** What is wrong with what was typed, for the page on which it was typed. */
function problemOf(error: unknown): string | undefined {
  if (!(error instanceof DomainError) || error.code !== 'VALIDATION_ERROR') return undefined;
  const [first] = (error.details ?? []) as { field: string; message: string }[];
  if (first?.field === 'payer_address') return `Your address cannot be used: ${first.message}.`;
  return first && 'Choose one of the options below.';
}

const linkOf = (publicUrl: string, requestId: string): string =>
  `${publicUrl.replace(/\/+$/, '')}/checkout/${requestId}`;

/** The code that a merchant shows: of the page of a payment request. */
export function addQrRoute(
  server: FastifyInstance,
  bus: Pick<BusClient, 'call'>,
  { admit, publicUrl }: { admit: Admit; publicUrl: string },
): void {
  const onRequest = gate(getPayment as Operation<any, any>, admit);
  server.get('/api/v1/payment/:id/qr.png', { onRequest }, async (request, reply) => {
    const { id } = await bus.call(findPaymentRequest, { id: idsOf(request).id }, request.call);
    // It says the same for ever.
    return reply
      .header('content-type', 'image/png')
      .header('cache-control', 'public, max-age=86400, immutable')
      .send(await qrPng(linkOf(publicUrl, id)));
  });
}

const requestIdField = { description: 'The payment request', maxLength: 64, example: requestIdExample };

class RequestPage {
  @Text(requestIdField)
  id: string;
}

class PaymentPage extends RequestPage {
  @Text({ description: 'The payment', maxLength: 64, example: '9a3d1c44-7be2-4f0a-8a6e-1d5c0b9f7e20' })
  payment: string;
}

const redirect = (description: string): DocumentedRoute['replies'][number] => ({
  description,
  headers: {
    location: {
      description: 'The page to open by GET',
      schema: { type: 'string', examples: [`/checkout/${requestIdExample}`] },
    },
  },
});

/** The checkout pages and the QR code in the document. */
export const checkoutPages: readonly DocumentedRoute[] = [
  {
    tag: 'Payments',
    operation: describedAs(getPayment, 'openCheckout', {
      ...{ path: '/checkout/{id}', input: RequestPage, pathFields: ['id'] },
      summary: 'Open the checkout page of a payment request',
      description: 'The page that a merchant sends payers to: it offers what the request can be paid with.',
    }),
    replies: { 200: htmlPage('The page') },
    failures: 'text/html',
  },
  {
    tag: 'Payments',
    operation: describedAs(executePayment, 'submitCheckout', {
      ...{ path: '/checkout/{id}/pay', input: RequestPage, pathFields: ['id'] },
      summary: 'Submit the form of the checkout page',
      description: 'Starts the payment, as `POST /api/v1/payment/{id}/execute` does.',
    }),
    body: {
      type: 'application/x-www-form-urlencoded',
      schema: {
        type: 'object',
        required: ['from_token', 'from_chain'],
        properties: {
          from_token: { type: 'string', description: 'Token to pay with', examples: ['USDC'] },
          from_chain: { type: 'string', description: 'Chain to pay on', examples: ['eip155:8453'] },
          payer_address: {
            type: 'string',
            description: 'Address of the payer, where the option needs it',
            examples: ['0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'],
          },
        },
      },
      example: { from_token: 'USDC', from_chain: 'eip155:8453' },
    },
    replies: { 303: redirect('The payment has started') },
    failures: 'text/html',
  },
  {
    tag: 'Payments',
    operation: describedAs(getPayment, 'reopenCheckout', {
      ...{ path: '/checkout/{id}/pay', input: RequestPage, pathFields: ['id'] },
      summary: 'Return to the checkout page from a reloaded form',
      description: '',
    }),
    replies: { 303: redirect('The checkout page') },
    failures: 'text/html',
  },
  {
    tag: 'Payments',
    operation: describedAs(paymentStatus, 'openPaymentPage', {
      ...{ path: '/checkout/{id}/{payment}', input: PaymentPage, pathFields: ['id', 'payment'] },
      summary: 'Open the page of a payment',
      description: 'Shows what to send and where, and how far the payment is.',
    }),
    replies: { 200: htmlPage('The page') },
    failures: 'text/html',
  },
  {
    tag: 'Payments',
    operation: describedAs(getPayment, 'getPaymentQrCode', {
      ...{ path: '/api/v1/payment/{id}/qr.png', input: RequestPage, pathFields: ['id'] },
      summary: 'Read the QR code of a checkout page',
      description: 'The code holds the address of the checkout page and never changes.',
    }),
    replies: {
      200: {
        description: 'The picture',
        content: { type: 'image/png', schema: binary, example: 'iVBORw0KGgo…' },
        headers: {
          'cache-control': {
            description: 'The picture may be kept for a day',
            schema: { type: 'string', examples: ['public, max-age=86400, immutable'] },
          },
        },
      },
    },
  },
];
