import { compileMessage, signTransaction, SYSTEM_PROGRAM } from '@tollbridge/onchain/solana';
import type { SolanaKey } from './genesis';

const transferInstruction = 2;

/** A signed transfer of lamports, in its wire form. */
export function transferTransaction(
  from: SolanaKey,
  to: string,
  lamports: bigint,
  blockhash: string,
): Uint8Array {
  const data = Buffer.alloc(12);
  data.writeUInt32LE(transferInstruction, 0);
  data.writeBigUInt64LE(lamports, 4);
  const accounts = [
    { address: from.address, isSigner: true, isWritable: true },
    { address: to, isSigner: false, isWritable: true },
  ];
  const message = compileMessage(from.address, [{ programId: SYSTEM_PROGRAM, accounts, data }], blockhash);
  return signTransaction(message, from.secretKey);
}
