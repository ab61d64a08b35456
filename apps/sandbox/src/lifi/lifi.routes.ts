import { randomUUID } from 'node:crypto';
import type { Clock } from '@tollbridge/database';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { DepositsRepository } from '../across/deposits.repository';
import type { Markets } from '../markets/market';
import type { PricesRepository } from '../prices/prices.repository';
import type { Outage } from '../simulators/outage';
import { bridge, describeChain, exchange, wireToken } from './describe';
import { toLifiRejection, LifiRejection, lifiCodes } from './lifi-rejection';
import type { LifiSteps } from './lifi-steps';
import {
  marketOf,
  readQuoteRequest,
  readRoutesRequest,
  tokenOf,
  type LifiRequest,
} from './read-quote-request';
import { transferStatus } from './transfer-status';
import type { LiFiStep } from './wire';

export interface LifiParts {
  markets: Markets;
  steps: LifiSteps;
  deposits: DepositsRepository;
  prices: PricesRepository;
  outage: Outage;
  clock: Clock;
}

type Fields = Readonly<Record<string, unknown>>;
type Query = { Querystring: Fields };

const invalid = (message: string): LifiRejection => new LifiRejection(400, lifiCodes.validation, message);

/** One-step and two-step quotes, transaction status, and the provider's lists. */
export function registerLifi(server: FastifyInstance, parts: LifiParts): void {
  const { outage } = parts;
  server.addHook('onRequest', async (_, reply) => {
    // Sends no response until the caller closes the connection.
    if (outage.mode === 'slow') reply.hijack();
    if (outage.mode === 'down')
      await sendRejection(reply, new LifiRejection(503, lifiCodes.server, 'Service Unavailable'));
  });
  server.setErrorHandler(async (error: Error & { statusCode?: number }, request, reply) => {
    if (error instanceof LifiRejection) return sendRejection(reply, error);
    request.log.error({ err: error }, 'simulated provider failed');
    const isOurs = (error.statusCode ?? 500) >= 500;
    const ours = new LifiRejection(500, lifiCodes.server, 'Internal server error');
    return sendRejection(reply, isOurs ? ours : invalid(error.message));
  });
  server.setNotFoundHandler((_, reply) =>
    sendRejection(reply, new LifiRejection(404, lifiCodes.notFound, 'Not Found')),
  );
  registerQuotes(server, parts);
  registerLists(server, parts);
  server.get<Query>('/status', ({ query }) => {
    const { txHash, fromChain } = query;
    if (typeof txHash !== 'string' || !/^0x[0-9a-fA-F]{64}$/.test(txHash))
      throw invalid('/txHash must have the form of a transaction hash');
    const from = fromChain === undefined ? undefined : marketOf(query, 'fromChain', parts.markets);
    return transferStatus(txHash.toLowerCase(), from?.chainId, parts);
  });
}

function sendRejection(reply: FastifyReply, { status, code, message, errors }: LifiRejection): FastifyReply {
  return reply.code(status).send({ message, code, ...(errors && { errors }) });
}

function registerQuotes(server: FastifyInstance, { markets, steps }: LifiParts): void {
  server.get<Query>('/quote', ({ query }) => create(steps, readQuoteRequest(query, markets)));
  server.post<{ Body: Fields | null }>('/advanced/routes', async ({ body }) => {
    const request = readRoutesRequest(body ?? {}, markets);
    try {
      const { transactionRequest: _, ...step } = await create(steps, request);
      return { routes: [routeOf(step)], unavailableRoutes: { filteredOut: [], failed: [] } };
    } catch (error) {
      if (!(error instanceof LifiRejection && error.errors)) throw error;
      return { routes: [], unavailableRoutes: error.errors };
    }
  });
  server.post<{ Body: Partial<LiFiStep> | null }>('/advanced/stepTransaction', async ({ body }) => {
    const { action, estimate, id, integrator } = body ?? {};
    if (!action || !estimate) throw invalid('must be a step');
    const { fromChainId, toChainId, fromToken, toToken } = action;
    const named = { fromChain: fromChainId, toChain: toChainId, integrator };
    const tokens = { fromToken: fromToken?.address, toToken: toToken?.address };
    const request = readQuoteRequest({ ...action, ...named, ...tokens }, markets);
    const step = await create(steps, request, id);
    if (BigInt(step.estimate.toAmount) < BigInt(estimate.toAmountMin))
      throw new LifiRejection(409, lifiCodes.slippage, 'The price has moved beyond the slippage');
    return step;
  });
}

/** @throws LifiRejection with the reason of the tool */
async function create(steps: LifiSteps, request: LifiRequest, id?: string): Promise<LiFiStep> {
  try {
    return await steps.create(request, id);
  } catch (error) {
    const { from, to, fromToken, toToken, amountAtomic } = request;
    const action = {
      fromChainId: from.chainId,
      toChainId: to.chainId,
      fromAmount: String(amountAtomic),
      fromToken: fromToken.symbol,
      toToken: toToken.symbol,
    };
    const tool = from === to ? exchange : bridge;
    throw toLifiRejection(error, action, tool.key) ?? error;
  }
}

function routeOf(step: LiFiStep): object {
  const { action, estimate } = step;
  const { fromChainId, fromAmount, fromToken, fromAddress, toChainId, toToken, toAddress } = action;
  return {
    id: randomUUID(),
    insurance: { state: 'NOT_INSURABLE', feeAmountUsd: '0' },
    fromChainId,
    fromAmountUSD: estimate.fromAmountUSD,
    fromAmount,
    fromToken,
    fromAddress,
    toChainId,
    toAmountUSD: estimate.toAmountUSD,
    toAmount: estimate.toAmount,
    toAmountMin: estimate.toAmountMin,
    toToken,
    toAddress,
    gasCostUSD: estimate.gasCosts[0]!.amountUSD,
    containsSwitchChain: false,
    steps: [step],
    tags: ['RECOMMENDED', 'CHEAPEST', 'FASTEST'],
  };
}

function registerLists(server: FastifyInstance, { markets, prices }: LifiParts): void {
  const all = () => [...markets.values()];
  server.get('/chains', async () => {
    const table = await prices.all();
    return { chains: all().map((market) => describeChain(market, table)) };
  });
  server.get<Query>('/tokens', async ({ query }) => {
    const table = await prices.all();
    const named = String(query['chains'] ?? '').split(',');
    const wanted = named[0] === '' ? all() : named.map((chains) => marketOf({ chains }, 'chains', markets));
    const lists = wanted.map(({ chainId, tokens }) => [chainId, tokens.map((it) => wireToken(it, table))]);
    return { tokens: Object.fromEntries(lists) as Record<string, unknown> };
  });
  server.get<Query>('/token', async ({ query }) => {
    const token = tokenOf(query, 'token', marketOf(query, 'chain', markets));
    return wireToken(token, await prices.all());
  });
  server.get('/tools', () => {
    const ids = all().map(({ chainId }) => chainId);
    const pairs = ids.flatMap((fromChainId) =>
      ids.filter((id) => id !== fromChainId).map((toChainId) => ({ fromChainId, toChainId })),
    );
    return {
      exchanges: [{ ...exchange, supportedChains: ids }],
      bridges: [{ ...bridge, supportedChains: pairs }],
    };
  });
}
