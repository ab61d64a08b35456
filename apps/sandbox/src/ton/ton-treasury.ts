import { jettonTransferBody, jettonTransferNano } from '@tollbridge/ton';
import type { Address, MessageRelaxed } from '@ton/core';
import type { NetworkTransfer, NetworkTreasury, SignedTransfer } from '../networks/network-treasury';
import { TransferRejected } from '../oneclick/evm-node';
import { readGenesis } from './genesis';
import { MessageRejected, type TonChain } from './ton-chain';
import { signedWalletMessage } from './wallet-message';

/** Pays from the solver's wallet. Each message contains the wallet's next sequence number, so it is executed once. */
export class TonTreasury implements NetworkTreasury {
  constructor(private readonly chain: TonChain) {}

  async sign(transfer: NetworkTransfer): Promise<SignedTransfer> {
    const { solver } = await readGenesis();
    const message = await signedWalletMessage(this.chain, solver, [
      await this.transferMessage(transfer, solver.address),
    ]);
    return { raw: message.toBoc().toString('base64'), txHash: message.hash().toString('hex') };
  }

  /** @returns the hash of the wallet's transaction, which is the first of the trace */
  async send({ raw, txHash }: SignedTransfer): Promise<string | undefined> {
    const { Cell } = await import('@ton/core');
    const known = await this.chain.executed(txHash);
    try {
      const trace = known.length > 0 ? known : await this.chain.send(Cell.fromBase64(raw));
      if (await isReturned(trace)) throw new TransferRejected('the transfer on TON was returned');
      return trace[0]!.hash;
    } catch (error) {
      // The message has expired, or the wallet has sent another message with this sequence number.
      if (error instanceof MessageRejected) return undefined;
      throw error;
    }
  }

  private async transferMessage(
    { id, recipient, token, amountAtomic }: NetworkTransfer,
    from: Address,
  ): Promise<MessageRelaxed> {
    const { Address, comment, internal } = await import('@ton/core');
    const to = Address.parse(recipient);
    if (token === null)
      return internal({ to, value: amountAtomic, bounce: false, body: comment(`payment ${id}`) });
    const body = await jettonTransferBody({
      queryId: BigInt(id),
      amountAtomic,
      destination: to.toRawString(),
      responseDestination: from.toRawString(),
    });
    return internal({ to: await this.jettonWallet(token, from), value: jettonTransferNano, body });
  }

  private async jettonWallet(token: string, owner: Address): Promise<Address> {
    const { Address, beginCell, getMethodId, TupleReader } = await import('@ton/core');
    const cell = beginCell().storeAddress(owner).endCell();
    const master = Address.parse(token).toRawString();
    const computed = await this.chain.call(master, getMethodId('get_wallet_address'), [
      { type: 'slice', cell },
    ]);
    if (computed.exitCode !== 0) throw new TransferRejected(`${token} is not a jetton of the local network`);
    return new TupleReader(computed.stack).readAddress();
  }
}

/**
 * Whether the transfer was returned. An account without code keeps coins even if its transaction fails, so only the
 * first transaction and bounces count.
 */
async function isReturned(trace: readonly { boc: string }[]): Promise<boolean> {
  const { Cell, loadTransaction } = await import('@ton/core');
  const parsed = trace.map(({ boc }) => loadTransaction(Cell.fromBase64(boc).beginParse()));
  const { description } = parsed[0]!;
  const isFailed = description.type !== 'generic' || description.aborted;
  return isFailed || parsed.some(({ inMessage: it }) => it?.info.type === 'internal' && it.info.bounced);
}
