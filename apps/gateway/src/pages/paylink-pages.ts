import { Injectable } from '@nestjs/common';
import { paylinksApi, type PublicPayLink } from '@tollbridge/contracts';
import { BusClient, DomainError } from '@tollbridge/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { embedded, stateAfter, stateOfLink } from './embedding';
import { PageRenderer } from './layout';
import { formFields, type PageHandler } from './page-handler';
import { closedPage, linkPage } from './paylink-page';
import { openPayLink, submitPayLink } from './paylink.routes';
import { submissionPage } from './submission-page';
import { languageOf } from './texts/languages';

const { getPublicPayLink, recordPayLinkPayment } = paylinksApi.operations;

const linkIdOf = (request: FastifyRequest): string => (request.params as { id: string }).id;

/** `/l/{id}`: the payment instructions of a PayLink, and a form for the transaction that paid it. */
@Injectable()
export class PayLinkPages {
  constructor(
    private readonly bus: BusClient,
    private readonly renderer: PageRenderer,
  ) {}

  readonly handlers: readonly PageHandler[] = [
    { route: openPayLink, handle: (request, reply) => this.open(request, reply) },
    { route: submitPayLink, handle: (request, reply) => this.submit(request, reply) },
  ];

  private async open(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const id = linkIdOf(request);
    const language = languageOf(request);
    const link = await this.find(id, request);
    return link
      ? this.renderer.send(
          reply,
          200,
          embedded(await linkPage(link, language), link.embedOrigins, stateOfLink(link)),
        )
      : this.renderer.send(reply, 404, closedPage(id, language));
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
