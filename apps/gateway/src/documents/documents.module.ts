import { Module } from '@nestjs/common';
import { allEvents, channels, eventStreams } from '@tollbridge/contracts';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { BusClient } from '@tollbridge/rpc';
import type { GatewayConfig } from '../config';
import { RouteTable } from '../routes/route-table';
import { version } from '../version';
import { ApiDocuments, withSandboxExamples } from './api-documents';
import { asyncApiDocument } from './asyncapi-document';
import { DocumentsController } from './documents.controller';
import { errorReference, errorsPage } from './error-reference';
import { openApiDocument } from './openapi-document';

const apiDocuments = {
  provide: ApiDocuments,
  useFactory: (
    { routes }: RouteTable,
    { GATEWAY_PUBLIC_URL: publicUrl, environment }: GatewayConfig,
    bus: BusClient,
  ): ApiDocuments => {
    const document = openApiDocument(routes, publicUrl, version);
    return {
      openApi:
        environment === 'sandbox' ? withSandboxExamples(document, bus) : () => Promise.resolve(document),
      asyncApi: asyncApiDocument({ channels, eventStreams, events: allEvents }, publicUrl, version),
      errorsHtml: errorsPage(errorReference(routes)),
    };
  },
  inject: [RouteTable, ServiceConfig, BusClient],
};

@Module({ controllers: [DocumentsController], providers: [apiDocuments] })
export class DocumentsModule {}
