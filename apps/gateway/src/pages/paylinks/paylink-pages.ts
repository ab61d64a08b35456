import { Inject, Injectable } from '@nestjs/common';
import {
  internalPaymentsApi,
  paylinkPaymentsApi,
  publicPaylinksApi,
  type PayLinkCheckoutRequest,
  type PaymentRequestFound,
  type PublicPayLink,
} from '@tollbridge/contracts';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { parseUnits } from '@tollbridge/money';
import { BusClient, DomainError, uuidOf } from '@tollbridge/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import type { GatewayConfig } from '../../config';
import { apiMessage } from '../parts/api-message';
import { embedded, stateAfter, stateOfLink } from '../serving/embedding';
import { html } from '../parts/html';
import { PageRenderer } from '../parts/layout';
import { formFields, type PageHandler } from '../serving/page-handler';
import { PayLinkCookie } from './paylink-cookie';
import { closedPage, linkPage, type LinkTerms } from './paylink-page';
import { openPayLink, reopenPayLink, startLinkCheckout, submitPayLink } from './paylink.routes';
import { qrSvg } from '../parts/qr';
import { submissionPage } from '../checkout/submission-page';
import { languageOf } from '../texts/languages';
import { unlessMissing } from '../serving/unless-missing';

const { findPaymentRequest } = internalPaymentsApi.operations;
const { getPublicPayLink, startPayLinkCheckout } = publicPaylinksApi.operations;
const { recordPayLinkPayment } = paylinkPaymentsApi.operations;

// Checkouts expire after a day and are deleted after two, so an old page has few successors.
const mostReplaced = 4;

const linkIdOf = (request: FastifyRequest): string => (request.params as { id: string }).id;

/** `/l/{id}`: starts the checkout of a PayLink, and accepts the transaction of a plain transfer that paid it. */
@Injectable()
export class PayLinkPages {
  private readonly cookie: PayLinkCookie;

  constructor(
    private readonly bus: BusClient,
    @Inject(ServiceConfig) private readonly config: Pick<GatewayConfig, 'GATEWAY_PUBLIC_URL'>,
    private readonly renderer: PageRenderer,
  ) {
    this.cookie = new PayLinkCookie(config.GATEWAY_PUBLIC_URL);
  }

  readonly handlers: readonly PageHandler[] = [
    { route: openPayLink, handle: (request, reply) => this.open(request, reply) },
    { route: submitPayLink, handle: (request, reply) => this.submit(request, reply) },
    { route: startLinkCheckout, handle: (request, reply) => this.start(request, reply) },
    // The browser sends this when the payer reloads the reply to the form.
    { route: reopenPayLink, handle: async (request, reply) => redirectToLink(request, reply) },
  ];

  private async open(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const id = linkIdOf(request);
    const language = languageOf(request);
    const [link, opened] = await this.read(request);
    const back = opened && returnPath(opened, link !== undefined);
    if (back) return reply.redirect(language.href(back), 303);
    if (!link) return this.renderer.send(reply, 404, closedPage(id, language));
    const remembered = this.cookie.read(request);
    const key = remembered ?? randomUUID();
    if (!remembered) void reply.header('set-cookie', this.cookie.toStoreKey(id, key));
    return this.show(reply, 200, link, { language, key, paid: paidOf(opened) });
  }

