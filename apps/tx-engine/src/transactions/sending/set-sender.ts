import { Inject, Injectable } from '@nestjs/common';
import { DomainError, type CallContext } from '@tollbridge/rpc';
import { broadcast, RpcError } from '@tollbridge/evm';
import { Clock } from '@tollbridge/database';
import { OutboxWorker } from '@tollbridge/bootstrap';
import { EvmChains } from '../../chains/evm-chains';
import { GasPrices } from '../../chains/gas-prices';
import { readNonces } from '../building/chain-reads';
import { rejectOutbid } from '../building/gas-fees';
import { SetsRepository, type Change } from '../storage/sets.repository';
import {
  failed,
  transition,
  stepOfTransaction,
  withTransaction,
  type SetTransaction,
  type TransactionSet,
} from '../transaction-set';

/** Whether a signed set can be sent now. `later`: an earlier nonce is missing, or the node fails. */
export type Readiness =
  | { kind: 'now' | 'later' }
  | { kind: 'nonceUsed'; reason: string }
  | { kind: 'outbid'; error: DomainError };

// If this process stops between the broadcast and the commit, a worker polls the set after this time.
const leaseMs = 5_000;

/** Broadcasts the transactions of signed sets, each after the previous one is mined. */
@Injectable()
export class SetSender {
  constructor(
    private readonly sets: SetsRepository,
    private readonly chains: EvmChains,
    private readonly gasPrices: GasPrices,
    private readonly outbox: OutboxWorker,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  async readiness(set: TransactionSet): Promise<Readiness> {
    const { chainId, nonce, fees } = set.transactions[0]!;
    try {
      const [nonces, price] = await Promise.all([
        readNonces(this.chains.rpc(chainId), set.user),
        this.gasPrices.now(chainId),
      ]);
      if (nonces.mined > nonce)
        return {
          kind: 'nonceUsed',
          reason: `the nonce ${nonce} was used by another transaction of the signer`,
        };
      rejectOutbid(fees, price);
      return { kind: nonces.pending >= nonce ? 'now' : 'later' };
    } catch (error) {
      if (error instanceof DomainError) return { kind: 'outbid', error };
      if (error instanceof RpcError) return { kind: 'later' };
      throw error;
    }
  }

  /** Returns the time when a worker polls a set that is being sent now. */
  leaseEndMs(): number {
    return this.clock.now() + leaseMs;
  }

  /** Broadcasts a transaction that is recorded as pending, and stores the outcome. */
  async sendRecorded(
    set: TransactionSet,
    index: number,
    context: CallContext,
    reply?: Change['reply'],
  ): Promise<TransactionSet> {
    const after = await this.one(set, index);
    const checkAtMs = this.checkAtMs(after);
    if (after === set) {
      if (checkAtMs !== null) await this.sets.postpone({ id: set.id, checkAtMs });
      return set;
    }
    const nowMs = this.clock.now();
    const change = { before: set, after, checkAtMs, nowMs, context };
    const saved = await this.sets.save(reply ? { ...change, reply } : change);
    this.outbox.wake();
    // A worker has changed the set in the meantime, so the stored state is newer.
    return saved ?? (await this.sets.find(set.id))!;
  }

  /** Broadcasts a recorded transaction, and returns the resulting set. */
  private async one(set: TransactionSet, index: number): Promise<TransactionSet> {
    const transaction = set.transactions[index]!;
    const outcome = await broadcast(this.chains.rpc(transaction.chainId), transaction.signed!.raw);
    if (outcome.kind === 'unknown') return set;
    const nowMs = this.clock.now();
    if (outcome.kind === 'rejected') {
      const step = stepOfTransaction(set, transaction);
      return failed(set, { step, txHash: null, reason: outcome.reason }, nowMs);
    }
    if (set.state !== 'submitting') return set;
    return sent(set, index, nowMs);
  }

  /**
   * Broadcasts again after an unknown outcome. A rejection now is ignored, because a node also rejects a transaction
   * that it has.
   */
  async resend(set: TransactionSet, index: number): Promise<TransactionSet> {
    const { chainId, signed } = set.transactions[index]!;
    const outcome = await broadcast(this.chains.rpc(chainId), signed!.raw);
    return outcome.kind === 'sent' ? sent(set, index, this.clock.now()) : set;
  }

  /**
   * Broadcasts a transaction that one node has dropped. The reply is ignored, because other nodes may still mine it.
   */
  async rebroadcast({ chainId, signed }: SetTransaction): Promise<void> {
    await broadcast(this.chains.rpc(chainId), signed!.raw);
  }

  private checkAtMs(set: TransactionSet): number | null {
    if (set.state === 'failed') return null;
    return this.clock.now() + this.chains.chain(set.transactions[0]!.chainId).pollIntervalMs;
  }
}

const sent = (set: TransactionSet, index: number, nowMs: number): TransactionSet =>
  transition(withTransaction(set, index, { status: 'pending', sentAtMs: nowMs }), 'sent');
