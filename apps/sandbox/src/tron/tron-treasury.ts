import {
  encodeRawData,
  refBlock,
  tronToEvmAddress,
  tronTxId,
  type TronContract,
} from '@tollbridge/onchain/tron';
import { Interface, SigningKey } from 'ethers';
import type { NetworkTransfer, NetworkTreasury, SignedTransfer } from '../networks/network-treasury';
import { TransferRejected } from '../oneclick/evm-node';
import { blockRef, blockTimeMs } from './blocks';
import { solverAccount } from './genesis';
import type { TronChain } from './tron-chain';
import { TronRejection, type RejectionCode } from './tron-rejection';

const lifetimeMs = 60_000;
// A transfer of Tether's token to a new account burns about 13 TRX.
const feeLimit = 100_000_000n;
const token = new Interface(['function transfer(address to, uint256 amount)']);
const expired: readonly RejectionCode[] = ['TAPOS_ERROR', 'TRANSACTION_EXPIRATION_ERROR'];

export interface TronTreasuryParts {
  chain: TronChain;
  /** Resolves when the chain has its genesis. */
  ready(): Promise<void>;
  /** Called before a transaction is sent, because the recipient waits for confirmations. */
  wake(): void;
}

/**
 * Pays from the solver's account. The network executes each transaction id once. A recorded payment is lost only when a
 * killed EVM node has lost blocks.
 */
export class TronTreasury implements NetworkTreasury {
  constructor(private readonly parts: TronTreasuryParts) {}

  async sign({ id, ...transfer }: NetworkTransfer): Promise<SignedTransfer> {
    const { chain, ready } = this.parts;
    await ready();
    const head = await chain.head();
    const rawData = encodeRawData({
      contract: contractOf(transfer),
      ...refBlock(blockRef(head)),
      expirationMs: blockTimeMs(head) + lifetimeMs,
      timestampMs: blockTimeMs(head),
      feeLimit,
      memo: Buffer.from(`payment ${id}`).toString('hex'),
    });
    return { raw: Buffer.from(rawData).toString('hex'), txHash: tronTxId(rawData) };
  }

  async send({ raw, txHash }: SignedTransfer): Promise<string | undefined> {
    const { chain, ready, wake } = this.parts;
    await ready();
    const known = await chain.transactions.find(txHash);
    if (!known) {
      wake();
      const signature = new SigningKey(`0x${solverAccount.privateKey}`).sign(`0x${txHash}`).serialized;
      const rawData = Uint8Array.from(Buffer.from(raw, 'hex'));
      try {
        await chain.broadcast({ rawData, signatures: [signature.slice(2)] });
      } catch (error) {
        if (!(error instanceof TronRejection)) throw error;
        if (expired.includes(error.code)) return undefined;
        throw new TransferRejected('Tron rejects the transfer', { cause: error });
      }
    }
    const { result } = known ?? (await chain.transactions.find(txHash))!;
    if (result !== 'SUCCESS') throw new TransferRejected(`the transfer on Tron ended with ${result}`);
    return txHash;
  }
}

function contractOf({ recipient, token: contract, amountAtomic }: Omit<NetworkTransfer, 'id'>): TronContract {
  const owner = solverAccount.address;
  if (contract === null) return { type: 'TransferContract', owner, to: recipient, amount: amountAtomic };
  const data = token.encodeFunctionData('transfer', [tronToEvmAddress(recipient), amountAtomic]);
  return { type: 'TriggerSmartContract', owner, contract, callValue: 0n, data };
}