  /** A browser has only one unpaid checkout of the link, for any number of tabs and clicks: decision 95. */
  private async start(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const id = linkIdOf(request);
    const language = languageOf(request);
    const fields = formFields(request, ['key', 'amount']);
    const [link, opened] = await this.read(request);
    const back = opened && returnPath(opened, link !== undefined);
    if (back) return reply.redirect(language.href(back), 303);
    if (!link) return this.renderer.send(reply, 404, closedPage(id, language));
    const key = this.cookie.read(request) ?? fields.get('key') ?? randomUUID();
    try {
      const chosen = chosenAmount(link, language.entered((fields.get('amount') ?? '').trim()));
      const continued = opened && continues(opened, { ...chosen, key: fields.get('key') });
      const checkout = continued ? opened : await this.startCheckout({ id, key, ...chosen }, request);
      void reply.header('set-cookie', this.cookie.toStoreCheckout(id, checkout.id));
      return reply.redirect(language.href(returnPath(checkout, true) ?? `/checkout/${checkout.id}`), 303);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'VALIDATION_ERROR') throw error;
      const [first] = (error.details ?? []) as { message: string }[];
      const problem = html`${language.text('amountProblem')}${first && apiMessage(first.message)}`;
      const amount = fields.get('amount') ?? '';
      return this.show(reply, 400, link, { language, key, paid: paidOf(opened), problem, amount });
    }
  }

  /**
   * Starts the checkout of the key. A page that is older than its checkout has the key of an ended checkout, which is
   * replaced.
   */
  private async startCheckout(
    input: PayLinkCheckoutRequest & { key: string },
    { call }: Pick<FastifyRequest, 'call'>,
    triesLeft = mostReplaced,
  ): Promise<PaymentRequestFound> {
    const { payment_request_id: id } = await this.bus.call(startPayLinkCheckout, input, call);
    const checkout = await this.bus.call(findPaymentRequest, { id }, call);
    if (triesLeft === 0 || !isReplaced(checkout)) return checkout;
    return this.startCheckout({ ...input, key: id }, { call }, triesLeft - 1);
  }

  private async show(
    reply: FastifyReply,
    status: number,
    link: PublicPayLink,
    terms: Omit<LinkTerms, 'qr'>,
  ): Promise<FastifyReply> {
    const { language } = terms;
    const url = `${this.config.GATEWAY_PUBLIC_URL.replace(/\/+$/, '')}/l/${link.id}`;
    const qr = await qrSvg(language.href(url), language.text('qrOfPage'));
    const page = await linkPage(link, { ...terms, qr });
    return this.renderer.send(reply, status, embedded(page, link.embedOrigins, stateOfLink(link)));
  }

  private async submit(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const id = linkIdOf(request);
    const txHash = (formFields(request, ['txHash']).get('txHash') ?? '').trim();
    // Read before the submission, which may close the link, because the payer still needs its success URL.
    const link = await this.find(id, request);
    const outcome = await this.bus.call(recordPayLinkPayment, { id, txHash }, request.call);
    const page = submissionPage(id, link, { txHash, reply: outcome }, languageOf(request));
    const state = link && stateOfLink(link, stateAfter(outcome));
    return this.renderer.send(reply, 200, state ? embedded(page, link.embedOrigins, state) : page);
  }

  /** The link while it accepts payments, and the newest checkout that this browser has opened from it. */
  private read(
    request: FastifyRequest,
  ): Promise<[PublicPayLink | undefined, PaymentRequestFound | undefined]> {
    return Promise.all([this.find(linkIdOf(request), request), this.findOpened(request)]);
  }

  /** Undefined while the link accepts no payments. */
  private find(id: string, { call }: FastifyRequest): Promise<PublicPayLink | undefined> {
    return unlessMissing(this.bus.call(getPublicPayLink, { id }, call));
  }

  private async findOpened(request: FastifyRequest): Promise<PaymentRequestFound | undefined> {
    const id = this.cookie.read(request);
    if (id === undefined) return undefined;
    const found = await unlessMissing(this.bus.call(findPaymentRequest, { id }, request.call));
    return found?.paylink_id === uuidOf(linkIdOf(request)) ? found : undefined;
  }
}

/**
 * The path of the checkout that decides whether to pay again, or that made the last payment of the link; otherwise
 * undefined.
 */
function returnPath(
  { id, status, attempt }: PaymentRequestFound,
  acceptsPayments: boolean,
): string | undefined {
  const isInFlight = attempt?.state === 'asking' || attempt?.state === 'sent';
  const isUndecided = isInFlight || status === 'processing' || (status === 'pending' && attempt);
  if (!isUndecided && (status !== 'completed' || acceptsPayments)) return undefined;
  return attempt ? `/checkout/${id}/${attempt.payment_id}` : `/checkout/${id}`;
}

const isReplaced = (checkout: PaymentRequestFound): boolean =>
  (checkout.status === 'expired' || checkout.status === 'canceled') &&
  returnPath(checkout, true) === undefined;

const paidOf = (opened: PaymentRequestFound | undefined): string | undefined =>
  opened?.status === 'completed' ? opened.id : undefined;

/**
 * Whether a click leads back to the checkout. A page from before the checkout's payment must not start a second one.
 */
function continues(
  { id, status, amount }: PaymentRequestFound,
  chosen: { amount?: string; key: string | undefined },
): boolean {
  if (status === 'completed') return chosen.key !== undefined && chosen.key !== id;
  return status === 'pending' && (chosen.amount ?? amount) === amount;
}

const redirectToLink = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  reply.redirect(languageOf(request).href(`/l/${encodeURIComponent(linkIdOf(request))}`), 303);

/**
 * The amount that the payer chooses, in the smallest unit. @throws DomainError VALIDATION_ERROR for an invalid amount
 */
function chosenAmount({ openAmount, decimals }: PublicPayLink, text: string): { amount?: string } {
  if (!openAmount) return {};
  try {
    return { amount: String(parseUnits(text, decimals)) };
  } catch {
    throw DomainError.invalid([
      { field: 'amount', message: `must be a number such as 12.5, with at most ${decimals} decimals` },
    ]);
  }
}
