import type { Address, Cell, MessageRelaxed } from '@ton/core';
import { adminWalletId, readGenesis } from './genesis';
import { mintMessage } from './mint-message';
import type { NewTransaction } from './ton.repository';
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

const messageLifeS = 600;
const payFeesSeparately = 1;

/** Sends coins and jettons by signed messages of the admin's wallet. */
export class Faucet {
  private tail: Promise<unknown> = Promise.resolve();

  constructor(private readonly chain: TonChain) {}

  give({ address, nano, usdtAtomic }: Gift): Promise<NewTransaction[]> {
    return this.sendFromAdmin(async ({ Address, internal }, mint) => {
      const to = Address.parseRaw(address);
      const messages: MessageRelaxed[] = [];
      if (nano > 0n) messages.push(internal({ to, value: nano, bounce: false }));
      if (usdtAtomic > 0n) messages.push(mint(to, usdtAtomic, null));
      return messages;
    });
  }

  /** A mint that names a sender, so that the account is notified as by a transfer from that sender. */
  deposit({ sender, account, amountAtomic }: MintedDeposit): Promise<NewTransaction[]> {
    return this.sendFromAdmin(async ({ Address }, mint) => [
      mint(Address.parseRaw(account), amountAtomic, Address.parseRaw(sender)),
    ]);
  }

  /** Sequentially, because the wallet counts its messages. */
  private sendFromAdmin(
    messagesOf: (core: typeof import('@ton/core'), mint: Mint) => Promise<MessageRelaxed[]>,
  ): Promise<NewTransaction[]> {
    const turn = this.tail.then(async () => {
      const core = await import('@ton/core');
      const { admin, usdt } = await readGenesis();
      const mint: Mint = (to, amountAtomic, sender) =>
        mintMessage(core, { minter: usdt.address, admin: admin.address, to, amountAtomic, sender });
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
