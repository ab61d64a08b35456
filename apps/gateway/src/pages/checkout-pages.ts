import { Inject, Injectable } from '@nestjs/common';
import { internalPaymentsApi, paymentsApi, type PaymentDetailsReply } from '@tollbridge/contracts';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { BusClient, DomainError } from '@tollbridge/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config';
import { choicePage, paymentPage } from './checkout-page';
import { openCheckout, openPaymentPage, reopenCheckout, submitCheckout } from './checkout.routes';
import { sendPage } from './layout';
import { formFields, type PageHandler } from './page-handler';
import { qrSvg } from './qr';

const { executePayment, paymentStatus } = paymentsApi.operations;
const { paymentPage: readPage } = internalPaymentsApi.operations;

interface PathFields {
  id: string;
  payment: string;
}
const pathFieldsOf = (request: FastifyRequest): PathFields => request.params as PathFields;

/** The pages of a payment request: the ways to pay, and the progress of a payment. */
@Injectable()
export class CheckoutPages {
  constructor(
    private readonly bus: BusClient,
    @Inject(ServiceConfig) private readonly config: Pick<GatewayConfig, 'GATEWAY_PUBLIC_URL'>,
  ) {}

  readonly handlers: readonly PageHandler[] = [
    { route: openCheckout, handle: (request, reply) => this.open(request, reply) },
    { route: submitCheckout, handle: (request, reply) => this.submit(request, reply) },
    // A reader who reloads the reply to the form sends this.
    { route: reopenCheckout, handle: async (request, reply) => redirectToCheckout(request, reply) },
    { route: openPaymentPage, handle: (request, reply) => this.openPayment(request, reply) },
  ];

  private async open(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return this.show(reply, 200, await this.read(request));
  }

  private async submit(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { id } = pathFieldsOf(request);
    try {
      const input = { id, ...choiceOf(request) };
      const { payment_id } = await this.bus.call(executePayment, input, request.call);
      // To a GET, so that reloading the page does not pay twice.
      return reply.redirect(`/checkout/${encodeURIComponent(id)}/${payment_id}`, 303);
    } catch (error) {
      const problem = inputProblem(error);
      if (problem === undefined) throw error;
      return this.show(reply, 400, await this.read(request), problem);
    }
  }

  private async openPayment(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { id, payment } = pathFieldsOf(request);
    const status = await this.bus.call(paymentStatus, { id: payment }, request.call);
    const isOfRequest = status.payment_id === payment && status.payment_request.id === id;
    if (!isOfRequest)
      throw new DomainError('NOT_FOUND', 'This payment request has no such payment. Check both ids.');
    return sendPage(reply, 200, await paymentPage(status));
  }

  private read(request: FastifyRequest): Promise<PaymentDetailsReply> {
    return this.bus.call(readPage, { id: pathFieldsOf(request).id }, request.call);
  }

  private async show(
    reply: FastifyReply,
    status: number,
    details: PaymentDetailsReply,
    problem?: string,
  ): Promise<FastifyReply> {
    const url = checkoutUrl(this.config.GATEWAY_PUBLIC_URL, details.payment_request.id);
    const qr = await qrSvg(url, 'This page');
    return sendPage(reply, status, choicePage(details, { qr, ...(problem !== undefined && { problem }) }));
  }
}

export const checkoutUrl = (publicUrl: string, requestId: string): string =>
  `${publicUrl.replace(/\/+$/, '')}/checkout/${requestId}`;

const redirectToCheckout = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  reply.redirect(`/checkout/${encodeURIComponent(pathFieldsOf(request).id)}`, 303);

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

/** What is wrong with the input of the form, to show on the page with the form. */
function inputProblem(error: unknown): string | undefined {
  if (!(error instanceof DomainError) || error.code !== 'VALIDATION_ERROR') return undefined;
  const [first] = (error.details ?? []) as { field: string; message: string }[];
  if (first?.field === 'payer_address') return `Your address cannot be used: ${first.message}.`;
  return first && 'Choose one of the options below.';
}
