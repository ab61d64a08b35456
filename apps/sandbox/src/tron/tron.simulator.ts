import type { Database } from '@tollbridge/database';
import type { ExactJson } from '@tollbridge/onchain/tron';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Outage } from '../simulators/outage';
import { observeOutage } from '../simulators/provider-outage';
import type { ServiceSimulator } from '../simulators/service-simulator';
import { BlockClock } from './block-clock';
import { ensureGenesis } from './genesis';
import { GridMethods } from './grid-methods';
import { JsonRpcMethods } from './json-rpc-methods';
import { answerJsonRpc } from './json-rpc-request';
import { mainNetwork, type TronNetwork } from './network';
import { NodeMethods } from './node-methods';
import { isVisible, type Params } from './params';
import { TronChain } from './tron-chain';
import { TronTreasury } from './tron-treasury';
import { BadRequest, TronRejection } from './tron-rejection';
import { nodeJson } from './wire';

// Enough for a transaction of 500 KB in hex, twice: as JSON and as raw_data_hex.
const bodyLimit = 4 * 1_024 * 1_024;

export interface TronSimulatorOptions {
  /** URL of a local EVM node where no other program mines blocks. Without it, the network is unavailable. */
  rpcUrl: string | undefined;
  database: Pick<Database, 'pool'>;
  network?: Partial<TronNetwork>;
  /** False for tests that mine blocks themselves. */
  minesByClock?: boolean;
  onError(error: unknown): void;
}

/** Tron's HTTP interface of full nodes, solidity nodes and TronGrid, on a local EVM node. */
export class TronSimulator implements ServiceSimulator {
  readonly prefix = '/tron';
  readonly outage = new Outage();
  readonly chain: TronChain;
  readonly treasury: TronTreasury;
  private readonly node: NodeMethods;
  private readonly grid: GridMethods;
  private readonly jsonRpc: JsonRpcMethods;
  private readonly clock: BlockClock;
  private starting: Promise<void> | undefined;

  constructor(private readonly options: TronSimulatorOptions) {
    const { rpcUrl = '', database, network, onError } = options;
    this.chain = new TronChain({
      rpcUrl,
      database,
      network: { ...mainNetwork, ...network },
      onRollback: () => (this.starting = undefined),
    });
    this.node = new NodeMethods(this.chain);
    this.grid = new GridMethods(this.chain);
    this.jsonRpc = new JsonRpcMethods(this.chain);
    this.clock = new BlockClock(this.chain, onError);
    this.treasury = new TronTreasury({
      chain: this.chain,
      ready: () => this.ready(),
      wake: () => this.clock.wake(),
    });
  }

  /** Undefined until the first request starts the chain, because most sandboxes never use Tron. */
  start?(): Promise<void>;

  /** Resolves when all started requests have ended. */
  async stop(): Promise<void> {
    this.clock.stop();
    await this.chain.idle();
  }

  /** Resolves when the chain has its genesis. The next call retries a failed start. */
  ready(): Promise<void> {
    this.starting ??= this.begin().catch((error: unknown) => {
      this.starting = undefined;
      throw error;
    });
    return this.starting;
  }

  private async begin(): Promise<void> {
    await this.chain.start();
    await ensureGenesis(this.chain);
    if (this.options.minesByClock !== false) this.clock.start();
  }

  register(routes: FastifyInstance): void {
    observeOutage(routes, this.outage);
    routes.addHook('preHandler', async (_request, reply) => {
      if (!this.options.rpcUrl) return reply.code(503).send({ Error: 'No EVM node is configured' });
      await this.ready();
    });
    // tronweb sends empty bodies with the content type of JSON.
    routes.removeAllContentTypeParsers();
    routes.addContentTypeParser('*', { parseAs: 'string', bodyLimit }, (_request, body, done) => {
      done(null, body);
    });
    routes.setErrorHandler(async (error: Error & { statusCode?: number }, _request, reply) => {
      const status = error.statusCode ?? 500;
      if (status >= 500) this.options.onError(error);
      return reply.code(status).send({ Error: status >= 500 ? 'Internal server error' : error.message });
    });
    routes.post<{ Body: unknown }>('/jsonrpc', async ({ body }, reply) =>
      reply
        .type('application/json')
        .send(await answerJsonRpc(this.jsonRpc, String(body ?? ''), this.options.onError)),
    );
    this.registerNode(routes, 'wallet');
    this.registerNode(routes, 'walletsolidity');
    this.registerGrid(routes);
  }

  private registerNode(routes: FastifyInstance, path: 'wallet' | 'walletsolidity'): void {
    const handle = async (name: string, params: Params, reply: FastifyReply) => {
      const method = this.node.find(path, name);
      if (!method) return reply.code(404).send({ Error: 'Not Found' });
      if (name.startsWith('broadcast')) this.clock.wake();
      return answer(reply, params, () => method(params));
    };
    routes.get<{ Params: { name: string }; Querystring: Params }>(
      `/${path}/:name`,
      ({ params, query }, reply) => handle(params.name, query, reply),
    );
    routes.post<{ Params: { name: string }; Querystring: Params; Body: unknown }>(
      `/${path}/:name`,
      async ({ params, query, body }, reply) => {
        const fields = readBody(body);
        if (!fields) return reply.send({ Error: 'class com.alibaba.fastjson.JSONException : syntax error' });
        return handle(params.name, { ...query, ...fields }, reply);
      },
    );
  }

  private registerGrid(routes: FastifyInstance): void {
    type Request = { Params: { id: string }; Querystring: Params };
    const methods: Record<string, (id: string, params: Params) => Promise<ExactJson>> = {
      '/v1/accounts/:id': (id) => this.grid.account(id),
      '/v1/contracts/:id/events': (id, params) => this.grid.contractEvents(id, params),
      '/v1/transactions/:id/events': (id, params) => this.grid.transactionEvents(id, params),
      '/v1/blocks/:id/events': (id, params) => this.grid.blockEvents(id, params),
    };
    for (const [path, method] of Object.entries(methods))
      routes.get<Request>(path, async ({ params, query }, reply) => {
        try {
          return sendJson(reply, await method(params.id, query), false);
        } catch (error) {
          if (!(error instanceof BadRequest)) throw error;
          return reply.code(400).send({ success: false, error: error.message, statusCode: 400 });
        }
      });
  }
}

/** Answers a request. Like a full node, reports an unreadable request in a field, with status 200. */
async function answer(
  reply: FastifyReply,
  params: Params,
  method: () => Promise<ExactJson>,
): Promise<FastifyReply> {
  try {
    return sendJson(reply, await method(), isVisible(params));
  } catch (error) {
    if (error instanceof BadRequest || error instanceof TronRejection)
      return reply.send({ Error: error.message });
    throw error;
  }
}

const sendJson = (reply: FastifyReply, value: ExactJson, visible: boolean): FastifyReply =>
  reply.type('application/json').send(nodeJson(value, visible));

/** Returns undefined for a body that is not a JSON object. An empty body has no fields. */
function readBody(body: unknown): Params | undefined {
  if (body === undefined || body === null || body === '') return {};
  try {
    const value: unknown = JSON.parse(String(body));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Params)
      : undefined;
  } catch {
    return undefined;
  }
}
