import { Inject, Injectable } from '@nestjs/common';
import {
  checkoutApi,
  internalPaymentsApi,
  ordersApi,
  paymentReviewApi,
  paymentsApi,
  type OrderReply,
  type PaymentDetailsReply,
  type PaymentReviewReply,
  type PaymentStatusReply,
} from '@tollbridge/contracts';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { findChain } from '@tollbridge/chains';
import { BusClient, DomainError } from '@tollbridge/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../../config';
import { PdfDocuments } from '../../pdf/pdf-document';
import { apiMessage } from '../parts/api-message';
import {
  openCheckout,
  openPaymentPage,
  openReceipt,
  openReceiptPdf,
  reopenCheckout,
  submitCheckout,
} from './checkout.routes';
import { choicePage, type ChoiceTerms } from './choice-page';
import { embedded, stateOfPayment, stateOfRequest } from '../serving/embedding';
import { heldOptions, type HeldOption } from '../wallets/held-options';
import { html, type Html } from '../parts/html';
import { PageRenderer, type Page } from '../parts/layout';
import { formFields, type PageHandler } from '../serving/page-handler';
import { isPayable } from './pay-state';
import { payableOf } from './payable';
import { payersIn, walletsFor, type Payers } from '../wallets/payers';
import { paymentPage } from './payment-page';
import { qrSvg } from '../parts/qr';
import { receiptPage } from '../receipts/receipt-page';
import { receiptPdf } from '../receipts/receipt-pdf';
import { paymentOfRequest } from './payment-of-request';
import { withSandboxPanel } from './sandbox-panel';
import type { Language } from '../texts/language';
import { languageOf } from '../texts/languages';
import { unlessMissing } from '../serving/unless-missing';

const { executePayment } = paymentsApi.operations;
const { paymentPage: readPage } = internalPaymentsApi.operations;
const { checkoutOptions } = checkoutApi.operations;
const { getOrder } = ordersApi.operations;
const { reviewPayment } = paymentReviewApi.operations;

interface PathFields {
  id: string;
  payment: string;
}
const pathFieldsOf = (request: FastifyRequest): PathFields => request.params as PathFields;

interface ShownPayment {
  status: PaymentStatusReply;
  order: OrderReply | undefined;
  payers: Payers;
  review: Promise<PaymentReviewReply | undefined> | undefined;
}

/** The preference of RFC 7240. With it, the script of the page gets the page of the payment without a redirect. */
const pagePreference = 'return=representation';

const prefersPage = ({ headers }: FastifyRequest): boolean => headers['prefer'] === pagePreference;

/** The pages of a payment request: the payment options, the progress of a payment, and its receipt. */
@Injectable()
export class CheckoutPages {
  constructor(
    private readonly bus: BusClient,
    @Inject(ServiceConfig) private readonly config: Pick<GatewayConfig, 'GATEWAY_PUBLIC_URL' | 'environment'>,
    private readonly renderer: PageRenderer,
    private readonly documents: PdfDocuments,
  ) {}

  readonly handlers: readonly PageHandler[] = [
    { route: openCheckout, handle: (request, reply) => this.open(request, reply) },
    { route: submitCheckout, handle: (request, reply) => this.submit(request, reply) },
    // The browser sends this when the payer reloads the reply to the form.
    { route: reopenCheckout, handle: async (request, reply) => redirectToCheckout(request, reply) },
    { route: openPaymentPage, handle: (request, reply) => this.openPayment(request, reply) },
    { route: openReceiptPdf, handle: (request, reply) => this.openReceiptPdf(request, reply) },
    { route: openReceipt, handle: (request, reply) => this.openReceipt(request, reply) },
  ];

  private async open(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const payers = payersIn(request.query);
    const details = await this.read(request);
    const { payment_options, isIncomplete } = await this.withBalances(details, payers, request);
    const terms = { payers, isIncomplete, language: languageOf(request) };
    return this.show(reply, 200, { ...details, payment_options }, terms);
  }

  private async submit(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { id } = pathFieldsOf(request);
    const language = languageOf(request);
    try {
      const input = { id, ...choiceOf(request) };
      const { payment_id, order } = await this.bus.call(executePayment, input, request.call);
      const url = language.href(`/checkout/${encodeURIComponent(id)}/${payment_id}`);
      // Redirects to a GET, so that reloading the page does not pay twice.
      if (!prefersPage(request)) return reply.redirect(url, 303);
      void reply.header('content-location', url).header('preference-applied', pagePreference);
      return await this.showChosen({ id, payment: payment_id, orderId: order.order_id }, request, reply);
    } catch (error) {
      const problem = inputProblem(error, language);
      if (problem === undefined) throw error;
      return this.show(reply, 400, await this.read(request), { problem, language });
    }
  }

  private async openPayment(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { status, order } = await this.readPayment(request);
    const payers = payersIn(request.query);
    const review = this.review(status, { order, payers }, request);
    return this.showPayment({ status, order, payers, review }, request, reply);
  }

  /** Shows a new payment. The script of the page then requests the review, which may wait for a node of the chain. */
  private async showChosen(
    { id, payment, orderId }: PathFields & { orderId: string },
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { call } = request;
    const [status, order] = await Promise.all([
      paymentOfRequest(this.bus, { params: { id, payment }, call }),
      this.bus.call(getOrder, { id: orderId }, call).catch(() => undefined),
    ]);
    return this.showPayment({ status, order, payers: {}, review: undefined }, request, reply);
  }

