import { canonicalMoveType, suiAddress } from '@tollbridge/onchain/sui';
import {
  checkpointNode,
  effectsNode,
  epochNode,
  eventNode,
  moveObjectNode,
  objectNode,
  transactionNode,
  typeNode,
  type NodeReads,
} from './graphql-nodes';
import { coinBalance, coinTypeIn, type SuiObject } from './objects';
import {
  connection,
  decodeCursor,
  maxPageSize,
  pageSizeOf,
  slice,
  type Connection,
  type PageArgs,
} from './pages';
import { SuiRejection } from './sui-rejection';
import type { Checkpoint, SuiChain } from './sui-chain';

// The identifier of the main network: the first four bytes of the digest of its genesis checkpoint.
const chainIdentifier = '35834a8a';
// Enough for every account of a sandbox.
const mostObjects = 10_000;

interface EventFilter {
  type?: string | null;
  afterCheckpoint?: number | null;
  atCheckpoint?: number | null;
  beforeCheckpoint?: number | null;
}

/** The fields of `Query` and `Mutation` for one request. All of them read the state at the same head. */
export class GraphqlRoot implements NodeReads {
  readonly chainIdentifier = chainIdentifier;
  readonly epoch = epochNode;

  private constructor(
    private readonly chain: SuiChain,
    private readonly head: Checkpoint,
    private readonly genesis: Checkpoint,
  ) {}

  static async open(chain: SuiChain): Promise<GraphqlRoot> {
    const [head, genesis] = [await chain.head(), await chain.checkpoint(0)];
    return new GraphqlRoot(chain, head, genesis!);
  }

  /** Returns the GraphQL root value. The executor calls its functions with the arguments of the fields. */
  root(): object {
    const { chainIdentifier: id, epoch } = this;
    return {
      chainIdentifier: id,
      epoch,
      checkpoint: (args: { sequenceNumber?: number | null }) =>
        this.oneCheckpoint(args.sequenceNumber ?? this.head.height),
      multiGetCheckpoints: ({ keys }: { keys: number[] }) =>
        bounded(keys).map((key) => this.oneCheckpoint(key)),
      serviceConfig: {
        availableRange: { first: checkpointNode(this.genesis), last: checkpointNode(this.head) },
      },
      events: (args: PageArgs & { filter?: EventFilter | null }) => this.filteredEvents(args),
      transaction: ({ digest }: { digest: string }) => this.transaction(digest),
      multiGetTransactions: ({ keys }: { keys: string[] }) =>
        bounded(keys).map((key) => this.transaction(key)),
      address: ({ address }: { address: string }) => this.address(readAddress(address)),
      object: async ({ address }: { address: string }) => (await this.objects([address]))[0],
      multiGetObjects: ({ keys }: { keys: { address: string }[] }) =>
        this.objects(bounded(keys).map(({ address }) => address)),
      simulateTransaction: ({ transaction }: { transaction: unknown }) => this.simulate(transaction),
      executeTransaction: (args: { transactionDataBcs: string; signatures: string[] }) => this.execute(args),
    };
  }

  address(id: string): object {
    return {
      address: id,
      balance: ({ coinType }: { coinType: string }) => this.balance(id, readType(coinType)),
      balances: (args: PageArgs) => this.balances(id, args),
      objects: (args: PageArgs & { filter?: { type?: string | null } | null }) => this.owned(id, args),
    };
  }

  async transaction(digest: string): Promise<object | null> {
    const [stored] = await this.chain.repository.transactions([digest]);
    return stored ? transactionNode(stored, this) : null;
  }

  checkpoint(height: number): Checkpoint | null {
    if (height < 0 || height > this.head.height) return null;
    return this.chain.checkpointAt(height, this.genesis.timeMs);
  }

  async events(digest: string, args: PageArgs): Promise<object> {
    return this.eventPage({ digest, belowCheckpoint: Number.MAX_SAFE_INTEGER }, args);
  }

  private oneCheckpoint(height: number): object | null {
    const found = this.checkpoint(height);
    return found && checkpointNode(found);
  }

  private filteredEvents({ filter, ...args }: PageArgs & { filter?: EventFilter | null }): Promise<object> {
    const { type, afterCheckpoint, atCheckpoint, beforeCheckpoint } = filter ?? {};
    return this.eventPage(
      {
        type: isAbsent(type) ? undefined : readType(type),
        aboveCheckpoint: Math.max(afterCheckpoint ?? -1, (atCheckpoint ?? 0) - 1),
        belowCheckpoint: Math.min(
          beforeCheckpoint ?? Number.MAX_SAFE_INTEGER,
          (atCheckpoint ?? this.head.height) + 1,
          this.head.height + 1,
        ),
      },
      args,
    );
  }

