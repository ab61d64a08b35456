import { Controller, Inject, type OnApplicationBootstrap } from '@nestjs/common';
import {
  catalogApi,
  maxServices,
  maxServicesFound,
  type CatalogQuery,
  type CatalogReply,
  type CatalogSearchQuery,
  type CatalogSearchReply,
  type CatalogService,
  type CatalogServiceQuery,
} from '@tollbridge/contracts';
import { DomainError, Handles } from '@tollbridge/rpc';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { CatalogRepository } from './catalog.repository';
import { ConfiguredProviders, type Availability, type ProviderConfig } from './providers';
import { serviceView, wordsOf, type ListedService } from './service';
import { services } from './services';

/** The services of this API, and which of them this deployment has configured. */
@Controller()
@Handles(catalogApi)
export class CatalogHandlers implements OnApplicationBootstrap {
  private readonly availability: Availability;

  constructor(
    private readonly catalog: CatalogRepository,
    @Inject(ServiceConfig) config: ProviderConfig,
  ) {
    this.availability = new ConfiguredProviders(config);
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.catalog.fill(services);
  }

  async listServices(_query: CatalogQuery): Promise<CatalogReply> {
    return this.reply(await this.catalog.list(maxServices));
  }

  async searchServices({ q, category }: CatalogSearchQuery): Promise<CatalogSearchReply> {
    if (q === undefined) return this.reply(await this.catalog.inCategory(category, maxServicesFound));
    const words = wordsOf(q);
    // A query without letters and digits matches nothing.
    if (words.length === 0) return this.reply([]);
    return this.reply(await this.catalog.search(words, category, maxServicesFound));
  }

  async getService({ id }: CatalogServiceQuery): Promise<CatalogService> {
    const listed = await this.catalog.find(id);
    if (!listed)
      throw new DomainError('NOT_FOUND', 'The service does not exist. GET /catalog lists all services.');
    return this.view(listed);
  }

  private reply(found: readonly ListedService[]): CatalogReply {
    return { services: found.map((listed) => this.view(listed)), count: found.length };
  }

  private view(listed: ListedService): CatalogService {
    return serviceView(listed, this.availability.isAvailable(listed.provider));
  }
}
