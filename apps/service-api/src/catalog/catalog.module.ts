import { Module } from '@nestjs/common';
import { CatalogHandlers } from './catalog.handlers';
import { CatalogRepository } from './catalog.repository';

/** The list of services, and which of them this deployment has configured. */
@Module({ controllers: [CatalogHandlers], providers: [CatalogRepository] })
export class CatalogModule {}
