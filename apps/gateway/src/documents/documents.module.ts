import { Module } from '@nestjs/common';
import { allEvents, channels, eventStreams } from '@tollbridge/contracts';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { BusClient } from '@tollbridge/rpc';
import type { GatewayConfig } from '../config';
import { PageRenderer } from '../pages/parts/layout';
import { RouteTable } from '../routes/route-table';
import { version } from '../version';
import { WebModule } from '../web/web.module';
import { ApiDocuments, withSandboxExamples } from './api-documents';
import { asyncApiDocument } from './asyncapi-document';
import { DocumentsController } from './documents.controller';
import { errorReference, errorsPage } from './error-reference';
import { openApiDocument } from './openapi-document';
import { ApiReference } from './reference/api-reference';

const apiDocuments = {
  provide: ApiDocuments,
  useFactory: (
    { routes }: RouteTable,
    { GATEWAY_PUBLIC_URL: publicUrl, environment }: GatewayConfig,
    bus: BusClient,
    renderer: PageRenderer,
  ): ApiDocuments => {
    const document = openApiDocument(routes, publicUrl, version);
    return {
      openApi:
        environment === 'sandbox' ? withSandboxExamples(document, bus) : () => Promise.resolve(document),
      asyncApi: asyncApiDocument({ channels, eventStreams, events: allEvents }, publicUrl, version),
      errorsHtml: renderer.render(errorsPage(errorReference(routes))),
      errorsPolicy: renderer.policyOf({}),
    };
  },
  inject: [RouteTable, ServiceConfig, BusClient, PageRenderer],
};

@Module({ imports: [WebModule], controllers: [DocumentsController], providers: [apiDocuments, ApiReference] })
export class DocumentsModule {}