  private async eventPage(
    filter: { type?: string | undefined; digest?: string; aboveCheckpoint?: number; belowCheckpoint: number },
    args: PageArgs,
  ): Promise<Connection<object>> {
    const size = pageSizeOf(args);
    const after = isAbsent(args.after) ? undefined : eventCursor(args.after);
    const found = await this.chain.repository.events({ ...filter, after, limit: size + 1 });
    return connection(found, size, {
      cursorOf: ({ sequence, position }) => `${sequence}:${position}`,
      nodeOf: (event) => eventNode(event, this),
    });
  }

  private async objects(ids: readonly string[]): Promise<(object | null)[]> {
    const wanted = ids.map(readAddress);
    const found = new Map((await this.chain.repository.objects(wanted)).map((it) => [it.id, it]));
    return wanted.map((id) => {
      const object = found.get(id);
      return object ? objectNode(object, this) : null;
    });
  }

  private async owned(
    owner: string,
    { filter, ...args }: PageArgs & { filter?: { type?: string | null } | null },
  ): Promise<Connection<object>> {
    const size = pageSizeOf(args);
    const type = isAbsent(filter?.type) ? undefined : readType(filter.type);
    const after = isAbsent(args.after) ? undefined : decodeCursor(args.after);
    const found = await this.chain.repository.ownedObjects({ owner, type, after, limit: size + 1 });
    return connection(found, size, {
      cursorOf: ({ id }) => id,
      nodeOf: (object) => moveObjectNode(object, this),
    });
  }

  private async balance(owner: string, coinType: string): Promise<object> {
    const sums = await this.sums(owner);
    return { coinType: typeNode(coinType), totalBalance: String(sums.get(coinType) ?? 0n) };
  }

  private async balances(owner: string, args: PageArgs): Promise<Connection<object>> {
    const sums = [...(await this.sums(owner))];
    return slice(sums, args, ([type, sum]) => ({ coinType: typeNode(type), totalBalance: String(sum) }));
  }

  private async sums(owner: string): Promise<Map<string, bigint>> {
    const objects = await this.chain.repository.ownedObjects({ owner, limit: mostObjects });
    const sums = new Map<string, bigint>();
    for (const object of objects) addCoin(sums, object);
    return sums;
  }

  private async simulate(transaction: unknown): Promise<object> {
    const value = (transaction as { bcs?: { value?: unknown } } | null)?.bcs?.value;
    if (typeof value !== 'string')
      throw new SuiRejection('The local network simulates transactions in BCS only');
    const stored = await this.chain.simulate(readBase64(value));
    return {
      effects: effectsNode(stored, transactionNode(stored, this), this),
      error: stored.outcome.failure,
    };
  }

  private async execute(args: { transactionDataBcs: string; signatures: string[] }): Promise<object> {
    const stored = await this.chain.send(readBase64(args.transactionDataBcs), args.signatures);
    return { effects: effectsNode(stored, transactionNode(stored, this), this), errors: null };
  }
}

const isAbsent = (value: unknown): value is null | undefined => value === null || value === undefined;

function addCoin(sums: Map<string, bigint>, object: SuiObject): void {
  const coinType = coinTypeIn(object.type);
  if (coinType !== undefined) sums.set(coinType, (sums.get(coinType) ?? 0n) + coinBalance(object));
}

function bounded<Key>(keys: readonly Key[]): readonly Key[] {
  if (keys.length > maxPageSize) throw new SuiRejection(`Too many keys: ${keys.length} > ${maxPageSize}`);
  return keys;
}

function eventCursor(cursor: string): { sequence: number; position: number } {
  const [sequence, position] = decodeCursor(cursor).split(':').map(Number);
  if (!Number.isSafeInteger(sequence) || !Number.isSafeInteger(position))
    throw new SuiRejection('Invalid cursor');
  return { sequence: sequence!, position: position! };
}

const readBase64 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'base64'));

function readAddress(text: unknown): string {
  try {
    return suiAddress(String(text));
  } catch (error) {
    throw new SuiRejection((error as Error).message);
  }
}

function readType(text: string): string {
  try {
    return canonicalMoveType(text);
  } catch (error) {
    throw new SuiRejection((error as Error).message);
  }
}
