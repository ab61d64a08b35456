import { Controller, Inject } from '@nestjs/common';
import {
  publicPaylinksApi,
  type PayLinkCheckout,
  type PayLinkCheckoutRequest,
  type PayLinkRequest,
  type PublicPayLink,
} from '@tollbridge/contracts';
import { type CallContext, DomainError, Handles } from '@tollbridge/rpc';
import { Clock, storeReply } from '@tollbridge/database';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { v4 as randomUuid, v5 as uuidOfName } from 'uuid';
import type { MerchantConfig } from '../config';
import type { PayAmount } from '../payments/payments.repository';
import { RequestAmounts } from '../payments/requests/request-amounts';
import { lockRequest, PaymentRequestsRepository } from '../payments/requests/payment-requests.repository';
import { SettingsRepository } from '../settings/settings.repository';
import { checkoutAmount, checkoutOf } from './link-checkout';
import { isOffered, type PayLink } from './paylink';
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
    private readonly amounts: RequestAmounts,
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
    const now = this.amounts.of({ ...link, currency: link.token });
    return publicViewOf({ ...link, ...now }, { isReceiverProven, storefront });
  }

  /** The key ensures that repeated clicks and reloads of a page start only one checkout. */
  async startPayLinkCheckout(given: PayLinkCheckoutRequest, context: CallContext): Promise<PayLinkCheckout> {
    const nowMs = this.clock.now();
    const link = await this.links.find(given.id);
    if (!isOffered(link, nowMs)) throw notFound();
    const converted = this.amountOf(link, given);
    const { key } = given;
    const id = key === undefined ? randomUuid() : uuidOfName(`${key} ${nameOf(converted)}`, link.id);
    const checkout = checkoutOf(link, { id, ...converted, nowMs });
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

  /** The amount of a checkout at the current rate, or the given amount where the payer chooses it. */
  private amountOf(link: PayLink, { amount: given }: PayLinkCheckoutRequest): PayAmount {
    const request = { ...link, currency: link.token };
    if (link.conversion === null)
      return { amount: checkoutAmount(link, this.amounts.placeOf(request), given), conversion: null };
    if (given !== undefined)
      throw DomainError.invalid([{ field: 'amount', message: 'must be left out: the PayLink has a price' }]);
    return this.amounts.of(request);
  }
}

/** The same for all conversions of a price, so that a repeated click finds its checkout at another rate. */
const nameOf = ({ amount, conversion }: PayAmount): string =>
  conversion === null ? String(amount) : `${conversion.price.amount} ${conversion.price.currency}`;
