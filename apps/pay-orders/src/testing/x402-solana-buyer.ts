import { ed25519 } from '@noble/curves/ed25519';
import { createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit';
import { sandboxSolanaKey } from '@tollbridge/app-sandbox';
import {
  compileMessage,
  signAsFeePayer,
  splTokenProgram,
  tokenTransferInstruction,
  unsignedTransaction,
  type Instruction,
} from '@tollbridge/onchain/solana';
import type { PaymentRequirements } from '@x402/core/types';
import { ExactSvmScheme } from '@x402/svm/exact/client';
import { randomUUID } from 'node:crypto';
import type { SolanaNetwork } from './solana-network';
import type { X402Payment } from './x402-buyer';

export const solanaNetwork = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
export const feePayer = 'H3qpC4kzdtuguUwbjewyiuNHCwjnqsadBuYi4MyJC81x';
const computeBudget = 'ComputeBudget111111111111111111111111111111';

interface Forged {
  feePayer?: string;
  /** Replaces the two instructions of the compute budget. */
  budget?: Instruction[];
  /** Replaces the requested transfer. */
  transfer?: Instruction;
  /** Added after the transfer. */
  more?: Instruction[];
  blockhash?: string;
}

/**
 * A buyer with USDC on the local Solana network. It uses the official client, or forges transactions that this client
 * would not make.
 */
export class X402SolanaBuyer {
  private constructor(
    private readonly network: SolanaNetwork,
    readonly address: string,
    private readonly secretKey: Uint8Array,
  ) {}

  static async open(network: SolanaNetwork, heldAtomic = 1_000_000n): Promise<X402SolanaBuyer> {
    const { address, secretKey } = await network.newWallet(randomUUID(), heldAtomic);
    return new X402SolanaBuyer(network, address, secretKey);
  }

  /** A payment of the unmodified client. */
  async pay(
    payTo: string,
    changes: Partial<PaymentRequirements> = {},
    extensions?: object,
  ): Promise<X402Payment> {
    const accepted = this.requirements(payTo, changes);
    const signer = await createKeyPairSignerFromPrivateKeyBytes(this.secretKey);
    const scheme = new ExactSvmScheme(signer, { rpcUrl: this.network.rpcUrl });
    const { payload } = await scheme.createPaymentPayload(2, accepted);
    return this.paymentOf(payload as { transaction: string }, accepted, extensions);
  }

  /** A payment of 1,000 units with a transaction of any content, signed by the buyer. */
  async forge(payTo: string, forged: Forged = {}): Promise<X402Payment> {
    const accepted = this.requirements(payTo);
    const { feePayer: payer = feePayer, budget = budgetOf(), transfer, more = [] } = forged;
    const blockhash = forged.blockhash ?? (await this.network.blockhash());
    const instructions = [...budget, transfer ?? this.transferTo(payTo), ...more];
    const message = compileMessage(payer, instructions, blockhash);
    const wire = unsignedTransaction(message);
    // The second signer, if the transaction has one.
    if (message[0]! > 1) wire.set(ed25519.sign(message, this.secretKey), 1 + 64);
    return this.paymentOf({ transaction: Buffer.from(wire).toString('base64') }, accepted);
  }

  /** Moves tokens away with a transaction of its own. */
  async moveAway(to: string, amountAtomic: bigint): Promise<void> {
    const { address: payer, secretKey } = sandboxSolanaKey('payer');
    const transfer = this.transferTo(to, amountAtomic);
    const message = compileMessage(payer, [transfer], await this.network.blockhash());
    const wire = unsignedTransaction(message);
    wire.set(ed25519.sign(message, this.secretKey), 1 + 64);
    await this.network.send(signAsFeePayer(wire, secretKey).wire);
  }

  transferTo(to: string, amountAtomic = 1_000n, from = this.address): Instruction {
    const { usdc: mint } = this.network;
    return tokenTransferInstruction({
      from,
      to,
      mint,
      tokenProgram: splTokenProgram,
      amountAtomic,
      decimals: 6,
    });
  }

  requirements(payTo: string, changes: Partial<PaymentRequirements> = {}): PaymentRequirements {
    return {
      scheme: 'exact',
      network: solanaNetwork,
      asset: this.network.usdc,
      amount: '1000',
      payTo,
      maxTimeoutSeconds: 60,
      extra: { feePayer },
      ...changes,
    };
  }

  private paymentOf(
    payload: { transaction: string },
    accepted: PaymentRequirements,
    extensions?: object,
  ): X402Payment {
    return {
      paymentPayload: {
        x402Version: 2,
        accepted: { ...accepted },
        payload: { ...payload },
        resource: { url: 'https://shop.example/premium' },
        ...(extensions && { extensions }),
      },
      paymentRequirements: { ...accepted },
    };
  }
}

/** The two instructions that the scheme requires. @param more bytes behind the price */
export function budgetOf({ units = 20_000, microLamports = 1n, more = 0 } = {}): Instruction[] {
  const limit = Buffer.alloc(5);
  limit.writeUInt8(2, 0);
  limit.writeUInt32LE(units, 1);
  const price = Buffer.alloc(9 + more);
  price.writeUInt8(3, 0);
  price.writeBigUInt64LE(microLamports, 1);
  return [limit, price].map((data) => ({ programId: computeBudget, accounts: [], data }));
}
