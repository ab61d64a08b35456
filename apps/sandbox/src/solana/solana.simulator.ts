import type { FastifyInstance } from 'fastify';
import { stringify } from 'lossless-json';
import { Outage } from '../simulators/outage';
import { observeOutage } from '../simulators/provider-outage';
import type { ServiceSimulator, ServiceSimulatorParts } from '../simulators/service-simulator';
import { AccountMethods } from './account-methods';
import { BlockMethods } from './block-methods';
import type { RpcMethods } from './rpc-context';
import { SolanaChain } from './solana-chain';
import { rpcCodes, SolanaRejection } from './solana-rejection';
import { SolanaRepository } from './solana.repository';
import { SolanaTreasury } from './solana-treasury';
import { Subscriptions } from './subscriptions';
import { TransactionMethods } from './transaction-methods';

// Enough for a batch of several hundred requests.
const bodyLimit = 256 * 1024;
const mostInBatch = 100;

/** A Solana node with JSON-RPC over HTTP and WebSocket. It is a local network that executes real programs. */
export class SolanaSimulator implements ServiceSimulator {
  readonly prefix = '/solana';
  readonly outage = new Outage();
  readonly chain: SolanaChain;
  readonly treasury: SolanaTreasury;
  private readonly methods: RpcMethods;
  private readonly subscriptions: Subscriptions;

  constructor(private readonly parts: Pick<ServiceSimulatorParts, 'clock' | 'database' | 'onError'>) {
    const { clock, database, onError } = parts;
    this.chain = new SolanaChain({ repository: new SolanaRepository(database), clock });
    this.treasury = new SolanaTreasury(this.chain);
    const transactions = new TransactionMethods(this.chain);
    this.methods = {
      ...new AccountMethods(this.chain).methods,
      ...new BlockMethods(this.chain).methods,
      ...transactions.methods,
    };
    this.subscriptions = new Subscriptions(this.chain, transactions, onError);
  }

  /** Undefined until the first request starts the network, because most sandboxes never use Solana. */
  start?(): Promise<void>;

  /** Resolves when all started transactions are stored. */
  async stop(): Promise<void> {
    await this.subscriptions.close();
    await this.chain.idle();
  }

  register(routes: FastifyInstance): void {
    observeOutage(routes, this.outage);
    this.subscriptions.attach(routes.server, this.prefix, () => this.outage.mode === 'up');
    routes.removeAllContentTypeParsers();
    routes.addContentTypeParser('*', { parseAs: 'string', bodyLimit }, (_request, body, done) => {
      done(null, body);
    });
    routes.post<{ Body: unknown }>('/', { bodyLimit }, async ({ body }, reply) =>
      reply.type('application/json').send(stringify(await this.answerBody(body))),
    );
  }

  private async answerBody(body: unknown): Promise<unknown> {
    const request = readJson(body);
    if (request === undefined) return envelope(null, { error: { code: -32_700, message: 'Parse error' } });
    if (!Array.isArray(request)) return this.answer(request);
    if (request.length > mostInBatch)
      return envelope(null, { error: { code: rpcCodes.invalidRequest, message: 'Invalid request' } });
    return Promise.all(request.map((it) => this.answer(it)));
  }

  private async answer(request: unknown): Promise<object> {
    const { id, method, params } = fieldsOf(request);
    const named = typeof id === 'string' || typeof id === 'number' ? id : null;
    try {
      return envelope(named, { result: await this.call(method, params) });
    } catch (error) {
      if (error instanceof SolanaRejection) {
        const { code, message, data } = error;
        return envelope(named, { error: { code, message, ...(data !== undefined && { data }) } });
      }
      this.parts.onError(error);
      return envelope(named, { error: { code: -32_603, message: 'Internal error' } });
    }
  }

  private async call(method: unknown, params: unknown): Promise<unknown> {
    const found =
      typeof method === 'string' && Object.hasOwn(this.methods, method) ? this.methods[method] : undefined;
    if (!found) throw new SolanaRejection(rpcCodes.methodNotFound, 'Method not found');
    return found(Array.isArray(params) ? params : []);
  }
}

const envelope = (id: string | number | null, body: object): object => ({ jsonrpc: '2.0', ...body, id });

function readJson(body: unknown): unknown {
  try {
    return JSON.parse(String(body)) as unknown;
  } catch {
    return undefined;
  }
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
