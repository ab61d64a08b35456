// Reads payments of `exact` on Solana strictly, and builds refunds. Pure functions.
import { ed25519 } from '@noble/curves/ed25519';
import {
  compileMessage,
  memoInstruction,
  messageOf,
  parseTransaction,
  splTokenProgram,
  tokenAccountAddress,
  tokenTransferInstruction,
  unsignedTransaction,
  type Instruction,
  type ParsedTransaction,
} from '@tollbridge/onchain/solana';
import { createHash } from 'node:crypto';

export interface SignedTransfer {
  payer: string;
  /** Hash of the signed message, which the facilitator uses too: one signature can have several encodings. */
  nonce: string;
  /** Decimals of the token. */
  decimals: number;
}

export interface RefundTransfer {
  feePayer: string;
  wallet: string;
  /** 32 bytes. */
  secretKey: Uint8Array;
  to: string;
  mint: string;
  amountAtomic: bigint;
  decimals: number;
  blockhash: string;
  /** Makes the transaction unique. */
  memo: string;
}

const computeBudget = 'ComputeBudget111111111111111111111111111111';
// The scheme's position of the transfer: after the two compute budget instructions.
const transferAt = 2;
const transferChecked = 12;
const transferBytes = 10;
const maxTransactionChars = 2_000;
// A transfer uses 6,500 units and the memo 20,000.
const computeUnits = 60_000;

/**
 * Returns the transfer in a signed transaction. The facilitator verifies receiver, amount and signature.
 * @returns undefined for a malformed transaction, or when the source is not the payer's account that a refund goes to
 */
export function readTransfer(transaction: unknown, mint: string): SignedTransfer | undefined {
  const wire = readWire(transaction);
  const parsed = wire && parsedOrUndefined(() => parseTransaction(wire));
  const transfer = parsed?.instructions[transferAt];
  if (!wire || !parsed || !transfer) return undefined;
  const { data, programIdIndex, accounts } = transfer;
  const isTransfer =
    parsed.accountKeys[programIdIndex] === splTokenProgram &&
    data.length === transferBytes &&
    data[0] === transferChecked;
  const [source, , , payer] = accounts.map((index) => (parsed as ParsedTransaction).accountKeys[index]);
  if (!isTransfer || payer === undefined) return undefined;
  const own = parsedOrUndefined(() => tokenAccountAddress(payer, mint, splTokenProgram));
  if (own === undefined || source !== own) return undefined;
  const nonce = `0x${createHash('sha256').update(messageOf(wire)).digest('hex')}`;
  return { payer, nonce, decimals: data[transferBytes - 1]! };
}

/**
 * Returns the refund in base64, signed by the sales wallet. The facilitator adds the signature of the fee payer.
 */
export function refundTransaction(refund: RefundTransfer): string {
  const { feePayer, wallet: from, secretKey, to, mint, amountAtomic, decimals, blockhash, memo } = refund;
  const transfer = { from, to, mint, tokenProgram: splTokenProgram, amountAtomic, decimals };
  const instructions = [...budget(), tokenTransferInstruction(transfer), memoInstruction(memo)];
  const message = compileMessage(feePayer, instructions, blockhash);
  const wire = unsignedTransaction(message);
  // The sales wallet is the second of two signers.
  wire.set(ed25519.sign(message, secretKey), 1 + 64);
  return Buffer.from(wire).toString('base64');
}

function budget(): Instruction[] {
  const limit = Buffer.alloc(5);
  limit.writeUInt8(2, 0);
  limit.writeUInt32LE(computeUnits, 1);
  const price = Buffer.alloc(9);
  price.writeUInt8(3, 0);
  price.writeBigUInt64LE(1n, 1);
  return [limit, price].map((data) => ({ programId: computeBudget, accounts: [], data }));
}

function readWire(text: unknown): Uint8Array | undefined {
  if (typeof text !== 'string' || text.length > maxTransactionChars) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

function parsedOrUndefined<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}
