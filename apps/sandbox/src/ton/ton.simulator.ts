import { rawAddressOf } from '@tollbridge/ton';
import type { FastifyInstance } from 'fastify';
import { Outage } from '../simulators/outage';
import { observeOutage } from '../simulators/provider-outage';
import type { ServiceSimulator, ServiceSimulatorParts } from '../simulators/service-simulator';
import { Faucet, type Gift, type MintedDeposit } from './faucet';
import { genesisMessages, readGenesis } from './genesis';
import { TonChain } from './ton-chain';
import { TonRepository } from './ton.repository';
import { TonTreasury } from './ton-treasury';
import { ToncenterMethods } from './toncenter-methods';
import type { Params } from './toncenter-params';
import { ToncenterIndex } from './toncenter-index';
import { ToncenterRejection } from './toncenter-rejection';

// Enough for an external message of 64 KB in base64, with its envelope.
const bodyLimit = 128 * 1024;

interface Reply {
  ok: boolean;
  result?: unknown;
  error?: string;
  code?: number;
}

/** TON with toncenter's api/v2 and a part of api/v3: a local chain that executes real contracts. */
export class TonSimulator implements ServiceSimulator {
  readonly prefix = '/toncenter';
  readonly outage = new Outage();
  readonly chain: TonChain;
  readonly faucet: Faucet;
  readonly treasury: TonTreasury;
  private readonly methods: ToncenterMethods;
  private readonly index: ToncenterIndex;

  constructor(private readonly parts: ServiceSimulatorParts) {
    const { clock, database } = parts;
    const repository = new TonRepository(database);
    this.chain = new TonChain({ repository, clock, genesis: genesisMessages });
    this.faucet = new Faucet(this.chain);
    this.treasury = new TonTreasury(this.chain);
    this.methods = new ToncenterMethods(this.chain, clock, parts.onError);
    this.index = new ToncenterIndex(this.chain);
  }

  /** Undefined until the first request starts the chain, because most sandboxes never use TON. */
  start?(): Promise<void>;

  /** Resolves when all started messages are stored. */
  async stop(): Promise<void> {
    await this.chain.close();
  }

  register(routes: FastifyInstance): void {
    observeOutage(routes, this.outage);
    routes.setErrorHandler(async (error: Error & { statusCode?: number }, _request, reply) => {
      const rejection = this.toRejection(error);
      return reply.code(rejection.code!).send(rejection);
    });
    routes.setNotFoundHandler(async () => {
      throw new ToncenterRejection(404, 'Unknown method');
    });
    routes.post<{ Body: unknown }>('/api/v2/jsonRPC', { bodyLimit }, async ({ body }, reply) => {
      const { id, method, params } = fieldsOf(body);
      const envelope = { jsonrpc: '2.0', id: typeof id === 'string' || typeof id === 'number' ? id : null };
      const answer = await this.answer(method, fieldsOf(params ?? {}));
      return reply.code(answer.code ?? 200).send({ ...answer, ...envelope });
    });
    this.registerIndex(routes);
    const path = '/api/v2/:method';
    routes.get<{ Params: { method: string }; Querystring: Params }>(
      path,
      async ({ params, query }, reply) => {
        const answer = await this.answer(params.method, query);
        return reply.code(answer.code ?? 200).send(answer);
      },
    );
    routes.post<{ Params: { method: string }; Body: unknown }>(
      path,
      { bodyLimit },
      async ({ params, body }, reply) => {
        const answer = await this.answer(params.method, fieldsOf(body));
        return reply.code(answer.code ?? 200).send(answer);
      },
    );
  }

  private registerIndex(routes: FastifyInstance): void {
    routes.get<{ Params: { '*': string }; Querystring: Params }>(
      '/api/v3/*',
      async ({ params, query }, reply) => {
        try {
          return await this.index.read(params['*'], query);
        } catch (error) {
          const { code, error: message } = this.toRejection(error as Error);
          return reply.code(code!).send({ error: message });
        }
      },
    );
  }

  /** Sends coins and jettons to an account. */
  async fund(gift: Gift): Promise<{ usdt_master: string; tx_hash: string }> {
    const [first] = await this.faucet.give(gift);
    const { usdt } = await readGenesis();
    return { usdt_master: usdt.address.toRawString(), tx_hash: first!.hash };
  }

  /** Deposits USDT. Resolves when the deposit account is notified. */
  async depositForNanopay(
    deposit: Omit<MintedDeposit, 'account'>,
  ): Promise<{ deposit_address: string; tx_hash: string }> {
    const account = await this.depositAccount();
    const transactions = await this.faucet.deposit({ ...deposit, account });
    const notified = transactions.filter((it) => it.account === account).at(-1);
    if (!notified) throw new Error('the deposit account was not notified');
    return { deposit_address: account, tx_hash: notified.hash };
  }

  /** Returns the raw address. */
  async depositAccount(): Promise<string> {
    const configured = this.parts.nanopayDepositAddress;
    if (configured === undefined) return (await readGenesis()).deposits.address.toRawString();
    const address = await rawAddressOf(configured, { allowTestForm: true });
    if (address === undefined) throw new Error('SANDBOX_NANOPAY_DEPOSIT_ADDRESS is not a TON account');
    return address;
  }

  private async answer(method: unknown, params: Params): Promise<Reply> {
    try {
      return { ok: true, result: await this.methods.call(method, params) };
    } catch (error) {
      return this.toRejection(error as Error);
    }
  }

  private toRejection(error: Error & { statusCode?: number }): Reply {
    const status = error instanceof ToncenterRejection ? error.status : (error.statusCode ?? 500);
    const isOurs = !(error instanceof ToncenterRejection) && status >= 500;
    if (isOurs) this.parts.onError(error);
    return { ok: false, error: isOurs ? 'Internal server error' : error.message, code: status };
  }
}

function fieldsOf(value: unknown): Params {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ToncenterRejection(422, 'expected a JSON object');
  return value as Params;
}
