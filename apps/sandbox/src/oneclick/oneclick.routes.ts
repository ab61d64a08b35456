import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@tollbridge/database';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PricesRepository } from '../prices/prices.repository';
import type { Outage } from '../simulators/outage';
import { coingeckoIdOf, type Assets } from './assets';
import { QuoteRejection, type Quotes } from './create-quote';
import { executionStatus } from './execution-status';
import { slowQuoteMs } from './magic-amounts';
import type { PaymentsRepository } from './payments.repository';
import { readQuoteRequest } from './read-quote-request';
import type { Swap } from './swap';
import type { SwapsRepository } from './swaps.repository';
import type { ExecutionStatus, TokenResponse } from './wire';

export interface OneClickParts {
  assets: Assets;
  prices: PricesRepository;
  quotes: Quotes;
  swaps: SwapsRepository;
  payments: PaymentsRepository;
  outage: Outage;
  clock: Clock;
}

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  404: 'Not Found',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** The four routes of the provider. */
export function registerOneClick(server: FastifyInstance, parts: OneClickParts): void {
  const { outage } = parts;
  const fail = (request: FastifyRequest, reply: FastifyReply, status: number, message: string | string[]) =>
    reply.code(status).send({
      statusCode: status,
      message,
      error: reasons[status],
      correlationId: randomUUID(),
      timestamp: new Date(parts.clock.now()).toISOString(),
      path: request.url.slice(server.prefix.length),
    });
  server.addHook('onRequest', async (request, reply) => {
    // Sends no response until the caller closes the connection.
    if (outage.mode === 'slow') reply.hijack();
    if (outage.mode === 'down') await fail(request, reply, 503, 'Service Unavailable');
  });
  server.setErrorHandler(async (error: Error & { statusCode?: number }, request, reply) => {
    if (error instanceof QuoteRejection) return fail(request, reply, error.status, error.message);
    const status = error.statusCode ?? 500;
    request.log.error({ err: error }, 'simulated provider failed');
    return fail(request, reply, status, status < 500 ? error.message : 'Internal server error');
  });
  server.setNotFoundHandler((request, reply) =>
    fail(request, reply, 404, `Cannot ${request.method} ${request.url.slice(server.prefix.length)}`),
  );

  server.get('/v0/tokens', () => tokens(parts));
  server.post('/v0/quote', async (request, reply) => {
    const read = readQuoteRequest(request.body);
    if ('problems' in read) return fail(request, reply, 400, read.problems);
    const { response, outcome } = await parts.quotes.create(read.request);
    if (outcome === 'slowQuote') await sleep(slowQuoteMs);
    if (outcome === 'lostAnswer' && !read.request.dry) {
      reply.hijack();
      request.raw.socket.destroy();
      return reply;
    }
    return reply.code(201).send(response);
  });
  server.get<{ Querystring: { depositAddress?: string; depositMemo?: string } }>(
    '/v0/status',
    async (request, reply) => {
      const { depositAddress, depositMemo } = request.query;
      if (!depositAddress) return fail(request, reply, 400, ['depositAddress should not be empty']);
      const swap = await parts.swaps.find(depositAddress, depositMemo ?? '');
      if (!swap) return fail(request, reply, 404, `Deposit address ${depositAddress} not found`);
      return statusOf(swap, parts);
    },
  );
  server.post('/v0/deposit/submit', async (request, reply) => {
    const { txHash, depositAddress, memo } = (request.body ?? {}) as Record<string, unknown>;
    const problems = Object.entries({ txHash, depositAddress })
      .filter(([, value]) => typeof value !== 'string' || value === '')
      .map(([name]) => `${name} should not be empty`);
    if (problems.length > 0) return fail(request, reply, 400, problems);
    const swap = await parts.swaps.find(String(depositAddress), typeof memo === 'string' ? memo : '');
    if (!swap) return fail(request, reply, 404, `Deposit address ${String(depositAddress)} not found`);
    await parts.swaps.submit(swap.id, String(txHash), parts.clock.now());
    return reply.code(201).send(await statusOf(await parts.swaps.get(swap.id), parts));
  });
}

async function tokens({ assets, prices, clock }: OneClickParts): Promise<TokenResponse[]> {
  const table = await prices.all();
  return assets.all.map((asset) => {
    const { usd, frozenAt } = table.get(asset.symbol)!;
    const coingeckoId = coingeckoIdOf(asset);
    return {
      assetId: asset.assetId,
      decimals: asset.decimals,
      blockchain: asset.blockchain,
      symbol: asset.symbol,
      price: Number(usd),
      priceUpdatedAt: (frozenAt ?? new Date(clock.now())).toISOString(),
      ...(asset.address !== null && { contractAddress: asset.address }),
      ...(coingeckoId !== undefined && { coingeckoId }),
    };
  });
}

async function statusOf(swap: Swap, { swaps, payments, prices }: OneClickParts): Promise<ExecutionStatus> {
  const [made, deposits, table] = await Promise.all([
    payments.ofSwap(swap.id),
    swaps.depositsOf(swap.id),
    prices.all(),
  ]);
  return executionStatus({ swap, payments: made, deposits, usdOf: (symbol) => table.get(symbol)!.usd });
}
