import { Controller, Inject } from '@nestjs/common';
import { settingsApi, type PutSettingsRequest, type SettingsDeleted } from '@tollbridge/api';
import { Handles, merchantOf, type CallContext, type FieldError } from '@tollbridge/bus';
import { Clock } from '@tollbridge/data';
import { ServiceConfig, WorkHints } from '@tollbridge/service';
import type { MerchantConfig } from '../config';
import { WebhookEndpointsRepository } from '../webhooks/webhook-endpoints.repository';
import { problemOfWebhookUrl } from '../webhooks/webhook-url';
import { SettingsRepository, type Settings } from './settings.repository';

@Controller()
@Handles(settingsApi)
export class SettingsHandlers {
  constructor(
    private readonly settings: SettingsRepository,
    private readonly endpoints: WebhookEndpointsRepository,
    private readonly hints: WorkHints,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) private readonly config: Pick<MerchantConfig, 'environment'>,
  ) {}

  async getSettings(_query: object, context: CallContext): Promise<Settings> {
    return (await this.settings.find(merchantOf(context))) ?? {};
  }

  async putSettings({ settings }: PutSettingsRequest, context: CallContext): Promise<Settings> {
    const change = { nowMs: this.clock.now(), context };
    const wallet = merchantOf(context);
    const webhookUrl = Object.hasOwn(settings, 'webhookUrl') ? String(settings['webhookUrl']) : null;
    await this.settings.put(wallet, settings, change, (client) =>
      this.endpoints.syncEndpoint(client, wallet, webhookUrl),
    );
    // Messages may wait for the endpoint.
    this.hints.written();
    return settings;
  }

  problemsOfPutSettings({ settings }: Partial<PutSettingsRequest>): FieldError[] {
    if (settings === undefined || !Object.hasOwn(settings, 'webhookUrl')) return [];
    const { webhookUrl } = settings;
    const problem =
      typeof webhookUrl === 'string'
        ? problemOfWebhookUrl(webhookUrl, this.config.environment)
        : 'must be a string; leave it out for no webhooks';
    return problem === undefined ? [] : [{ field: 'webhookUrl', message: problem }];
  }

  async deleteSettings(_query: object, context: CallContext): Promise<SettingsDeleted> {
    const change = { nowMs: this.clock.now(), context };
    const wallet = merchantOf(context);
    await this.settings.delete(wallet, change, (client) => this.endpoints.syncEndpoint(client, wallet, null));
    return { ok: true };
  }
}
