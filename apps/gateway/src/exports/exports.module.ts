import { Module } from '@nestjs/common';
import { ExportOptions, ExportsRoute } from './exports-route';
import { maxExportRows } from './exports.routes';

const options = { provide: ExportOptions, useValue: { maxRows: maxExportRows, retryMs: 1_000 } };

@Module({ providers: [options, ExportsRoute] })
export class ExportsModule {}
