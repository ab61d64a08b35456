import { Inject, Injectable } from '@nestjs/common';
import { paylinksApi, type PublicPayLink } from '@tollbridge/contracts';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { parseUnits } from '@tollbridge/money';
import { BusClient, DomainError } from '@tollbridge/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import type { GatewayConfig } from '../config';
import { apiMessage } from './api-message';
import { embedded, stateAfter, stateOfLink } from './embedding';
import { html } from './html';
import { PageRenderer } from './layout';
import { formFields, type PageHandler } from './page-handler';
import { closedPage, linkPage, type LinkTerms } from './paylink-page';
import { openPayLink, reopenPayLink, startLinkCheckout, submitPayLink } from './paylink.routes';
import { qrSvg } from './qr';
import { submissionPage } from './submission-page';
import { languageOf } from './texts/languages';

const { getPublicPayLink, recordPayLinkPayment, startPayLinkCheckout } = paylinksApi.operations;

const linkIdOf = (request: FastifyRequest): string => (request.params as { id: string }).id;

/** `/l/{id}`: starts the checkout of a PayLink, and takes the transaction of a plain transfer that paid it. */
@Injectable()
export class PayLinkPages {
  constructor(
    private readonly bus: BusClient,
    @Inject(ServiceConfig) private readonly config: Pick<GatewayConfig, 'GATEWAY_PUBLIC_URL'>,
    private readonly renderer: PageRenderer,
  ) {}

  readonly handlers: readonly PageHandler[] = [
    { route: openPayLink, handle: (request, reply) => this.open(request, reply) },
    { route: submitPayLink, handle: (request, reply) => this.submit(request, reply) },
    { route: startLinkCheckout, handle: (request, reply) => this.start(request, reply) },
    // A reader who reloads the reply to the form sends this.
    { route: reopenPayLink, handle: async (request, reply) => redirectToLink(request, reply) },
  ];

  private async open(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const id = linkIdOf(request);
    const language = languageOf(request);
    const link = await this.find(id, request);
    return link
      ? this.show(reply, 200, link, { language, key: randomUUID() })
      : this.renderer.send(reply, 404, closedPage(id, language));
  }

  /** The same key and amount again lead to the same checkout: a second click starts no second payment. */
  private async start(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const id = linkIdOf(request);
    const language = languageOf(request);
    const fields = formFields(request, ['key', 'amount']);
    const link = await this.find(id, request);
    if (!link) return this.renderer.send(reply, 404, closedPage(id, language));
    const key = fields.get('key') ?? randomUUID();
    try {
      const input = { id, key, ...chosenAmount(link, fields.get('amount')) };
      const { payment_request_id: checkout } = await this.bus.call(startPayLinkCheckout, input, request.call);
      return reply.redirect(language.href(`/checkout/${checkout}`), 303);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'VALIDATION_ERROR') throw error;
      const [first] = (error.details ?? []) as { message: string }[];
      const problem = html`${language.text('amountProblem')}${first && apiMessage(first.message)}`;
      const amount = fields.get('amount') ?? '';
      return this.show(reply, 400, link, { language, key: randomUUID(), problem, amount });
    }
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
    // Before the submission, after which the link may be closed: the payer still needs its success URL.
    const link = await this.find(id, request);
    const outcome = await this.bus.call(recordPayLinkPayment, { id, txHash }, request.call);
    const page = submissionPage(id, link, { txHash, reply: outcome }, languageOf(request));
    const state = link && stateOfLink(link, stateAfter(outcome));
    return this.renderer.send(reply, 200, state ? embedded(page, link.embedOrigins, state) : page);
  }

  /** Undefined while the link accepts no payments. */
  private async find(id: string, { call }: FastifyRequest): Promise<PublicPayLink | undefined> {
    try {
      return await this.bus.call(getPublicPayLink, { id }, call);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'NOT_FOUND') return undefined;
      throw error;
    }
  }
}

const redirectToLink = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  reply.redirect(languageOf(request).href(`/l/${encodeURIComponent(linkIdOf(request))}`), 303);

/** The amount that the payer chooses, in the smallest unit. @throws DomainError VALIDATION_ERROR for any other text */
function chosenAmount(
  { openAmount, decimals }: PublicPayLink,
  text: string | undefined,
): { amount?: string } {
  if (!openAmount) return {};
  try {
    return { amount: String(parseUnits((text ?? '').trim(), decimals)) };
  } catch {
    throw DomainError.invalid([
      { field: 'amount', message: `must be a number such as 12.5, with at most ${decimals} decimals` },
    ]);
  }
}
