import { Address, Cell, contractAddress, type StateInit } from '@ton/core';
import {
  Blockchain,
  type SendMessageResult,
  type TreasuryContract,
  type SandboxContract,
} from '@ton/sandbox';
import { tonDeployment } from '../deployment';
import { tonPayAddress } from '../pay';

export type Account = SandboxContract<TreasuryContract>;
export type Transactions = SendMessageResult['transactions'];

export const startS = 1_800_000_000;

/**
 * A local chain with TON's own virtual machine and transaction executor, the main network's configuration, and the
 * payment contract.
 */
export class TonChain {
  private constructor(
    readonly blockchain: Blockchain,
    readonly admin: Account,
    readonly payment: Address,
  ) {}

  static async start(): Promise<TonChain> {
    const blockchain = await Blockchain.create({ config: 'slim' });
    blockchain.now = startS;
    const admin = await blockchain.treasury('admin');
    const chain = new TonChain(blockchain, admin, Address.parseRaw(await tonPayAddress()));
    const { init, valueNano, body } = await tonDeployment();
    await chain.deploy(init, valueNano, body);
    return chain;
  }

  get nowS(): number {
    return this.blockchain.now!;
  }

  pass(seconds: number): void {
    this.blockchain.now = this.nowS + seconds;
  }

  account(name: string): Promise<Account> {
    return this.blockchain.treasury(name);
  }

  async deploy(init: StateInit, value: bigint, body = Cell.EMPTY): Promise<Address> {
    const address = contractAddress(0, init);
    await this.admin.send({ to: address, value, init, bounce: false, body });
    return address;
  }

  async coins(address: Address): Promise<bigint> {
    return (await this.blockchain.getContract(address)).balance;
  }

  /** Returns undefined for an account without code. */
  async dataOf(address: Address): Promise<Cell | undefined> {
    const { accountState } = await this.blockchain.getContract(address);
    return accountState?.type === 'active' ? (accountState.state.data ?? undefined) : undefined;
  }

  async isActive(address: Address): Promise<boolean> {
    return (await this.dataOf(address)) !== undefined;
  }

  async ask(address: Address, method: string, ...cells: Cell[]) {
    const stack = cells.map((cell) => ({ type: 'slice' as const, cell }));
    return (await this.blockchain.runGetMethod(address, method, stack)).stackReader;
  }
}

export const raw = (address: Address): string => address.toRawString();

/** Returns the values of the messages from one account to another, in nanotons. */
export function valuesSent(transactions: Transactions, from: Address, to: Address): bigint[] {
  return transactions
    .flatMap(({ inMessage }) => (inMessage?.info.type === 'internal' ? [inMessage.info] : []))
    .filter(({ src, dest }) => src.equals(from) && dest.equals(to))
    .map(({ value }) => value.coins);
}
