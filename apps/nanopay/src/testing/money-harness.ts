import { AnyCaller } from '@tollbridge/contracts';
import { randomBytes } from 'node:crypto';
import {
  migrateSandbox,
  readTonGenesis,
  startTonSimulator,
  type RunningTonSimulator,
  type TonGenesis,
} from '@tollbridge/app-sandbox';
import { TeeHarness } from '@tollbridge/app-tee/testing';
import { BusClient, callContext, type BusOperation } from '@tollbridge/rpc';
import { Database, systemClock } from '@tollbridge/database';
import type { RunningService } from '@tollbridge/bootstrap';
import { freshDatabase, type FreshDatabase } from '@tollbridge/testing';
import {
  jettonTransferBody,
  jettonWalletAddressOf,
  jettonWalletOf,
  sandboxKey,
  TonAccountReader,
} from '@tollbridge/ton';
import {
  Address,
  beginCell,
  external,
  internal,
  SendMode,
  storeMessage,
  storeShardAccount,
  toNano,
  type Cell,
  type MessageRelaxed,
} from '@ton/core';
import { WalletContractV4, WalletContractV5R1 } from '@ton/ton';
import { start } from '../start';

/** The payment ledger service, nanopay and a TON network in one process, with production code. */
export class MoneyHarness {
  nanopay: RunningService | undefined;
  private readonly client: BusClient;
  readonly reader: TonAccountReader;
  readonly problems: unknown[];

  private constructor(
    readonly tee: TeeHarness,
    readonly genesis: TonGenesis,
    readonly chain: RunningTonSimulator,
    private readonly sandbox: { fresh: FreshDatabase; database: Database; problems: unknown[] },
  ) {
    this.client = new BusClient(tee.bus, new AnyCaller());
    this.reader = new TonAccountReader({ url: chain.rpcUrl });
    this.problems = sandbox.problems;
  }

  static async start(): Promise<MoneyHarness> {
    const [tee, fresh, genesis] = await Promise.all([
      TeeHarness.start(),
      freshDatabase('sandbox', migrateSandbox),
      readTonGenesis(),
    ]);
    const database = await Database.open({
      app: 'sandbox',
      url: fresh.runtimeUrl,
      entities: [],
      maxConnections: 4,
    });
    const problems: unknown[] = [];
    const onError = (error: unknown): void => void problems.push(error);
    const chain = await startTonSimulator({ database, clock: systemClock, onError });
    await tee.startApp();
    const harness = new MoneyHarness(tee, genesis, chain, { fresh, database, problems });
    await harness.startNanopay();
    return harness;
  }

  async startNanopay(): Promise<void> {
    this.nanopay = await start({
      TOLLBRIDGE_ENV: 'sandbox',
      NANOPAY_NATS_URL: this.tee.nats.url,
      NANOPAY_MANAGEMENT_PORT_NUMBER: '0',
      SANDBOX_EXPOSED: 'on',
      GATEWAY_PUBLIC_URL: 'https://pay.example.com',
      TONCENTER_URL: this.chain.rpcUrl,
      NANOPAY_CHAIN_LOOK_MS: '100',
    });
  }

  async stopNanopay(): Promise<void> {
    await this.nanopay?.close();
    this.nanopay = undefined;
  }

  call<I, O>(operation: BusOperation<I, O>, input: Partial<I> & object, principal?: string): Promise<O> {
    return this.client.call(operation, input as I, callContext(principal === undefined ? {} : { principal }));
  }

  get master(): string {
    return this.genesis.usdt.address.toRawString();
  }

  /** The wallet of the ledger service, which contains all deposits. */
  get holder(): string {
    return this.genesis.deposits.address.toRawString();
  }

  /** The jetton balance of an account on the chain. */
  async heldBy(owner: string): Promise<bigint> {
    return (await jettonWalletOf(this.reader, { master: this.master, owner })).balanceAtomic;
  }

  /** Deploys a jetton wallet that the issuer has locked, so that it rejects every transfer. */
  async lock(owner: string): Promise<void> {
    const address = await jettonWalletAddressOf(this.reader, { master: this.master, owner });
    // The TVM instruction `45 THROW`.
    const code = beginCell().storeUint(0xf22d, 16).endCell();
    const state = { type: 'active' as const, state: { code, data: beginCell().endCell() } };
    const account = {
      addr: Address.parseRaw(address),
      storage: { lastTransLt: 0n, balance: { coins: toNano('1') }, state },
      storageStats: {
        used: { cells: 2n, bits: 16n },
        storageExtra: null,
        lastPaid: Math.floor(Date.now() / 1000),
        duePayment: null,
      },
    };
    const shard = { account, lastTransactionLt: 0n, lastTransactionHash: 0n };
    await this.sandbox.fresh.query(
      'INSERT INTO sandbox.ton_accounts (address, shard_account) VALUES ($1, $2)',
      [address, beginCell().store(storeShardAccount(shard)).endCell().toBoc().toString('base64')],
    );
  }

