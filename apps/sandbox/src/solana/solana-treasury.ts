import {
  compileMessage,
  createTokenAccountInstruction,
  parseTransaction,
  signTransaction,
  splTokenProgram,
  tokenAccountAddress,
  type Instruction,
} from '@tollbridge/onchain/solana';
import type { NetworkTransfer, NetworkTreasury, SignedTransfer } from '../networks/network-treasury';
import { TransferRejected } from '../oneclick/evm-node';
import { sandboxSolanaKey } from './genesis';
import { memoProgram } from './memo-program';
import type { SolanaChain } from './solana-chain';
import { rpcCodes, SolanaRejection } from './solana-rejection';
import { readMint } from './token-account';
import { coinTransfer } from './transfer-transaction';

const tokenOps = { mintTo: 7, transferChecked: 12 };

/**
 * Pays from the faucet's account, which mints the tokens that it transfers. The network executes each signature once.
 */
export class SolanaTreasury implements NetworkTreasury {
  private readonly account = sandboxSolanaKey('faucet');

  constructor(private readonly chain: SolanaChain) {}

  async sign({ id, recipient, token, amountAtomic }: NetworkTransfer): Promise<SignedTransfer> {
    const { address, secretKey } = this.account;
    const memo = { programId: memoProgram, accounts: [], data: Buffer.from(`payment ${id}`) };
    const transfer =
      token === null
        ? [coinTransfer(address, recipient, amountAtomic)]
        : await this.tokenTransfer(recipient, token, amountAtomic);
    const slot = await this.chain.slot('confirmed');
    const { blockhash } = (await this.chain.slots()).block(slot);
    const wire = signTransaction(compileMessage(address, [memo, ...transfer], blockhash), secretKey);
    return { raw: Buffer.from(wire).toString('base64'), txHash: parseTransaction(wire).signatures[0]! };
  }

  async send({ raw, txHash }: SignedTransfer): Promise<string | undefined> {
    // A transaction that would fail is rejected by the preflight, so a stored transaction has succeeded.
    if (await this.chain.stored.transaction(txHash)) return txHash;
    try {
      return await this.chain.send(Uint8Array.from(Buffer.from(raw, 'base64')), false);
    } catch (error) {
      if (!(error instanceof SolanaRejection) || error.code !== rpcCodes.preflightFailure) throw error;
      if ((error.data as { err: unknown }).err === 'BlockhashNotFound') return undefined;
      throw new TransferRejected('Solana rejects the transfer', { cause: error });
    }
  }

  private async tokenTransfer(recipient: string, mint: string, amountAtomic: bigint): Promise<Instruction[]> {
    const state = await this.chain.account(mint);
    const decimals = state && readMint(state)?.decimals;
    if (decimals === undefined)
      throw new TransferRejected(`${mint} is not a token of the local Solana network`);
    const { address: owner } = this.account;
    const [from, to] = [owner, recipient].map((it) => tokenAccountAddress(it, mint, splTokenProgram));
    const authority = { address: owner, isSigner: true, isWritable: true };
    return [
      createTokenAccountInstruction(owner, owner, mint),
      createTokenAccountInstruction(owner, recipient, mint),
      {
        programId: splTokenProgram,
        accounts: [writable(mint), writable(from!), authority],
        data: Buffer.concat([Buffer.of(tokenOps.mintTo), u64(amountAtomic)]),
      },
      {
        programId: splTokenProgram,
        accounts: [writable(from!), writable(mint), writable(to!), authority],
        data: Buffer.concat([Buffer.of(tokenOps.transferChecked), u64(amountAtomic), Buffer.of(decimals)]),
      },
    ];
  }
}

const writable = (address: string) => ({ address, isSigner: false, isWritable: true });

function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}
