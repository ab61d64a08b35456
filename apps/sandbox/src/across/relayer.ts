import type { Clock } from '@tollbridge/database';
import { AbiCoder, keccak256, MaxUint256, toBeHex, Wallet, ZeroHash, type TransactionReceipt } from 'ethers';
import type { Market, Markets } from '../markets/market';
import type { ContractCall, EvmNode } from '../oneclick/evm-node';
import type { DepositPayments, Solver } from '../oneclick/payment-runner';
import type { Payment, PaymentsRepository } from '../oneclick/payments.repository';
import { erc20, fromBytes32, multicallHandler, refundLeafType, spokePool, toBytes32 } from './contracts';
import type { Deposit, DepositsRepository } from './deposits.repository';
import { slowFillMs } from './magic-amounts';

export interface RelayerParts {
  markets: Markets;
  deposits: DepositsRepository;
  payments: PaymentsRepository;
  /** Fills from its own balance, and is the owner of the spoke pools. */
  solver: Solver;
  clock: Clock;
}

const approvalGas = 100_000n;
// A contract catches failures of the calls after a fill, so an estimate would return the gas of a failing fill.
const fillGas = 300_000n;
const fillWithCallsGas = 3_000_000n;
const refundGas = 500_000n;
const filledStatus = 2n;
/** Delay before a refund, so that the expired state can be observed. */
const refundAfterMs = 2_000;
const tryAgainAfterMs = 1_000;
const filledTopic = spokePool.getEvent('FilledRelay')!.topicHash;
const rootTopic = spokePool.getEvent('RelayedRootBundle')!.topicHash;

/** Destination of a deposit if its chain and token are supported. */
interface Destination {
  market: Market;
  token: string;
}

/**
 * Fills deposits, and refunds unfilled deposits. In production, an oracle protects the refunds. Here, the owner of the
 * spoke pool relays the refund roots.
 */
export class Relayer implements DepositPayments {
  /** The time of the next retry by deposit id, after the chain rejected the fill. */
  private readonly notBeforeMs = new Map<string, number>();

  constructor(private readonly parts: RelayerParts) {}

