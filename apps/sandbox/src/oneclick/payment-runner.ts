import { findChain } from '@tollbridge/chains';
import type { Clock } from '@tollbridge/database';
import { Wallet, type TransactionReceipt } from 'ethers';
import { madeUpTxHash } from './deposit-address';
import { TransferRefused, type EvmNode } from './evm-node';
import type { NewPayment, Payment, PaymentsRepository, SignedPayment } from './payments.repository';
import { decisivePurposes, isFinal, refundPayments, type PlannedPayment, type Swap } from './swap';
import type { SwapsRepository } from './swaps.repository';
import type { SwapStatus } from './wire';

export interface Solver {
  address: string;
  privateKey: string;
}

/** Makes what is sent for deposits of the bridge, and is told what became of it. */
export interface DepositPayments {
  /** @throws TransferRefused when the chain would not let it pass. */
  sign(payment: Payment, nonce: number, node: EvmNode): Promise<{ raw: string; txHash: string }>;
  /** Before it counts as mined; may be told again after a crash. */
  finished(payment: Payment, receipt: TransactionReceipt): Promise<void>;
  /** It can not be made, or reverted. */
  refused(payment: Payment): Promise<void>;
}

export interface PaymentRunnerParts {
  /** Absent where nothing is bridged. */
  relayer?: DepositPayments;
  swaps: SwapsRepository;
  payments: PaymentsRepository;
  /** By chain id of the registry. */
  nodes: ReadonlyMap<string, EvmNode>;
  solver: Solver;
  clock: Clock;
}

// To sign anew for one that was mined would pay twice, to wait for a second costs nothing.
const vainLooksBeforeReplan = 20;

/**
 * Makes the planned payments, each swap's one after the other: sign and store, send, look for the receipt. Every step
 * may be the last before a crash: a stored transaction is sent again until it, or another with its nonce, is mined.
 */
export class PaymentRunner {
  /** Heads of chains at the last look: with another one the node may have lost blocks, and payments in them. */
  private readonly heads = new Map<string, string>();
  /** By payment: how often in a row its nonce was used and its receipt missing. */
  private readonly vainLooks = new Map<string, number>();

  constructor(private readonly parts: PaymentRunnerParts) {}

