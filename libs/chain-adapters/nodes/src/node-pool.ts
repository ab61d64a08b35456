import { ProviderError } from '@tollbridge/http';
import { RangeLimit, type RangeState } from './range-limit';
import { Cooldown, maxCooldownAloneMs, maxCooldownMs, type UnhealthyReason } from './cooldown';

/** A node that is not used for a while. */
export interface UnhealthyNode {
  /** Position in `CHAINS_FILE`, from 1. It replaces the URL, which may contain a key. */
  node: number;
  reason: UnhealthyReason;
  untilMs: number;
  failuresInARow: number;
  detail: string;
}

export interface NodeHealth {
  ranges: RangeState;
  state: 'healthy' | 'unhealthy';
  reason: UnhealthyReason | null;
  untilMs: number | null;
}

export interface NodePoolOptions<Client> {
  /** One client per node, in order of preference. Their methods fail with a `ProviderError`. */
  clients: readonly Client[];
  /** Returns the height of the node's newest block. */
  head(client: Client): Promise<number>;
  /** Maximum lag behind the best head. A node with a larger lag is not used. */
  maxLagBlocks: number;
  onUnhealthy(event: UnhealthyNode): void;
  /** Returns the range limit of a node. Absent for clients that do not read ranges. */
  ranges?(client: Client): RangeLimit;
  clock?: { now(): number };
  random?: () => number;
}

interface Node<Client> {
  client: Client;
  position: number;
  cooldown: Cooldown;
  // When a node becomes unhealthy, concurrent calls fail too. Only the first failure counts.
  timesUnhealthy: number;
  ranges: RangeLimit;
}

// Blocks are seconds apart. More frequent comparisons would find nothing new and cost one request per node.
const compareEveryMs = 3_000;

/** Calls the nodes of a chain. When one fails, the next healthy one is called immediately. */
export class NodePool<Client> {
  private readonly nodes: readonly Node<Client>[];
  private readonly clock: { now(): number };
  private nextComparisonMs = 0;

  constructor(private readonly options: NodePoolOptions<Client>) {
    const { clients, clock = Date, random = Math.random } = options;
    if (clients.length === 0) throw new RangeError('A chain needs at least one node');
    this.clock = clock;
    const longestMs = clients.length === 1 ? maxCooldownAloneMs : maxCooldownMs;
    this.nodes = clients.map((client, index) => {
      const cooldown = new Cooldown(longestMs, random);
      const ranges = options.ranges?.(client) ?? new RangeLimit(clock);
      return { client, position: index + 1, cooldown, timesUnhealthy: 0, ranges };
    });
  }

  health(): NodeHealth[] {
    return this.nodes.map((node) => {
      const { cooldown } = node;
      const ranges = node.ranges.state;
      return cooldown.isActive(this.clock.now())
        ? { state: 'unhealthy', reason: cooldown.reason, untilMs: cooldown.untilMs, ranges }
        : { state: 'healthy', reason: null, untilMs: null, ranges };
    });
  }

  /**
   * Runs `work` against one node. When that node fails, `work` runs again from the start on the next node. It must
   * therefore only read, or send data that a chain accepts once. A node that rejected a range gets a smaller one after
   * the other nodes were tried.
   * @throws ProviderError of the last node; immediately when a node rejects the request
   */
  async ask<T>(work: (client: Client) => Promise<T>): Promise<T> {
    await this.compareHeads();
    const tried = new Set<Node<Client>>();
    const rejecting: Node<Client>[] = [];
    let lastError: ProviderError | undefined;
    for (let node = this.next(tried); node; node = this.next(tried) ?? rejecting.shift()) {
      tried.add(node);
      const { rejections } = node.ranges;
      try {
        return await this.askNode(node, work);
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        const isRange = node.ranges.rejections > rejections;
        if (error.kind === 'rejected') {
          if (!isRange) throw error;
          if (node.ranges.lastRejected > 1) rejecting.push(node);
        }
        lastError = error;
      }
    }
    throw lastError ?? this.allUnhealthy();
  }

