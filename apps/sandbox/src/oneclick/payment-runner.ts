import { findChain, type Chain } from '@tollbridge/chains';
import type { Clock } from '@tollbridge/database';
import { Wallet, type TransactionReceipt } from 'ethers';
import type { NetworkTreasury } from '../networks/network-treasury';
import { generateTxHash } from './deposit-address';
import { TransferRejected, type EvmNode } from './evm-node';
import type { NewPayment, Payment, PaymentsRepository, SignedPayment } from './payments.repository';
import { decisivePurposes, isFinal, refundPayments, type PlannedPayment, type Swap } from './swap';
import type { SwapsRepository } from './swaps.repository';
import type { SwapStatus } from './wire';

export interface Solver {
  address: string;
  privateKey: string;
}

/** Creates the transactions of bridge deposits, and receives their outcomes. */
export interface DepositPayments {
  /** @throws TransferRejected when the chain rejects the transaction. */
  sign(payment: Payment, nonce: number, node: EvmNode): Promise<{ raw: string; txHash: string }>;
  /** Called before the payment counts as mined. A crash may cause a repeated call. */
  finished(payment: Payment, receipt: TransactionReceipt): Promise<void>;
  /** Called when the transaction cannot be made, or has reverted. */
  onRejected(payment: Payment): Promise<void>;
}

export interface PaymentRunnerParts {
  /** Absent without a bridge. */
  relayer?: DepositPayments;
  swaps: SwapsRepository;
  payments: PaymentsRepository;
  /** Nodes by registry id of the chain. */
  nodes: ReadonlyMap<string, EvmNode>;
  /** Treasuries of the local networks that are not EVM, by registry id. */
  treasuries: ReadonlyMap<string, NetworkTreasury>;
  solver: Solver;
  clock: Clock;
}

// A second signature after the first transaction was mined would pay twice, while waiting a second is harmless.
const missingPollsBeforeReplan = 20;

/**
 * Executes planned payments, sequentially for each swap: signs and stores, sends, polls for the receipt. A crash after
 * any step is safe. A stored transaction is resent until it is mined, or another one with its nonce.
 */
export class PaymentRunner {
  /** Chain heads at the last poll. A different head means that the node may have lost blocks with payments. */
  private readonly heads = new Map<string, string>();
  /** Number of consecutive polls by payment id that found a used nonce without a receipt. */
  private readonly missingPolls = new Map<string, number>();

  constructor(private readonly parts: PaymentRunnerParts) {}

  async step(): Promise<void> {
    const next = await this.parts.payments.next();
    await this.resend(next);
    // Sequential, because the payments share the solver's nonces.
    const failures: unknown[] = [];
    for (const payment of next) {
      // An unavailable chain must not delay payments of other chains.
      await this.advance(payment).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Converts planned payments to the form of the database. */
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
      // An unavailable node accepts no transaction.
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
    if (!node) return this.payWithoutNode(payment);
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

  /** Replans only after several polls, because a node reports a new nonce shortly before the receipt. */
  private async replanIfReplaced(payment: Payment, isNonceGone: boolean): Promise<void> {
    const polls = isNonceGone ? (this.missingPolls.get(payment.id) ?? 0) + 1 : 0;
    if (polls < missingPollsBeforeReplan) {
      this.missingPolls.set(payment.id, polls);
      return;
    }
    this.missingPolls.delete(payment.id);
    await this.parts.payments.replan(payment.id);
  }

  private async start(payment: Payment, node: EvmNode): Promise<void> {
    const { payments, swaps } = this.parts;
    try {
      if (payment.swapId === null) return await this.startForDeposit(payment, node);
      const swap = await swaps.get(payment.swapId);
      const isForbidden = swap.outcome === 'undeliverable' && payment.purpose === 'delivery';
      if (isForbidden) throw new TransferRejected('this swap cannot be delivered');
      const signed = await this.sign(payment, swap, node);
      await payments.sign(payment.id, signed);
      await node.send(signed.raw);
    } catch (error) {
      if (!(error instanceof TransferRejected)) throw error;
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

  /** Returns the next nonce. Earlier transactions may be unmined, and other programs may have used the account. */
  private async nextNonce({ sender, chain }: Payment, node: EvmNode): Promise<number> {
    const { payments } = this.parts;
    const [counted, stored] = await Promise.all([node.nonceOf(sender), payments.nextNonce(chain, sender)]);
    return Math.max(counted, stored);
  }

  private async payWithoutNode(payment: Payment): Promise<void> {
    const { swaps, treasuries } = this.parts;
    const swap = await swaps.get(payment.swapId!);
    if (swap.outcome === 'undeliverable' && payment.purpose === 'delivery') return this.giveUp(payment);
    const chain = findChain(payment.chain)!;
    const treasury = treasuries.get(chain.id);
    // Without a treasury, the chain is not simulated, so the payment has no transaction.
    if (!treasury) return this.finish(payment, generateTxHash(chain), 0);
    try {
      await this.payFrom(treasury, payment, chain);
    } catch (error) {
      if (!(error instanceof TransferRejected)) throw error;
      await this.giveUp(payment);
    }
  }

  /**
   * Stores the signed transfer before it is sent. After a crash, the repeated call finds or sends the same transaction.
   */
  private async payFrom(treasury: NetworkTreasury, payment: Payment, chain: Chain): Promise<void> {
    const { payments, solver } = this.parts;
    const { id, state, amountAtomic, raw, txHash } = payment;
    let signed = { raw: raw!, txHash: txHash! };
    if (state === 'planned') {
      // A false settlement pays the solver's address, which is valid only on EVM chains.
      const recipient = payment.recipient === solver.address ? chain.sampleAddress : payment.recipient;
      signed = await treasury.sign({ ...payment, recipient });
      await payments.sign(id, { ...signed, amountAtomic, nonce: null });
    }
    const executed = await treasury.send(signed);
    if (executed === undefined) return payments.replan(id);
    await this.finish(payment, executed, 0);
  }

  private async finish(payment: Payment, txHash: string, height: number): Promise<void> {
    this.missingPolls.delete(payment.id);
    await this.parts.payments.markMined(payment.id, txHash, height);
    if (payment.swapId !== null) await this.endIfDone(payment.swapId);
  }

  /** Handles an impossible payment: a delivery becomes a refund, and any other payment is dropped. */
  private async giveUp(payment: Payment): Promise<void> {
    const { swaps, payments, relayer } = this.parts;
    if (payment.swapId === null) {
      await relayer?.onRejected(payment);
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

/** Returns the final status of a swap from its payments; undefined while a decisive payment is in progress. */
export function endOf(payments: readonly Pick<Payment, 'purpose' | 'state'>[]): SwapStatus | undefined {
  const decisive = payments.filter(({ purpose }) => decisivePurposes.some((it) => it === purpose));
  if (decisive.some(({ state }) => state === 'planned' || state === 'signed')) return undefined;
  const isMined = (purpose: string) => decisive.some((it) => it.purpose === purpose && it.state === 'mined');
  if (isMined('delivery')) return 'SUCCESS';
  return isMined('refund') ? 'REFUNDED' : 'FAILED';
}
