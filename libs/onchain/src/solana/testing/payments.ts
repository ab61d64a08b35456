import { createTokenAccountInstruction, payInstruction, type PaymentTokens } from '../instructions';
import { nativeCoin, splTokenProgram } from '../keys';
import { recordAddress, u64ToBytes, type SolanaPaymentOrder } from '../order';
import { tokenAccountAddress } from '../program-address';
import { native } from './litesvm';
import {
  addressOf,
  keyOf,
  LocalCluster,
  startSeconds,
  programAddress,
  sol,
  type SentTransaction,
} from './local-cluster';

export const payerAddress = addressOf('payer');
export const merchantAddress = addressOf('merchant');
export const feeReceiver = addressOf('fee receiver');
export const mintAddress = addressOf('mint');
export const heldTokens = 1_000_000_000n;
/** The fee of a transaction with one signature. */
export const transactionFee = 5_000n;

/** An order of 100 USDC: 97 for the merchant, 3 for the platform. */
export function tokenOrder(changes: Partial<SolanaPaymentOrder> = {}): SolanaPaymentOrder {
  return {
    order_id: '018f3b2c-7d4e-7a11-9c55-00d1e2f30415',
    token_in: 'USDC',
    token_out: 'USDC',
    amount_in: 100_000_000n,
    token_in_address: mintAddress,
    merchant: merchantAddress,
    merchant_amount: 97_000_000n,
    fee_receiver: feeReceiver,
    fee_amount: 3_000_000n,
    deadline: startSeconds + 600n,
    ...changes,
  };
}

/** An order of 1 SOL in total. */
export function nativeOrder(changes: Partial<SolanaPaymentOrder> = {}): SolanaPaymentOrder {
  return tokenOrder({
    token_in: 'SOL',
    token_in_address: nativeCoin,
    amount_in: sol,
    merchant_amount: 970_000_000n,
    fee_amount: 30_000_000n,
    ...changes,
  });
}

let snapshot: Uint8Array | undefined;

/** A cluster with token accounts of the merchant and the fee receiver, and a payer who owns 10 SOL and 1,000 USDC. */
export class PaymentCluster extends LocalCluster {
  /** Creates a separate cluster from a snapshot, because preparing one takes longer than most tests. */
  static create(): PaymentCluster {
    if (snapshot === undefined) {
      const prepared = new PaymentCluster(LocalCluster.vmWithProgram());
      prepared.createParties();
      snapshot = prepared.vm.toBytes();
    }
    return new PaymentCluster(native.LiteSvm.fromBytes(snapshot));
  }

  createParties(): void {
    for (const [owner, lamports] of [
      [payerAddress, 10n * sol],
      [merchantAddress, sol],
      [feeReceiver, sol],
    ] as const)
      this.setAccount(owner, { lamports });
    this.createMint();
    for (const owner of [payerAddress, merchantAddress, feeReceiver]) this.createTokenAccount(owner);
    this.setTokens(payerAddress, heldTokens);
  }

  createMint(
    mint = mintAddress,
    tokenProgram = splTokenProgram,
    extensions: Uint8Array = new Uint8Array(0),
  ): void {
    const size = extensions.length === 0 ? 82 : 166 + extensions.length;
    const data = new Uint8Array(size);
    data.set(u64ToBytes(heldTokens * 1_000n), 36);
    data.set([6, 1], 44); // decimals, initialised
    if (size > 82) data.set([1, ...extensions], 165);
    this.setAccount(mint, { owner: tokenProgram, data });
  }

  createTokenAccount(owner: string, mint = mintAddress, tokenProgram = splTokenProgram): string {
    const instruction = createTokenAccountInstruction(payerAddress, owner, mint, tokenProgram);
    const { error, logs } = this.send([instruction], keyOf('payer'));
    if (error) throw new Error(`${error}\n${logs.join('\n')}`);
    return tokenAccountAddress(owner, mint, tokenProgram);
  }

  /** Sets a token balance without a transaction. */
  setTokens(owner: string, amount: bigint, mint = mintAddress, tokenProgram = splTokenProgram): void {
    this.changeData(tokenAccountAddress(owner, mint, tokenProgram), 64, u64ToBytes(amount));
  }

  /** Overwrites bytes of an account. */
  changeData(address: string, at: number, bytes: Uint8Array): void {
    const { owner, data, lamports } = this.account(address)!;
    const changed = Uint8Array.from(data);
    changed.set(bytes, at);
    this.setAccount(address, { owner, data: changed, lamports });
  }

  tokens(owner: string, mint = mintAddress, tokenProgram = splTokenProgram): bigint {
    const account = this.account(tokenAccountAddress(owner, mint, tokenProgram));
    return account ? Buffer.from(account.data).readBigUInt64LE(64) : 0n;
  }

  pay(order: SolanaPaymentOrder, tokens?: PaymentTokens): SentTransaction {
    return this.send([payInstruction(programAddress, order, payerAddress, tokens)], keyOf('payer'));
  }

  isPaid(order: SolanaPaymentOrder): boolean {
    return this.account(recordAddress(programAddress, order))?.owner === programAddress;
  }

  /** Returns the balances of all parties, to compare them before and after a rejected payment. */
  holdings(): Record<string, bigint> {
    return Object.fromEntries(
      [payerAddress, merchantAddress, feeReceiver].flatMap((it) => [
        [`lamports of ${it}`, this.lamports(it)],
        [`tokens of ${it}`, this.tokens(it)],
      ]),
    );
  }
}

/** Encodes an extension of a Token-2022 mint. */
export function extension(type: number, value: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(4 + value.length);
  new DataView(bytes.buffer).setUint16(0, type, true);
  new DataView(bytes.buffer).setUint16(2, value.length, true);
  bytes.set(value, 4);
  return bytes;
}
