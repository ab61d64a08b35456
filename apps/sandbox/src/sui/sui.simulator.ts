import type { FastifyInstance, FastifyReply } from 'fastify';
import type { GraphQLError, GraphQLSchema } from 'graphql';
import { Outage } from '../simulators/outage';
import { observeOutage } from '../simulators/provider-outage';
import type { ServiceSimulator, ServiceSimulatorParts } from '../simulators/service-simulator';
import { GraphqlRoot } from './graphql-root';
import { suiSchema } from './graphql-schema';
import { SuiChain } from './sui-chain';
import { SuiRepository } from './sui.repository';
import { SuiTreasury } from './sui-treasury';
import { SuiRejection } from './sui-rejection';

// Enough for a transaction of 128 KB in base64, with its query.
const bodyLimit = 256 * 1024;

interface Request {
  query?: unknown;
  variables?: unknown;
  operationName?: unknown;
}

/** Sui with its GraphQL RPC: a local network that executes every payment in the Move VM. */
export class SuiSimulator implements ServiceSimulator {
  readonly prefix = '/sui';
  readonly outage = new Outage();
  readonly chain: SuiChain;
  readonly treasury: SuiTreasury;
  private schema: Promise<GraphQLSchema> | undefined;

  constructor(private readonly parts: ServiceSimulatorParts) {
    const { clock, database } = parts;
    this.chain = new SuiChain({ repository: new SuiRepository(database), clock });
    this.treasury = new SuiTreasury(this.chain);
  }

  /** Undefined until the first request starts the chain, because most sandboxes never use Sui. */
  start?(): Promise<void>;

  /** Resolves when all started transactions are stored. */
  async stop(): Promise<void> {
    await this.chain.close();
  }

  register(routes: FastifyInstance): void {
    observeOutage(routes, this.outage);
    routes.post<{ Body: Request }>('/graphql', { bodyLimit }, async ({ body }, reply) =>
      this.answer(body, reply),
    );
  }

  private async answer({ query, variables, operationName }: Request, reply: FastifyReply): Promise<unknown> {
    if (typeof query !== 'string')
      return reply.code(400).send({ errors: [{ message: 'query must be a text' }] });
    const { graphql, buildSchema } = await import('graphql');
    this.schema ??= Promise.resolve(buildSchema(suiSchema));
    const root = await GraphqlRoot.open(this.chain);
    const { data, errors } = await graphql({
      schema: await this.schema,
      source: query,
      rootValue: root.root(),
      variableValues: variables as Record<string, unknown> | null,
      operationName: typeof operationName === 'string' ? operationName : null,
    });
    if (!errors) return { data };
    return { data: data ?? null, errors: errors.map((error) => this.toReply(error)) };
  }

  /** Converts an error. Internal errors of the simulator are reported to `onError`, without details in the reply. */
  private toReply({ message, originalError, path }: GraphQLError): object {
    const isOurs = originalError !== undefined && !(originalError instanceof SuiRejection);
    if (isOurs) this.parts.onError(originalError);
    const code = isOurs ? 'INTERNAL_SERVER_ERROR' : 'BAD_USER_INPUT';
    return { message: isOurs ? 'Internal server error' : message, path, extensions: { code } };
  }
}
