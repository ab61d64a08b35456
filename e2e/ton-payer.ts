import { Address, beginCell, Cell, internal, SendMode } from '@ton/core';
import { mnemonicToPrivateKey, type KeyPair } from '@ton/crypto';
import { JettonMaster, JettonWallet, TonClient, WalletContractV4, type OpenedContract } from '@ton/ton';
import { eventually } from '@tollbridge/testing';
import { randomBytes } from 'node:crypto';

interface TonCall {
  messages: { address: string; amount: string; payload: string }[];
}

const transferOp = 0x0f8a7ea5;

/** The payer of the local TON network, with the official wallet library. */
export class TonPayer {
  private constructor(
    readonly network: any,
    private readonly client: TonClient,
    private readonly keys: KeyPair,
    private readonly wallet: OpenedContract<WalletContractV4>,
  ) {}

  /** @param sandbox reply of `GET /sandbox` */
  static async in(sandbox: any): Promise<TonPayer> {
    const network = sandbox.networks.find(({ family }: { family: string }) => family === 'ton');
    const client = new TonClient({ endpoint: network.rpcUrl });
    const payer = network.accounts.find(({ role }: { role: string }) => role === 'payer');
    const keys = await mnemonicToPrivateKey(payer.privateKey.split(' '));
    const wallet = client.open(WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey }));
    return new TonPayer(network, client, keys, wallet);
  }

  get address(): string {
    return this.wallet.address.toString({ bounceable: false });
  }

  account(role: string): string {
    return this.network.accounts.find((account: { role: string }) => account.role === role).address;
  }

  /**
   * Sends the messages of TON Connect.
   * @returns the hash of the wallet's transaction, hexadecimal
   */
  pay({ messages }: TonCall): Promise<string> {
    return this.send(
      messages.map(({ address, amount, payload }) =>
        internal({
          to: Address.parse(address),
          // In TON Connect, the form of the address contains the bounce flag.
          bounce: Address.parseFriendly(address).isBounceable,
          value: BigInt(amount),
          body: Cell.fromBase64(payload),
        }),
      ),
    );
  }

  /**
   * Transfers USDT.
   * @returns the hash of the wallet's transaction, hexadecimal
   */
  async transferUsdt(receiver: string, amountAtomic: bigint): Promise<string> {
    const to = await this.usdtWallet(this.wallet.address);
    const body = beginCell()
      .storeUint(transferOp, 32)
      .storeUint(0, 64)
      .storeCoins(amountAtomic)
      .storeAddress(Address.parse(receiver))
      .storeAddress(this.wallet.address)
      .storeBit(false)
      .storeCoins(1n)
      .storeBit(false)
      .endCell();
    return this.send([internal({ to, value: 100_000_000n, body })]);
  }

  /** A new account without any payment. */
  newReceiver(): string {
    return new Address(0, randomBytes(32)).toString({ bounceable: false });
  }

  /** USDT balance of an account, in the smallest unit. */
  async usdtOf(account: string): Promise<bigint> {
    const wallet = await this.usdtWallet(Address.parse(account));
    return this.client.open(JettonWallet.create(wallet)).getBalance();
  }

  private usdtWallet(owner: Address): Promise<Address> {
    const { address } = this.network.tokens.find(({ symbol }: { symbol: string }) => symbol === 'USDT');
    return this.client.open(JettonMaster.create(Address.parse(address))).getWalletAddress(owner);
  }

  private async send(messages: ReturnType<typeof internal>[]): Promise<string> {
    const { wallet, keys } = this;
    const seqno = await wallet.getSeqno();
    const sendMode = SendMode.PAY_GAS_SEPARATELY;
    await wallet.sendTransfer({ seqno, secretKey: keys.secretKey, messages, sendMode });
    await eventually(async () => expect(await wallet.getSeqno()).toBe(seqno + 1));
    // The unused coins may already have returned, in a separate transaction.
    const newest = await this.client.getTransactions(wallet.address, { limit: 10 });
    const signed = newest.find(({ inMessage }) => inMessage?.info.type === 'external-in')!;
    return signed.hash().toString('hex');
  }
}
