import { Controller, Inject } from '@nestjs/common';
import {
  paylinksApi,
  type CreatePayLinkRequest,
  type PayLink as PayLinkView,
  type PayLinkDeleted,
  type PayLinkRequest,
  type PayLinksQuery,
  type TogglePayLinkRequest,
} from '@tollbridge/contracts';
import {
  type CallContext,
  DomainError,
  type FieldError,
  Handles,
  merchantOf,
  pageWithNext,
  readPage,
  Validates,
} from '@tollbridge/rpc';
import { Clock, storeReply } from '@tollbridge/database';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { Conversions } from '@tollbridge/rates';
import { v7 as uuid } from 'uuid';
import { ChainNodes } from '../chains/chain-nodes';
import type { MerchantConfig } from '../config';
import { fromTokenOf } from '../payments/options/payment-options';
import { MerchantDefaults } from '../settings/merchant-defaults';
import { newPayLink, validatePayLink, type PlacedPayLink } from './paylink';
import { PayLinkFacts } from './paylink-facts';
import { idOf, notFound, positionOf } from './paylink-id';
import { viewOf } from './paylink-view';
import { PayLinksRepository } from './paylinks.repository';

/** Operations of merchants on their PayLinks. */
@Controller()
@Handles(paylinksApi)
export class PayLinksHandlers {
  constructor(
    private readonly links: PayLinksRepository,
    private readonly facts: PayLinkFacts,
    private readonly defaults: MerchantDefaults,
    private readonly chains: ChainNodes,
    private readonly conversions: Conversions,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) private readonly config: Pick<MerchantConfig, 'environment'>,
  ) {}

  async listPayLinks(query: PayLinksQuery, context: CallContext): Promise<PayLinkView[]> {
    const { active: isActive } = query;
    const filters = { ...positionOf(query), ...(isActive !== undefined && { isActive }) };
    const { page, limit, next } = await readPage(
      query.limit ?? Infinity,
      (most) => this.links.list(merchantOf(context), { ...filters, limit: most }),
      ({ id }) => id,
    );
    const facts = await this.facts.ofAll(page);
    const views = page.map((link, at) => viewOf(link, facts[at]!));
    return pageWithNext(views, next ?? undefined, limit);
  }

  async createPayLink(request: CreatePayLinkRequest, context: CallContext): Promise<PayLinkView> {
    const nowMs = this.clock.now();
    const wallet = merchantOf(context);
    const placed = await this.placed(request, wallet);
    const converted = await this.converted(placed, wallet);
    const id = uuid({ msecs: nowMs });
    const link = newPayLink(placed, { id, wallet, nowMs, chains: this.chains, converted });
    const reply = viewOf(link, await this.facts.of(link));
    await this.links.insert(link, (client) => storeReply(client, context, reply));
    return reply;
  }

  private async converted({ price, network, token }: PlacedPayLink, wallet: string) {
    if (price === undefined) return undefined;
    const place = fromTokenOf(this.chains, network, token)!;
    return this.conversions.convert(price, place, await this.defaults.priceSpreadBps(wallet));
  }

  @Validates(paylinksApi.operations.createPayLink)
  validateCreatePayLink(given: Partial<CreatePayLinkRequest>): FieldError[] {
    const { environment } = this.config;
    return validatePayLink(given, { chains: this.chains, environment, nowMs: this.clock.now() });
  }

  /**
   * Completes a request with the network and token of the settings. Validates the request again with these defaults.
   */
  private async placed(request: CreatePayLinkRequest, wallet: string): Promise<PlacedPayLink> {
    const { network, token } = request;
    if (network !== undefined && token !== undefined) return { ...request, network, token };
    const names = { chain: 'network', token: 'token' };
    const place = await this.defaults.placeOf(wallet, { chain: network, token }, names);
    const placed = { ...request, network: place.chain.id, token: place.token.symbol };
    const errors = this.validateCreatePayLink(placed);
    if (errors.length > 0) throw DomainError.invalid(errors);
    return placed;
  }

  async togglePayLink(request: TogglePayLinkRequest, context: CallContext): Promise<PayLinkView> {
    const wanted = { id: idOf(request.id), wallet: merchantOf(context), isActive: request.active };
    let reply: PayLinkView | undefined;
    // Read before the transaction, which must not wait for a second database connection.
    const facts = await this.facts.of(await this.links.find(wanted.id));
    await this.links.toggle(wanted, this.clock.now(), (link, client) =>
      storeReply(client, context, (reply = viewOf(link, facts))),
    );
    if (!reply) throw notFound();
    return reply;
  }

  async deletePayLink(request: PayLinkRequest, context: CallContext): Promise<PayLinkDeleted> {
    const wanted = { id: idOf(request.id), wallet: merchantOf(context) };
    if (!(await this.links.delete(wanted, this.clock.now()))) throw notFound();
    return { ok: true };
  }
}
