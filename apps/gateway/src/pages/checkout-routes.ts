import { internalPaymentsApi, paymentsApi, type PaymentDetailsReply } from '@tollbridge/api';
import { DomainError, type BusClient, type Operation } from '@tollbridge/bus';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Admit } from '../http/admission';
import { gate } from '../http/operation-routes';
import { choicePage, paymentPage } from './checkout-page';
import { sendPage } from './layout';
import { formFields, type PageRoute } from './page-routes';
import { qrPng, qrSvg } from './qr';

const { getPayment, executePayment, paymentStatus } = paymentsApi.operations;
const { findPaymentRequest, paymentPage: readPage } = internalPaymentsApi.operations;

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