  private async showPayment(
    { status, order, payers, review: reading }: ShownPayment,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { payment_request_id: id, payment_id: payment } = status;
    const language = languageOf(request);
    const [qr, review] = await Promise.all([this.codeOf(`${id}/${payment}`, language), reading]);
    const terms = { qr, order, review, payers, language, remote: this.renderer.remote };
    const page = await paymentPage(status, terms);
    const isSandbox = this.config.environment === 'sandbox';
    const shown = isSandbox ? withSandboxPanel(page, status, order) : page;
    return this.renderer.send(reply, 200, embeddedPayment(shown, status));
  }

  private async openReceipt(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { status, order } = await this.readReceipt(request);
    const page = receiptPage(status, order, languageOf(request));
    return this.renderer.send(reply, 200, embeddedPayment(page, status));
  }

  private async openReceiptPdf(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { status, order } = await this.readReceipt(request);
    const document = await receiptPdf(this.documents, status, order, languageOf(request));
    return reply
      .header('content-type', 'application/pdf')
      .header('content-disposition', `inline; filename="receipt-${status.payment_id}.pdf"`)
      .send(document);
  }

  private async readPayment(
    request: FastifyRequest,
  ): Promise<{ status: PaymentStatusReply; order: OrderReply | undefined }> {
    const status = await paymentOfRequest(this.bus, request);
    // The order adds confirmations and amounts. The page also works without them.
    const order = await this.bus.call(getOrder, { id: status.order_id }, request.call).catch(() => undefined);
    return { status, order };
  }

  /** A receipt is not shown without its amounts, because payers save it. */
  private async readReceipt(
    request: FastifyRequest,
  ): Promise<{ status: PaymentStatusReply; order: OrderReply | undefined }> {
    const status = await paymentOfRequest(this.bus, request);
    if (status.status !== 'completed')
      throw new DomainError('CONFLICT', 'There is no receipt yet: this payment is not completed.');
    const order = await unlessMissing(this.bus.call(getOrder, { id: status.order_id }, request.call));
    return { status, order };
  }

  /** The network fee and the balance, if a wallet may pay. The page omits them when they cannot be read in time. */
  private async review(
    status: PaymentStatusReply,
    { order, payers }: { order: OrderReply | undefined; payers: Payers },
    { call }: FastifyRequest,
  ): Promise<PaymentReviewReply | undefined> {
    if (!isPayable(status, order) || !payableOf(status, order)) return undefined;
    const payer = payers[findChain(status.from_chain)?.family ?? ''];
    const input = { id: status.order_id, ...(payer !== undefined && { payer }) };
    return this.bus.call(reviewPayment, input, call).catch(() => undefined);
  }

  /** Balances only sort the options, so the page omits them when they cannot be read in time. */
  private async withBalances(
    { payment_request: request, payment_options: options }: PaymentDetailsReply,
    payers: Payers,
    { call }: FastifyRequest,
  ): Promise<{ payment_options: HeldOption[]; isIncomplete: boolean }> {
    const wallets = walletsFor(options, payers);
    if (Object.keys(wallets).length === 0) return { payment_options: options, isIncomplete: false };
    const { chain: settle_chain, currency: settle_token, amount: settle_amount } = request;
    const input = { wallets, settle_chain, settle_token, settle_amount };
    const found = await this.bus.call(checkoutOptions, input, call).catch(() => undefined);
    return {
      payment_options: found ? heldOptions(options, found) : options,
      isIncomplete: !found || found.skipped.some(({ can_retry: canRetry }) => canRetry),
    };
  }

  private read(request: FastifyRequest): Promise<PaymentDetailsReply> {
    return this.bus.call(readPage, { id: pathFieldsOf(request).id }, request.call);
  }

  private async show(
    reply: FastifyReply,
    status: number,
    details: PaymentDetailsReply,
    terms: Omit<ChoiceTerms, 'qr' | 'remote'>,
  ): Promise<FastifyReply> {
    const qr = await this.codeOf(details.payment_request.id, terms.language);
    const { payment_request: request } = details;
    const page = choicePage(details, { qr, remote: this.renderer.remote, ...terms });
    return this.renderer.send(reply, status, embedded(page, request.embed_origins, stateOfRequest(request)));
  }

  /** The QR code of a page. Its URL contains the chosen language. */
  private codeOf(path: string, language: Language): Promise<Html> {
    const url = language.href(checkoutUrl(this.config.GATEWAY_PUBLIC_URL, path));
    return qrSvg(url, language.text('qrOfPage'));
  }
}

const embeddedPayment = (page: Page, status: PaymentStatusReply): Page =>
  embedded(page, status.payment_request.embed_origins, stateOfPayment(status));

export const checkoutUrl = (publicUrl: string, requestId: string): string =>
  `${publicUrl.replace(/\/+$/, '')}/checkout/${requestId}`;

const redirectToCheckout = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  reply.redirect(languageOf(request).href(`/checkout/${encodeURIComponent(pathFieldsOf(request).id)}`), 303);

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

/** The error in the input of the form, to show on the page next to the form. */
function inputProblem(error: unknown, { text }: Language): Html | string | undefined {
  if (!(error instanceof DomainError) || error.code !== 'VALIDATION_ERROR') return undefined;
  const [first] = (error.details ?? []) as { field: string; message: string }[];
  if (first?.field === 'payer_address') return html`${text('addressProblem')}${apiMessage(first.message)}`;
  return first && text('chooseBelow');
}
