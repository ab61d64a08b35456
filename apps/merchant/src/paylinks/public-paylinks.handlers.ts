import { Controller, Inject } from '@nestjs/common';
import {
  publicPaylinksApi,
  type PayLinkCheckout,
  type PayLinkCheckoutRequest,
  type PayLinkRequest,
  type PublicPayLink,
} from '@tollbridge/contracts';
import { type CallContext, Handles } from '@tollbridge/rpc';
import { Clock, storeReply } from '@tollbridge/database';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { v4 as randomUuid, v5 as uuidOfName } from 'uuid';
import { ChainNodes } from '../chains/chain-nodes';
import type { MerchantConfig } from '../config';
import { fromTokenOf } from '../payments/options/payment-options';
import { lockRequest, PaymentRequestsRepository } from '../payments/requests/payment-requests.repository';
import { SettingsRepository } from '../settings/settings.repository';
import { checkoutAmount, checkoutOf } from './link-checkout';
import { isOffered } from './paylink';
import { PayLinkFacts } from './paylink-facts';
import { notFound } from './paylink-id';
import { publicViewOf } from './paylink-view';
import { PayLinksRepository } from './paylinks.repository';

/** Operations of payers on PayLinks. */
@Controller()
@Handles(publicPaylinksApi)
export class PublicPayLinksHandlers {
  constructor(
    private readonly links: PayLinksRepository,
    private readonly facts: PayLinkFacts,
    private readonly settings: SettingsRepository,
    private readonly requests: PaymentRequestsRepository,
    private readonly chains: ChainNodes,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) private readonly config: Pick<MerchantConfig, 'GATEWAY_PUBLIC_URL'>,
  ) {}

  async getPublicPayLink({ id }: PayLinkRequest): Promise<PublicPayLink> {
    const link = await this.links.find(id);
    if (!isOffered(link, this.clock.now())) throw notFound();
    const [{ isReceiverProven }, storefront] = await Promise.all([
      this.facts.of(link),
      this.settings.storefront(link.wallet),
    ]);
    return publicViewOf(link, { isReceiverProven, storefront });
  }

  /** The key ensures that repeated clicks and reloads of a page start only one checkout. */
  async startPayLinkCheckout(given: PayLinkCheckoutRequest, context: CallContext): Promise<PayLinkCheckout> {
    const nowMs = this.clock.now();
    const link = await this.links.find(given.id);
    if (!isOffered(link, nowMs)) throw notFound();
    const place = fromTokenOf(this.chains, link.chain, link.token);
    const amount = checkoutAmount(link, place, given.amount);
    const { key } = given;
    const id = key === undefined ? randomUuid() : uuidOfName(`${key} ${amount}`, link.id);
    const checkout = checkoutOf(link, { id, amount, nowMs });
    const base = this.config.GATEWAY_PUBLIC_URL.replace(/\/+$/, '');
    let reply: PayLinkCheckout | undefined;
    await this.requests.insert(checkout, async (client) => {
      // When an earlier call with the same key has stored the checkout, its expiry is earlier.
      const { expiresAtMs } = (await lockRequest(client, id))!;
      if (!(await this.links.keep(client, link.id))) throw notFound();
      reply = {
        payment_request_id: id,
        payment_link: `${base}/checkout/${id}`,
        expires_at: new Date(expiresAtMs!).toISOString(),
      };
      await storeReply(client, context, reply);
    });
    return reply!;
  }
}