  /**
   * Returns the next node to try. When all are unhealthy, this is the first to recover, because one attempt is better
   * than minutes without an attempt.
   */
  private next(tried: ReadonlySet<Node<Client>>): Node<Client> | undefined {
    const nowMs = this.clock.now();
    const isHealthy = ({ cooldown }: Node<Client>) => !cooldown.isActive(nowMs);
    const healthy = this.nodes.find((node) => isHealthy(node) && !tried.has(node));
    if (healthy || tried.size > 0) return healthy;
    const early = this.nodes.filter(({ cooldown }) => cooldown.mayBeTriedEarly);
    return early.sort((one, other) => one.cooldown.untilMs - other.cooldown.untilMs)[0];
  }

  private async askNode<T>(node: Node<Client>, work: (client: Client) => Promise<T>): Promise<T> {
    const { cooldown, timesUnhealthy } = node;
    try {
      const value = await work(node.client);
      if (timesUnhealthy === node.timesUnhealthy) cooldown.succeeded(this.clock.now());
      return value;
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      const isSame = timesUnhealthy === node.timesUnhealthy;
      if (error.kind === 'rejected') {
        if (isSame) cooldown.succeeded(this.clock.now());
      } else if (isSame) {
        const reason = error.kind === 'unknownOutcome' ? 'unavailable' : error.kind;
        this.markUnhealthy(node, reason, error);
      }
      throw error;
    }
  }

  /**
   * Detects lagging nodes. A node that stopped following its chain still answers, so only the other nodes show that it
   * lags.
   */
  private async compareHeads(): Promise<void> {
    const nowMs = this.clock.now();
    if (this.nodes.length === 1 || nowMs < this.nextComparisonMs) return;
    this.nextComparisonMs = nowMs + compareEveryMs;
    // A lagging node is called again only after its pause, when it can show that it has caught up.
    const asked = this.nodes.filter(({ cooldown }) => !cooldown.isActive(nowMs));
    const heads = await Promise.all(asked.map((node) => this.headOf(node)));
    const best = Math.max(...heads.map((height) => height ?? 0));
    const known = heads.filter((height) => height !== undefined).length;
    // A single head cannot be compared.
    if (known < 2) return;
    for (const [index, height] of heads.entries()) {
      const node = asked[index]!;
      if (height === undefined) continue;
      const lag = best - height;
      if (lag <= this.options.maxLagBlocks) node.cooldown.caughtUp();
      else this.markUnhealthy(node, 'lagging', { message: `lags by ${lag} blocks` });
    }
  }

  /** Returns undefined if the node does not answer. The call has then marked the node as unhealthy. */
  private async headOf(node: Node<Client>): Promise<number | undefined> {
    try {
      return await this.askNode(node, this.options.head);
    } catch (error) {
      if (error instanceof ProviderError) return undefined;
      throw error;
    }
  }

  private markUnhealthy(
    node: Node<Client>,
    reason: UnhealthyReason,
    because: { message: string; retryAfterMs?: number | undefined },
  ): void {
    node.timesUnhealthy += 1;
    node.cooldown.begin(reason, this.clock.now(), because.retryAfterMs);
    const { untilMs, failuresInARow } = node.cooldown;
    this.options.onUnhealthy({
      node: node.position,
      reason,
      untilMs,
      failuresInARow,
      detail: because.message,
    });
  }

  private allUnhealthy(): ProviderError {
    const nowMs = this.clock.now();
    const waits = this.health().map(
      ({ reason, untilMs }, index) => `node ${index + 1} ${reason} for ${(untilMs ?? nowMs) - nowMs} ms`,
    );
    return new ProviderError('nodes', {
      kind: 'unavailable',
      message: `every node is unhealthy: ${waits.join('; ')}`,
    });
  }
}
