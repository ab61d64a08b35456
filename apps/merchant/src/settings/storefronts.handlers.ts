import { Controller } from '@nestjs/common';
import { internalStorefrontsApi, type StoreLogoLookup, type StoreLogoReply } from '@tollbridge/contracts';
import { DomainError, Handles } from '@tollbridge/rpc';
import { SettingsRepository } from './settings.repository';

/** Internal operations for the pages of the gateway. */
@Controller()
@Handles(internalStorefrontsApi)
export class StorefrontsHandlers {
  constructor(private readonly settings: SettingsRepository) {}

  async readStoreLogo({ hash }: StoreLogoLookup): Promise<StoreLogoReply> {
    const logo = await this.settings.logo(hash);
    if (!logo) throw new DomainError('NOT_FOUND', 'No shop has this logo.');
    return { type: logo.type, content: logo.content.toString('base64') };
  }
}
