import { compileMessage, signTransaction, systemProgram, type Instruction } from '@tollbridge/onchain/solana';
import type { SolanaKey } from './genesis';

const transferInstruction = 2;

/** Returns the instruction that transfers lamports. */
export function coinTransfer(from: string, to: string, lamports: bigint): Instruction {
  const data = Buffer.alloc(12);
  data.writeUInt32LE(transferInstruction, 0);
  data.writeBigUInt64LE(lamports, 4);
  const accounts = [
    { address: from, isSigner: true, isWritable: true },
    { address: to, isSigner: false, isWritable: true },
  ];
  return { programId: systemProgram, accounts, data };
}

/** Returns a signed transfer of lamports in its wire format. */
export function transferTransaction(
  from: SolanaKey,
  to: string,
  lamports: bigint,
  blockhash: string,
): Uint8Array {
  const message = compileMessage(from.address, [coinTransfer(from.address, to, lamports)], blockhash);
  return signTransaction(message, from.secretKey);
}
