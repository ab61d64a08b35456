import { randomUUID } from 'node:crypto';
import type { Clock } from '@tollbridge/database';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { wireAddress, type Markets } from '../markets/market';
import type { PricesRepository } from '../prices/prices.repository';
import type { Outage } from '../simulators/outage';
import type { Approvals } from './approvals';
import { depositStatus, indexedDeposits, isIndexed } from './deposit-status';
import type { Deposit, DepositsRepository } from './deposits.repository';
import { readApprovalRequest } from './read-approval-request';
import { SwapRejection } from './swap-rejection';

export interface AcrossParts {
  markets: Markets;
  approvals: Approvals;
  deposits: DepositsRepository;
  prices: PricesRepository;
  outage: Outage;
  clock: Clock;
}

type Query = Readonly<Record<string, unknown>>;

const paths = ['/swap/approval', '/swap/chains', '/swap/tokens', '/swap/sources', '/deposit/status'];

/** Routes of the provider's swap API and of its indexer. */
export function registerAcross(server: FastifyInstance, parts: AcrossParts): void {
  const { outage, approvals } = parts;
  server.addHook('onRequest', async (_, reply) => {
    // Sends no response until the caller closes the connection.
    if (outage.mode === 'slow') reply.hijack();
    if (outage.mode === 'down') await reply.code(503).type('text/plain').send('Service Unavailable');
  });
  server.setErrorHandler(async (error: Error & { statusCode?: number }, request, reply) => {
    if (error instanceof SwapRejection) return sendRejection(reply, error);
    request.log.error({ err: error }, 'simulated provider failed');
    const isOurs = (error.statusCode ?? 500) >= 500;
    return isOurs
      ? sendRejection(reply, new SwapRejection('UNEXPECTED_ERROR', 'Unexpected error occurred', 500))
      : sendRejection(reply, new SwapRejection('INVALID_PARAM', error.message));
  });
  server.setNotFoundHandler((request, reply) => notFound(server, request, reply));

  server.get<{ Querystring: Query }>('/swap/approval', ({ query }) =>
    approvals.answer(readApprovalRequest(query)),
  );
  server.post<{ Querystring: Query }>('/swap/approval', ({ query, body }) => {
    const { actions } = (body ?? {}) as { actions?: unknown };
    const isEmpty = actions === undefined || (Array.isArray(actions) && actions.length === 0);
    if (!isEmpty)
      throw new SwapRejection('INVALID_PARAM', 'actions are not available in the sandbox', 400, 'actions');
    return approvals.answer(readApprovalRequest(query));
  });
  server.get('/swap/chains', () => [...parts.markets.values()].map(describeChain));
  server.get('/swap/tokens', () => tokens(parts));
  server.get('/swap/sources', () =>
    [...parts.markets.keys()].map((chainId) => ({ chainId, sources: ['uniswap_v3'] })),
  );
  server.get<{ Querystring: Query }>('/deposit/status', async ({ query }, reply) => {
    const index = Number(query['index'] ?? 0);
    const found = await findDeposits(query, parts);
    const deposit = found[index];
    if (deposit) return depositStatus(deposit, index, found.length);
    return reply.code(404).send({
      error: 'DepositNotFoundException',
      message: 'Deposit not found given the provided constraints',
    });
  });
}

function sendRejection(reply: FastifyReply, { code, message, status, param }: SwapRejection): FastifyReply {
  const id = randomUUID();
  return reply.code(status).send({ type: 'AcrossApiError', code, status, message, param, id, requestId: id });
}

function notFound(server: FastifyInstance, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const [path] = request.url.slice(server.prefix.length).split('?');
  return paths.includes(path!)
    ? sendRejection(reply, new SwapRejection('INVALID_METHOD', `Method ${request.method} not allowed`, 405))
    : reply.code(404).type('text/plain').send('The page could not be found');
}

function describeChain({
  chainId,
  chain,
}: {
  chainId: number;
  chain: { name: string; explorerTxUrl: string; logo: string };
}) {
  return {
    chainId,
    name: chain.name,
    // Empty, because `GET /sandbox` reports the RPC URL of a local node, and clients of the provider do not need it.
    publicRpcUrl: '',
    explorerUrl: new URL(chain.explorerTxUrl.replace('{tx}', '')).origin,
    logoUrl: chain.logo,
  };
}

async function tokens({ markets, prices }: AcrossParts): Promise<unknown[]> {
  const table = await prices.all();
  return [...markets.values()].flatMap(({ tokens: listed, chainId }) =>
    listed.map((token) => ({
      chainId,
      address: wireAddress(token),
      name: token.symbol,
      symbol: token.symbol,
      decimals: token.decimals,
      logoUrl: '',
      priceUsd: table.get(token.symbol)?.usd ?? null,
    })),
  );
}

async function findDeposits(query: Query, parts: AcrossParts): Promise<Deposit[]> {
  const { depositTxnRef, depositTxHash, originChainId, depositId } = query;
  const txHash = depositTxnRef ?? depositTxHash;
  if (typeof txHash === 'string') return indexedDeposits(txHash, parts);
  const isNumber = (value: unknown): value is string => typeof value === 'string' && /^\d{1,78}$/.test(value);
  if (!isNumber(originChainId) || !isNumber(depositId))
    throw new SwapRejection('MISSING_PARAM', 'depositTxnRef, or originChainId and depositId, are needed');
  const found = await parts.deposits.byNumber(Number(originChainId), depositId);
  return found.filter((deposit) => isIndexed(deposit, parts.clock));
}