  async close(): Promise<void> {
    await this.stopNanopay();
    this.client.close();
    await this.tee.close();
    await this.chain.close();
    await this.sandbox.database.close();
    await this.sandbox.fresh.drop();
  }
}

/** A wallet v4R2 with its own key, and with coins. */
export class ChainWallet {
  private readonly contract;
  readonly key;

  private constructor(private readonly harness: MoneyHarness) {
    this.key = sandboxKey(`wallet ${randomBytes(8).toString('hex')}`);
    this.contract = WalletContractV4.create({ workchain: 0, publicKey: this.key.publicKey });
  }

  static async funded(harness: MoneyHarness, usdtAtomic: bigint): Promise<ChainWallet> {
    const wallet = new ChainWallet(harness);
    await harness.chain.simulator.fund({ address: wallet.address, nano: toNano('100'), usdtAtomic });
    return wallet;
  }

  get address(): string {
    return this.contract.address.toRawString();
  }

  /** Sends messages, and waits for all resulting transactions. */
  async send(...messages: MessageRelaxed[]): Promise<void> {
    const { reader } = this.harness;
    const { exitCode, stack } = await reader.runGetMethod(this.address, 'seqno');
    const seqno = exitCode === 0 ? Number(stack[0]) : 0;
    const body = this.contract.createTransfer({
      seqno,
      messages,
      sendMode: SendMode.PAY_GAS_SEPARATELY,
      signer: async (cell: Cell) => this.key.sign(cell.hash()),
    } as never) as unknown as Promise<Cell>;
    const init = seqno === 0 ? { init: this.contract.init } : {};
    const message = external({ to: this.contract.address, body: await body, ...init });
    await reader.sendBoc(beginCell().store(storeMessage(message)).endCell().toBoc());
  }

  /** Deposits this or another jetton to the wallet of the ledger service. */
  async deposit(amountAtomic: bigint, master = this.harness.master): Promise<void> {
    await this.send(await depositOf(this.harness, this.address, amountAtomic, master));
  }
}

type W5Action = Parameters<WalletContractV5R1['createRequest']>[0]['actions'][number];

/** A W5 wallet with another wallet as its extension, which controls it even while signatures are disabled. */
export class ExtendedWallet {
  readonly key = sandboxKey(`wallet ${randomBytes(8).toString('hex')}`);
  private readonly contract = WalletContractV5R1.create({ workchain: 0, publicKey: this.key.publicKey });

  private constructor(
    private readonly harness: MoneyHarness,
    private readonly extension: ChainWallet,
  ) {}

  static async funded(harness: MoneyHarness, usdtAtomic: bigint): Promise<ExtendedWallet> {
    const wallet = new ExtendedWallet(harness, await ChainWallet.funded(harness, 0n));
    await harness.chain.simulator.fund({ address: wallet.address, nano: toNano('10'), usdtAtomic });
    const { contract, key, extension } = wallet;
    const body = await contract.createAddExtension({
      seqno: 0,
      extensionAddress: Address.parseRaw(extension.address),
      signer: async (cell: Cell) => key.sign(cell.hash()),
    });
    const message = external({ to: contract.address, init: contract.init, body });
    await harness.reader.sendBoc(beginCell().store(storeMessage(message)).endCell().toBoc());
    return wallet;
  }

  get address(): string {
    return this.contract.address.toRawString();
  }

  takeSignatures(isEnabled: boolean): Promise<void> {
    return this.order({ type: 'setIsPublicKeyEnabled', isEnabled });
  }

  async deposit(amountAtomic: bigint): Promise<void> {
    const outMsg = await depositOf(this.harness, this.address, amountAtomic, this.harness.master);
    await this.order({ type: 'sendMsg', mode: SendMode.PAY_GAS_SEPARATELY, outMsg });
  }

  private async order(action: W5Action): Promise<void> {
    // Requests of an extension have no seqno, although the type requires one.
    const body = this.contract.createRequest({ authType: 'extension', seqno: 0, actions: [action] });
    return this.extension.send(internal({ to: this.contract.address, value: toNano('0.1'), body }));
  }
}

/** The message of an owner to their jetton wallet that makes a deposit. */
async function depositOf(
  { reader, holder }: MoneyHarness,
  owner: string,
  amountAtomic: bigint,
  master: string,
): Promise<MessageRelaxed> {
  const { address } = await jettonWalletOf(reader, { master, owner });
  const body = await jettonTransferBody({
    queryId: 77n,
    destination: holder,
    responseDestination: owner,
    amountAtomic,
    forwardNano: toNano('0.01'),
  });
  return internal({ to: Address.parseRaw(address), value: toNano('0.3'), body });
}