  async step(): Promise<void> {
    const next = await this.parts.payments.next();
    await this.resend(next);
    // One by one: they share the solver's nonces.
    const failures: unknown[] = [];
    for (const payment of next) {
      // A chain that does not answer must not hold up those of others.
      await this.advance(payment).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }

  /** The plan in the form in which it is stored. */
  toStored(swap: Pick<Swap, 'depositAddress'>, payments: readonly PlannedPayment[]): NewPayment[] {
    const { solver } = this.parts;
    return payments.map(({ purpose, asset, sender, recipient, amountAtomic }) => ({
      purpose,
      chain: asset.chain.id,
      token: asset.address,
      sender: sender === 'solver' ? solver.address : swap.depositAddress,
      recipient: recipient === 'solver' ? solver.address : recipient,
      amountAtomic,
    }));
  }

  private async resend(open: readonly Payment[]): Promise<void> {
    for (const [id, node] of this.parts.nodes) {
      const known = this.heads.get(id);
      const isWaiting = open.some(({ chain, state }) => chain === id && state === 'signed');
      const head = await node.head().catch(() => undefined);
      // While a node is away nothing can be sent to it.
      if (!head) continue;
      this.heads.set(id, head.hash);
      if (!isWaiting && known === head.hash) continue;
      await this.resendAll(node, open);
    }
  }

  private async resendAll(node: EvmNode, open: readonly Payment[]): Promise<void> {
    const { id } = node.chain;
    const sweeping = open.filter(({ chain, state }) => chain === id && state === 'signed');
    for (const sender of new Set([this.parts.solver.address, ...sweeping.map((it) => it.sender)])) {
      const count = await node.nonceOf(sender);
      for (const raw of await this.parts.payments.missing(id, sender, count)) await node.send(raw);
    }
  }

  private async advance(payment: Payment): Promise<void> {
    const node = this.parts.nodes.get(payment.chain);
    if (!node) return this.payInLedger(payment);
    if (payment.state === 'planned') return this.start(payment, node);
    const receipt = await node.receipt(payment.txHash!);
    if (receipt) {
      if (receipt.status === 1) {
        if (payment.depositId !== null) await this.parts.relayer?.finished(payment, receipt);
        return this.finish(payment, receipt.hash, receipt.blockNumber);
      }
      return this.giveUp(payment);
    }
    const isNonceGone = (await node.nonceOf(payment.sender)) > payment.nonce!;
    await this.replanIfReplaced(payment, isNonceGone);
  }

  /** Only when it was looked for several times: a node shows the new nonce an instant before the new receipt. */
  private async replanIfReplaced(payment: Payment, isNonceGone: boolean): Promise<void> {
    const looks = isNonceGone ? (this.vainLooks.get(payment.id) ?? 0) + 1 : 0;
    if (looks < vainLooksBeforeReplan) {
      this.vainLooks.set(payment.id, looks);
      return;
    }
    this.vainLooks.delete(payment.id);
    await this.parts.payments.replan(payment.id);
  }

  private async start(payment: Payment, node: EvmNode): Promise<void> {
    const { payments, swaps } = this.parts;
    try {
      if (payment.swapId === null) return await this.startForDeposit(payment, node);
      const swap = await swaps.get(payment.swapId);
      const isForbidden = swap.outcome === 'undeliverable' && payment.purpose === 'delivery';
      if (isForbidden) throw new TransferRefused('this swap cannot be delivered');
      const signed = await this.sign(payment, swap, node);
      await payments.sign(payment.id, signed);
      await node.send(signed.raw);
    } catch (error) {
      if (!(error instanceof TransferRefused)) throw error;
      await this.giveUp(payment);
    }
  }

  private async startForDeposit(payment: Payment, node: EvmNode): Promise<void> {
    const { payments, relayer } = this.parts;
    if (!relayer) return;
    const nonce = await this.nextNonce(payment, node);
    const signed = await relayer.sign(payment, nonce, node);
    await payments.sign(payment.id, { nonce, ...signed, amountAtomic: payment.amountAtomic });
    await node.send(signed.raw);
  }

  private async sign(payment: Payment, swap: Swap, node: EvmNode): Promise<SignedPayment> {
    const { token, recipient, sender } = payment;
    const { solver } = this.parts;
    const from = new Wallet(sender === solver.address ? solver.privateKey : swap.depositKey!);
    const nonce = await this.nextNonce(payment, node);
    let { amountAtomic } = payment;
    if (payment.purpose === 'sweep') {
      if (token === null) return { nonce, ...(await node.signSweepOfCoins(from, nonce, recipient)) };
      const { height } = await node.head();
      amountAtomic = (await node.balances([{ owner: sender, token }], height))[0]!;
    }
    return { nonce, amountAtomic, ...(await node.sign({ from, nonce, token, recipient, amountAtomic })) };
  }

  /** Its own earlier ones may not be mined yet, and others may have used the account. */
  private async nextNonce({ sender, chain }: Payment, node: EvmNode): Promise<number> {
    const { payments } = this.parts;
    const [counted, stored] = await Promise.all([node.nonceOf(sender), payments.nextNonce(chain, sender)]);
    return Math.max(counted, stored);
  }

  private async payInLedger(payment: Payment): Promise<void> {
    const swap = await this.parts.swaps.get(payment.swapId!);
    if (swap.outcome === 'undeliverable' && payment.purpose === 'delivery') return this.giveUp(payment);
    await this.finish(payment, madeUpTxHash(findChain(payment.chain)!), 0);
  }

  private async finish(payment: Payment, txHash: string, height: number): Promise<void> {
    this.vainLooks.delete(payment.id);
    await this.parts.payments.markMined(payment.id, txHash, height);
    if (payment.swapId !== null) await this.endIfDone(payment.swapId);
  }

  /** A payment that cannot be made. Instead of a delivery the deposit goes back; anything else is left out. */
  private async giveUp(payment: Payment): Promise<void> {
    const { swaps, payments, relayer } = this.parts;
    if (payment.swapId === null) {
      await relayer?.refused(payment);
      return payments.drop(payment.id);
    }
    if (payment.purpose === 'delivery') {
      const swap = await swaps.get(payment.swapId);
      const refunds = this.toStored(swap, refundPayments({ ...swap, depositedAtomic: swap.handledAtomic }));
      await payments.refundInstead(swap.id, refunds, 'INTENT_SUBMIT_FAILED');
    } else {
      await payments.drop(payment.id);
    }
    await this.endIfDone(payment.swapId);
  }

  private async endIfDone(swapId: string): Promise<void> {
    const { swaps, payments, clock } = this.parts;
    const swap = await swaps.get(swapId);
    if (isFinal(swap)) return;
    const all = await payments.ofSwap(swapId);
    const status = endOf(all);
    if (status) await payments.end(swapId, status, clock.now());
  }
}

/** How a swap ends by its payments; undefined while one that matters is under way. */
export function endOf(payments: readonly Pick<Payment, 'purpose' | 'state'>[]): SwapStatus | undefined {
  const decisive = payments.filter(({ purpose }) => decisivePurposes.some((it) => it === purpose));
  if (decisive.some(({ state }) => state === 'planned' || state === 'signed')) return undefined;
  const isMined = (purpose: string) => decisive.some((it) => it.purpose === purpose && it.state === 'mined');
  if (isMined('delivery')) return 'SUCCESS';
  return isMined('refund') ? 'REFUNDED' : 'FAILED';
}
