import {
  dashboardApi,
  internalDashboardApi,
  TransactionFilters,
  type TransactionRecord,
} from '@tollbridge/contracts';
import { DomainError, merchantOf, type BusClient, type CallContext } from '@tollbridge/rpc';
import type { FastifyInstance } from 'fastify';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { Admit } from '../http/admission';
import { gate, queryReader } from '../http/operation-routes';
import { describedAs, type DocumentedRoute } from '../openapi/documented-route';
import { csvHeader, csvRow } from './transactions-csv';

// What spreadsheets can open; who needs more goes on from the last record.
const defaultMaxRows = 1_000_000;
// Each holds a page in memory and keeps the database busy; one merchant must not take the places of all.
const maxAtOnce = 16;
const maxAtOnceOfOne = 2;
const maxTries = 3;
const defaultRetryMs = 1_000;

export interface ExportOptions {
  admit: Admit;
  maxRows?: number;
  retryMs?: number;
}

/**
 * A wallet's transactions as a CSV file, as long as there are any. It is read page by page, the next one when the caller has
 * taken the one before, and no longer than he is there. A file that cannot be finished is cut off in the middle, which every
 * client notices; it never ends as if it were whole.
 */
export function addExportRoutes(
  server: FastifyInstance,
  bus: Pick<BusClient, 'call'>,
  { admit, maxRows = defaultMaxRows, retryMs = defaultRetryMs }: ExportOptions,
): void {
  // Who may list them may have them all; as it costs much, nobody may while requests cannot be counted.
  const operation = { ...dashboardApi.operations.listTransactions, isCostly: true };
  const filtersOf = queryReader({ input: TransactionFilters, pathFields: [] });
  const places = new Places();
  server.get(
    '/api/transactions/export',
    // A HEAD would be answered at once, and the file read to its end for nobody.
    { config: { style: 'bare' }, exposeHeadRoute: false, onRequest: gate(operation, admit) },
    async (request, reply) => {
      const filters = JSON.parse(filtersOf(request).toString()) as TransactionFilters;
      const leave = places.take(merchantOf(request.call));
      // Who has hung up while he was let in closes nothing any more.
      if (reply.raw.destroyed) leave();
      else reply.raw.once('close', leave);
      const pages = new Pages(bus, filters, request.call, retryMs);
      // What is wrong with the request shows here, while it can still be answered.
      const first = await pages.next();
      return reply
        .header('content-type', 'text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="transactions.csv"')
        .send(Readable.from(linesOf(first, pages, maxRows), { highWaterMark: 1 }));
    },
  );
}

/** `GET /api/transactions/export` in the document. */
export const exportRoute: DocumentedRoute = {
  tag: 'Merchant dashboard',
  operation: describedAs(dashboardApi.operations.listTransactions, 'exportTransactions', {
    path: '/api/transactions/export',
    input: TransactionFilters,
    summary: "Export a merchant's transactions as CSV",
    description: `All transactions that match, oldest page last, at most ${defaultMaxRows.toLocaleString('en')} rows. The connection is cut where the file cannot be finished: a whole file ends with a complete row.`,
  }),
  replies: {
    200: {
      description: 'The file, streamed',
      content: { type: 'text/csv', schema: { type: 'string' }, example: csvHeader },
      headers: {
        'content-disposition': {
          description: 'Name of the file',
          schema: { type: 'string', examples: ['attachment; filename="transactions.csv"'] },
        },
      },
    },
  },
};

/** The merchants with an export in progress. */
class Places {
  private readonly taken: string[] = [];

  /**
   * @param owner the merchant; all keys of a merchant and its wallet share its places
   * @returns how to leave
   * @throws DomainError when there is no room
   */
  take(owner: string): () => void {
    const own = this.taken.filter((other) => other === owner);
    if (this.taken.length >= maxAtOnce || own.length >= maxAtOnceOfOne)
      throw new DomainError(
        'SERVICE_UNAVAILABLE',
        'Too many exports are running. Retry after retryAfter seconds.',
      );
    this.taken.push(owner);
    return () => void this.taken.splice(this.taken.indexOf(owner), 1);
  }
}

async function* linesOf(
  first: readonly TransactionRecord[],
  pages: Pages,
  maxRows: number,
): AsyncGenerator<string> {
  yield csvHeader;
  let rows = 0;
  for (let page = first; page.length > 0 && rows < maxRows; page = await pages.next()) {
    const taken = page.slice(0, maxRows - rows);
    rows += taken.length;
    yield taken.map(csvRow).join('');
  }
}

/** The pages of one export, one after the other. */
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
        // A page can be read again; a service that is being restarted is soon back.
        const passes = error instanceof DomainError && error.status >= 503;
        if (!passes || tries === maxTries || this.cursor === undefined) throw error;
        await pause(this.retryMs);
      }
    }
  }
}
