import { jettonOps } from '@tollbridge/ton';
import type { Address, Cell, MessageRelaxed } from '@ton/core';
import { adminWalletId, readGenesis } from './genesis';
import type { StoredTransaction } from './ton.repository';
import type { TonChain } from './ton-chain';

export interface Gift {
  /** Raw form. */
  address: string;
  nano: bigint;
  usdtAtomic: bigint;
}

export interface MintedDeposit {
  /** Raw form. */
  sender: string;
  /** Owner of the jetton wallet that receives them, raw form. */
  account: string;
  amountAtomic: bigint;
}

// For the fees of minting, deployment and notification; the remainder is returned.
const [mintNano, deliveredNano, forwardNano] = [300_000_000n, 200_000_000n, 50_000_000n];
const messageLifeS = 600;
const mintOp = 21;
const payFeesSeparately = 1;

/** Sends coins and jettons by signed messages of the admin's wallet. */
export class Faucet {
  private tail: Promise<unknown> = Promise.resolve();

  constructor(private readonly chain: TonChain) {}

  give({ address, nano, usdtAtomic }: Gift): Promise<StoredTransaction[]> {
    return this.sendFromAdmin(async ({ Address, internal }, mint) => {
      const to = Address.parseRaw(address);
      const messages: MessageRelaxed[] = [];
      if (nano > 0n) messages.push(internal({ to, value: nano, bounce: false }));
      if (usdtAtomic > 0n) messages.push(mint(to, usdtAtomic, null));
      return messages;
    });
  }

  /** A mint that names a sender, so that the account is notified as by a transfer from that sender. */
  deposit({ sender, account, amountAtomic }: MintedDeposit): Promise<StoredTransaction[]> {
    return this.sendFromAdmin(async ({ Address }, mint) => [
      mint(Address.parseRaw(account), amountAtomic, Address.parseRaw(sender)),
    ]);
  }

  /** Sequentially, because the wallet counts its messages. */
  private sendFromAdmin(
    messagesOf: (core: typeof import('@ton/core'), mint: Mint) => Promise<MessageRelaxed[]>,
  ): Promise<StoredTransaction[]> {
    const turn = this.tail.then(async () => {
      const core = await import('@ton/core');
      const { admin, usdt } = await readGenesis();
      const mint: Mint = (...args) => mintMessage(core, usdt.address, admin.address, ...args);
      const body = await this.signedBody(core, await messagesOf(core, mint));
      const message = core.external({ to: admin.address, body });
      return this.chain.send(core.beginCell().store(core.storeMessage(message)).endCell());
    });
    this.tail = turn.catch(() => undefined);
    return turn;
  }

  private async signedBody(core: typeof import('@ton/core'), messages: MessageRelaxed[]): Promise<Cell> {
    const { admin } = await readGenesis();
    const answer = await this.chain.call(admin.address.toRawString(), core.getMethodId('seqno'), []);
    const seqno = new core.TupleReader(answer.stack).readNumber();
    const request = core
      .beginCell()
      .storeUint(adminWalletId, 32)
      .storeUint(this.chain.nowS + messageLifeS, 32)
      .storeUint(seqno, 32)
      // The simple opcode: send messages.
      .storeUint(0, 8);
    for (const message of messages)
      request
        .storeUint(payFeesSeparately, 8)
        .storeRef(core.beginCell().store(core.storeMessageRelaxed(message)).endCell());
    const signature = admin.key.sign(request.endCell().hash());
    return core.beginCell().storeBuffer(signature).storeBuilder(request).endCell();
  }
}

type Mint = (to: Address, amountAtomic: bigint, sender: Address | null) => MessageRelaxed;

function mintMessage(
  { beginCell, internal }: typeof import('@ton/core'),
  minter: Address,
  admin: Address,
  to: Address,
  amountAtomic: bigint,
  sender: Address | null,
): MessageRelaxed {
  const transfer = beginCell()
    .storeUint(jettonOps.internalTransfer, 32)
    .storeUint(0, 64)
    .storeCoins(amountAtomic)
    .storeAddress(sender)
    .storeAddress(admin)
    .storeCoins(sender ? forwardNano : 0n)
    .storeBit(false)
    .endCell();
  const body = beginCell()
    .storeUint(mintOp, 32)
    .storeUint(0, 64)
    .storeAddress(to)
    .storeCoins(deliveredNano)
    .storeRef(transfer)
    .endCell();
  return internal({ to: minter, value: mintNano, body });
}
