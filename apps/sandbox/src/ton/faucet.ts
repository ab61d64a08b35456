import type { Address, MessageRelaxed } from '@ton/core';
import { readGenesis } from './genesis';
import { mintMessage } from './mint-message';
import type { NewTransaction } from './ton.repository';
import type { TonChain } from './ton-chain';
import { signedWalletMessage } from './wallet-message';

export interface Gift {
  /** Raw address. */
  address: string;
  nano: bigint;
  usdtAtomic: bigint;
}

export interface MintedDeposit {
  /** Raw address. */
  sender: string;
  /** Raw address of the owner of the receiving jetton wallet. */
  account: string;
  amountAtomic: bigint;
}

/** Sends coins and jettons with signed messages of the admin's wallet. */
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

  /** Mints jettons with a given sender, so that the account is notified as by a transfer from that sender. */
  deposit({ sender, account, amountAtomic }: MintedDeposit): Promise<NewTransaction[]> {
    return this.sendFromAdmin(async ({ Address }, mint) => [
      mint(Address.parseRaw(account), amountAtomic, Address.parseRaw(sender)),
    ]);
  }

  /** Sends messages sequentially, because the wallet numbers its messages. */
  private sendFromAdmin(
    messagesOf: (core: typeof import('@ton/core'), mint: Mint) => Promise<MessageRelaxed[]>,
  ): Promise<NewTransaction[]> {
    const turn = this.tail.then(async () => {
      const core = await import('@ton/core');
      const { admin, usdt } = await readGenesis();
      const mint: Mint = (to, amountAtomic, sender) =>
        mintMessage(core, { minter: usdt.address, admin: admin.address, to, amountAtomic, sender });
      return this.chain.send(await signedWalletMessage(this.chain, admin, await messagesOf(core, mint)));
    });
    this.tail = turn.catch(() => undefined);
    return turn;
  }
}

type Mint = (to: Address, amountAtomic: bigint, sender: Address | null) => MessageRelaxed;
