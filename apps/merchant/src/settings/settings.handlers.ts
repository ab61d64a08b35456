import { Controller, Inject } from '@nestjs/common';
import { settingsApi, type PutSettingsRequest, type SettingsDeleted } from '@tollbridge/contracts';
import { type CallContext, type FieldError, Handles, merchantOf, Validates } from '@tollbridge/rpc';
import { Clock, storeReply } from '@tollbridge/database';
import { ServiceConfig, WorkHints } from '@tollbridge/bootstrap';
import { ChainNodes } from '../chains/chain-nodes';
import type { MerchantConfig } from '../config';
import { WebhookEndpointsRepository } from '../webhooks/webhook-endpoints.repository';
import { webhookUrlError } from '../webhooks/webhook-url';
import {
  validateReceiveAddresses,
  warningsOf,
  webhookUrlOf,
  withoutWarnings,
  webhookUrlUnusable,
  withWarnings,
  type Settings,
  type SettingsWarning,
} from './merchant-settings';
import { SettingsRepository } from './settings.repository';
import { logoIn } from './store-logo';
import { storefrontOf, validateStorefront } from './storefront';
import { validatePriceSettings } from './price-settings';

@Controller()
@Handles(settingsApi)
export class SettingsHandlers {
  constructor(
    private readonly settings: SettingsRepository,
    private readonly endpoints: WebhookEndpointsRepository,
    private readonly hints: WorkHints,
    private readonly chains: ChainNodes,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) private readonly config: Pick<MerchantConfig, 'environment'>,
  ) {}

  async getSettings(_query: object, context: CallContext): Promise<Settings> {
    return (await this.settings.find(merchantOf(context))) ?? {};
  }

  async putSettings({ settings }: PutSettingsRequest, context: CallContext): Promise<Settings> {
    const wallet = merchantOf(context);
    const stored = withoutWarnings(settings);
    // Uses the validated object, so that its logo is decoded only once.
    const storefront = storefrontOf(settings, this.config.environment);
    const change = { nowMs: this.clock.now(), context, storefront, logo: logoIn(settings) };
    const unusable = this.unusableWebhookUrl(stored);
    let reply = stored;
    await this.settings.put(wallet, stored, change, async (client, before) => {
      // An unusable address removes the endpoint, also one with the former address.
      const url = unusable ? null : webhookUrlOf(stored);
      await this.endpoints.syncEndpoint(client, wallet, url);
      const warnings = [...(unusable ? [unusable] : []), ...warningsOf(before, stored)];
      reply = withWarnings(stored, warnings);
      await storeReply(client, context, reply);
    });
    // Messages may wait for the new endpoint.
    this.hints.written();
    return reply;
  }

  @Validates(settingsApi.operations.putSettings)
  validatePutSettings({ settings }: Partial<PutSettingsRequest>): FieldError[] {
    if (settings === undefined) return [];
    return [
      ...validateReceiveAddresses(settings, (name) => this.chains.find(name)),
      ...validateStorefront(settings, this.config.environment),
      ...validatePriceSettings(settings),
    ];
  }

  /** Settings are free-form, so an unusable address is stored. Null and an empty string mean no endpoint. */
  private unusableWebhookUrl(settings: Settings): SettingsWarning | undefined {
    const given = Object.hasOwn(settings, 'webhookUrl') ? settings['webhookUrl'] : null;
    if (given === null || given === '') return undefined;
    const error =
      typeof given === 'string' ? webhookUrlError(given, this.config.environment) : 'must be a string';
    return error === undefined ? undefined : webhookUrlUnusable(error);
  }

  async deleteSettings(_query: object, context: CallContext): Promise<SettingsDeleted> {
    const change = { nowMs: this.clock.now(), context };
    const wallet = merchantOf(context);
    await this.settings.delete(wallet, change, (client) => this.endpoints.syncEndpoint(client, wallet, null));
    return { ok: true };
  }
}
