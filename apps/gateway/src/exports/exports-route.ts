import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { internalDashboardApi, TransactionFilters, type TransactionRecord } from '@tollbridge/contracts';
import { BusClient, DomainError, merchantOf, type CallContext } from '@tollbridge/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { fastifyOf } from '../http/gateway-adapter';
import { queryReader } from '../operations/input-readers';
import { ExportSlots } from './export-slots';
import { exportTransactions } from './exports.routes';
import { byteOrderMark, csvHeader, csvRow } from './transactions-csv';

const maxTries = 3;

export interface ExportOptions {
  maxRows: number;
  retryMs: number;
}

/** Injection token of `ExportOptions`. */
export const ExportOptions = Symbol('ExportOptions');

const filtersOf = queryReader({ input: TransactionFilters, pathFields: [] });

/**
 * Streams the transactions of a wallet as a CSV file, page by page, as fast as the client reads. If the file cannot be
 * completed, the connection is closed, so that the file does not appear complete.
 */
@Injectable()
export class ExportsRoute implements OnModuleInit {
  private readonly slots = new ExportSlots();

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly bus: BusClient,
    @Inject(ExportOptions) private readonly options: ExportOptions,
  ) {}

  onModuleInit(): void {
    // Not a controller, because Nest always adds a HEAD route, which would read the whole file and discard it.
    fastifyOf(this.host).get(
      exportTransactions.declaration.path,
      { exposeHeadRoute: false },
      (request, reply) => this.send(request, reply),
    );
  }

  private async send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { maxRows, retryMs } = this.options;
    const filters = JSON.parse(filtersOf(request).toString()) as TransactionFilters;
    const release = this.slots.take(merchantOf(request.call));
    // A client that disconnected during admission emits no further close event.
    if (reply.raw.destroyed) release();
    else reply.raw.once('close', release);
    const pages = new Pages(this.bus, filters, request.call, retryMs);
    // The first page is read before the reply starts, so that an error can still be returned.
    const first = await pages.next();
    return reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="transactions.csv"')
      .send(Readable.from(linesOf(first, pages, maxRows), { highWaterMark: 1 }));
  }
}

async function* linesOf(
  first: readonly TransactionRecord[],
  pages: Pages,
  maxRows: number,
): AsyncGenerator<string> {
  yield byteOrderMark + csvHeader;
  let rows = 0;
  for (let page = first; page.length > 0 && rows < maxRows; page = await pages.next()) {
    const taken = page.slice(0, maxRows - rows);
    rows += taken.length;
    yield taken.map(csvRow).join('');
  }
}

/** The pages of one export, in order. */
class Pages {
  private cursor: string | undefined;

  constructor(
    private readonly bus: Pick<BusClient, 'call'>,
    private readonly filters: TransactionFilters,
    private readonly context: CallContext,
    private readonly retryMs: number,
  ) {}

  async next(): Promise<TransactionRecord[]> {
    const input = { ...this.filters, ...(this.cursor !== undefined && { cursor: this.cursor }) };
    for (let tries = 1; ; tries++) {
      try {
        const { exportPage } = internalDashboardApi.operations;
        const { records } = await this.bus.call(exportPage, input, this.context);
        this.cursor = records.at(-1)?.id;
        return records;
      } catch (error) {
        // Reading a page again is safe, and a restart of the service is short.
        const isTemporary = error instanceof DomainError && error.status >= 503;
        if (!isTemporary || tries === maxTries || this.cursor === undefined) throw error;
        await pause(this.retryMs);
      }
    }
  }
}