  /** Decides about every open deposit. */
  async step(): Promise<void> {
    const open = await this.parts.deposits.open();
    const failures: unknown[] = [];
    for (const deposit of open) {
      const decision =
        deposit.stage === 'pending' ? this.decidePending(deposit) : this.decideExpired(deposit);
      // An unavailable chain must not delay deposits of other chains.
      await decision.catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }

  private async decidePending(deposit: Deposit): Promise<void> {
    const { clock, deposits } = this.parts;
    const { relay, outcome, seenAtMs } = deposit;
    const destination = this.destinationOf(deposit);
    const market = this.parts.markets.get(Number(deposit.destinationChainId));
    const time = market ? await deepTime(market) : clock.now() / 1_000;
    if (time > relay.fillDeadline) {
      if (!(market && (await this.adoptFill(deposit, market))))
        await deposits.expire(deposit.id, clock.now());
      return;
    }
    if (!destination || outcome === 'neverFilled' || !this.isWorthIt(deposit)) return;
    if (outcome === 'slowFill' && clock.now() < seenAtMs + slowFillMs) return;
    if (this.isOthers(deposit, time) || this.isPaused(deposit)) return;
    await this.planFill(deposit, destination);
  }

  private async planFill(deposit: Deposit, { market, token }: Destination): Promise<void> {
    const { deposits, payments, solver } = this.parts;
    const { node, chain, across } = market;
    const amountAtomic = BigInt(deposit.relay.outputAmount);
    const shared = { chain: chain.id, token, sender: solver.address, recipient: across.spokePool };
    const data = erc20.encodeFunctionData('allowance', [solver.address, across.spokePool]);
    const [allowance] = await node.callMany([{ target: token, data }]);
    if (BigInt(allowance ?? 0) < amountAtomic) {
      if (await payments.hasOpen(chain.id, 'fill-approval', token)) return;
      const approval = { ...shared, purpose: 'fill-approval', amountAtomic: MaxUint256 } as const;
      return deposits.plan(deposit.id, 'pending', 'pending', approval);
    }
    const isPossible = (await node.estimate(solver.address, this.fillCall(deposit, market))) !== undefined;
    if (isPossible)
      return deposits.plan(deposit.id, 'pending', 'filling', { ...shared, purpose: 'fill', amountAtomic });
    if (!(await this.adoptFill(deposit, market))) this.pause(deposit);
  }

  private async decideExpired(deposit: Deposit): Promise<void> {
    const { clock, payments, deposits, solver, markets } = this.parts;
    const { relay, expiredAtMs } = deposit;
    const market = markets.get(deposit.originChainId);
    const isDue = clock.now() >= (expiredAtMs ?? 0) + refundAfterMs;
    if (!market || market.across.spokePool !== deposit.spokePool || !isDue || this.isPaused(deposit)) return;
    const { chain, across } = market;
    // Sequential, because each refund contains the number of its root.
    if (await payments.hasOpen(chain.id, 'deposit-refund')) return;
    await deposits.plan(deposit.id, 'expired', 'refunding', {
      purpose: 'deposit-refund',
      chain: chain.id,
      token: fromBytes32(relay.inputToken)!,
      sender: solver.address,
      recipient: across.spokePool,
      amountAtomic: BigInt(relay.inputAmount),
    });
  }

  async sign(payment: Payment, nonce: number, node: EvmNode): Promise<{ raw: string; txHash: string }> {
    const { deposits, solver, markets } = this.parts;
    const market = markets.get(node.chain.chainId!)!;
    const { spokePool: pool } = market.across;
    const from = new Wallet(solver.privateKey);
    if (payment.purpose === 'fill-approval') {
      const data = erc20.encodeFunctionData('approve', [pool, MaxUint256]);
      return node.signCall(from, nonce, { to: payment.token!, data }, approvalGas);
    }
    const deposit = await deposits.get(payment.depositId!);
    if (payment.purpose === 'deposit-refund')
      return node.signCall(from, nonce, await refundCall(deposit, market), refundGas);
    const gas = deposit.relay.message === '0x' ? fillGas : fillWithCallsGas;
    return node.signCall(from, nonce, this.fillCall(deposit, market), gas);
  }

  async finished(payment: Payment, receipt: TransactionReceipt): Promise<void> {
    const { deposits } = this.parts;
    if (payment.purpose === 'deposit-refund') await deposits.markRefunded(payment.depositId!, receipt.hash);
    if (payment.purpose !== 'fill') return;
    const deposit = await deposits.get(payment.depositId!);
    await deposits.markFilled(deposit.id, receipt.hash, actionsSucceeded(deposit, receipt));
  }

  async onRejected(payment: Payment): Promise<void> {
    const { deposits } = this.parts;
    const deposit = await deposits.get(payment.depositId!);
    this.pause(deposit);
    if (payment.purpose === 'fill') await deposits.setStage(deposit.id, 'filling', 'pending');
    if (payment.purpose === 'deposit-refund') await deposits.setStage(deposit.id, 'refunding', 'expired');
  }

  private fillCall({ relay, originChainId }: Deposit, { across }: Market): ContractCall {
    const repayment = [originChainId, toBytes32(this.parts.solver.address)];
    return { to: across.spokePool, data: spokePool.encodeFunctionData('fillRelay', [relay, ...repayment]) };
  }

  /** Records a fill that this process did not plan: of another relayer, or from before the database was lost. */
  private async adoptFill(deposit: Deposit, { node, across }: Market): Promise<boolean> {
    const { relay } = deposit;
    const target = across.spokePool;
    const hashing = { target, data: spokePool.encodeFunctionData('getV3RelayHash', [relay]) };
    const [hash] = await node.callMany([hashing]);
    const asking = { target, data: spokePool.encodeFunctionData('fillStatuses', [hash!]) };
    const [status] = await node.callMany([asking]);
    if (BigInt(status!) !== filledStatus) return false;
    const topics = [filledTopic, toBeHex(deposit.originChainId, 32), toBeHex(relay.depositId, 32)];
    const logs = await node.logs({ address: target, topics, fromBlock: 0 });
    const receipt = logs.length > 0 ? await node.receipt(logs.at(-1)!.transactionHash) : null;
    if (!receipt) return false;
    await this.parts.deposits.markFilled(deposit.id, receipt.hash, actionsSucceeded(deposit, receipt));
    return true;
  }

  /** Returns the destination of bridged tokens. Each token is bridged only to its counterpart. */
  private destinationOf({
    destinationChainId,
    originChainId,
    relay,
    spokePool: pool,
  }: Deposit): Destination | undefined {
    const { markets } = this.parts;
    const [origin, market] = [markets.get(originChainId), markets.get(Number(destinationChainId))];
    if (!origin || !market || origin.across.spokePool !== pool) return undefined;
    const given = origin.find(fromBytes32(relay.inputToken) ?? '');
    const token = market.find(fromBytes32(relay.outputToken) ?? '');
    if (!given || !token?.address || given.symbol !== token.symbol) return undefined;
    return { market, token: token.address };
  }

  private isWorthIt({ relay }: Deposit): boolean {
    return BigInt(relay.outputAmount) <= BigInt(relay.inputAmount);
  }

  private isOthers({ relay }: Deposit, time: number): boolean {
    const { exclusiveRelayer, exclusivityDeadline } = relay;
    const isOpenToAll = BigInt(exclusiveRelayer) === 0n || exclusivityDeadline < time;
    return !isOpenToAll && fromBytes32(exclusiveRelayer) !== this.parts.solver.address;
  }

  private isPaused({ id }: Deposit): boolean {
    const isPaused = this.parts.clock.now() < (this.notBeforeMs.get(id) ?? 0);
    if (!isPaused) this.notBeforeMs.delete(id);
    return isPaused;
  }

  private pause({ id }: Deposit): void {
    this.notBeforeMs.set(id, this.parts.clock.now() + tryAgainAfterMs);
  }
}

/** Returns the time of the newest final block. A deposit that is not filled by then will not be filled. */
async function deepTime({ node }: Market): Promise<number> {
  const { height } = await node.head();
  return node.timeAt(Math.max(0, height - (node.confirmations - 1)));
}

/** Returns null for a fill without calls after it. */
function actionsSucceeded({ relay }: Deposit, { logs }: TransactionReceipt): boolean | null {
  if (relay.message === '0x') return null;
  const failed = multicallHandler.getEvent('CallsFailed')!.topicHash;
  return !logs.some(({ topics }) => topics[0] === failed);
}

/** Relays and executes a root with this single refund in one transaction, so that either both or none happen. */
async function refundCall(
  { relay, originChainId }: Deposit,
  { node, across }: Market,
): Promise<ContractCall> {
  const to = across.spokePool;
  const leaf = [
    0n,
    originChainId,
    [relay.inputAmount],
    0,
    fromBytes32(relay.inputToken),
    [fromBytes32(relay.depositor)],
  ];
  const root = keccak256(AbiCoder.defaultAbiCoder().encode([refundLeafType], [leaf]));
  const earlier = await node.logs({ address: to, topics: [rootTopic], fromBlock: 0 });
  const calls = [
    spokePool.encodeFunctionData('relayRootBundle', [root, ZeroHash]),
    spokePool.encodeFunctionData('executeRelayerRefundLeaf', [earlier.length, leaf, []]),
  ];
  return { to, data: spokePool.encodeFunctionData('multicall', [calls]) };
}
