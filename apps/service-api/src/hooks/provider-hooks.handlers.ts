import { Controller, Inject } from '@nestjs/common';
import { providerHooksApi, type ProviderHook, type ProviderHookTaken } from '@tollbridge/contracts';
import { DomainError, Handles } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { CardPurchases } from '../cards/card-purchases';
import type { ServiceApiConfig } from '../config';
import { PurchasesWorker } from '../purchases/purchases.worker';
import { CodeArrivals } from '../sms/numbers/code-arrivals';
import { hookSourcesOf, type HookSource } from './hook-sources';
import type { NamedThings } from './named-things';
import { PacedLookups } from './paced-lookups';

/** Verifies webhooks of providers, and reads the current state of their purchases from the provider. */
@Controller()
@Handles(providerHooksApi)
export class ProviderHooksHandlers {
  private readonly sources: ReadonlyMap<string, HookSource>;

  constructor(
    @Inject(ServiceConfig) config: ServiceApiConfig,
    private readonly purchases: PurchasesWorker,
    private readonly cards: CardPurchases,
    private readonly arrivals: CodeArrivals,
    private readonly lookups: PacedLookups,
    @Inject(Clock) private readonly clock: Clock,
  ) {
    this.sources = hookSourcesOf(config);
  }

  async receiveHook({ provider, body, headers = {}, token }: ProviderHook): Promise<ProviderHookTaken> {
    const source = this.sources.get(provider);
    if (!source)
      throw new DomainError(
        'NOT_FOUND',
        'No webhook endpoint is configured for this provider. Check the URL.',
      );
    const hook = { body: Buffer.from(body, 'base64'), headers, token };
    if (!source.isGenuine(hook, this.clock.now()))
      throw new DomainError(
        'UNAUTHORIZED',
        'The signature of the webhook is invalid. Sign it with the secret configured for this provider.',
      );
    const named = source.named?.(hook.body);
    if (named && !isEmpty(named)) {
      const key = `${provider} ${JSON.stringify(named)}`;
      this.lookups.request(key, () => this.lookUp(provider, source, named));
    }
    return { received: true };
  }

  private async lookUp(provider: string, { kinds }: HookSource, named: NamedThings): Promise<void> {
    for (const id of named.providerIds) if (provider === 'sms-activate') this.arrivals.wake(id);
    const found = await this.purchases.pollNamed(kinds, named);
    // A card can change after its purchase is final.
    if (found === 0 && provider === 'lithic')
      for (const id of named.providerIds) await this.cards.refresh('lithic', id);
  }
}

const isEmpty = ({ purchaseIds, providerIds, recipient }: NamedThings): boolean =>
  purchaseIds.length === 0 && providerIds.length === 0 && recipient === undefined;
