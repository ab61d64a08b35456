import { sandboxTronUsdtAbi, sandboxTronUsdtCreationCode, tronToEvmAddress } from '@tollbridge/onchain/tron';
import { Database } from '@tollbridge/database';
import { freshDatabase, startAnvil, type Anvil } from '@tollbridge/testing';
import { TronWeb, utils } from 'tronweb';
import { migrateSandbox } from '../../simulators/open-simulators';
import { genesisAccounts, type GenesisAccount } from '../genesis';
import { startTronSimulator, type RunningTronSimulator } from '../start-tron-simulator';

/** The last four bytes of the genesis block's id, which CHAINID returns on Tron. */
const chainId = 728_126_428;

export interface TronUser {
  tronWeb: TronWeb;
  address: string;
  privateKey: string;
}

export interface TronHarness extends RunningTronSimulator {
  anvil: Anvil;
  /** Errors of the simulator itself. */
  problems: unknown[];
  /** Creates an account with coins, and a client that signs for it. */
  user(sun?: bigint): Promise<TronUser>;
  /** Accounts of the genesis block, by role. */
  accounts: Readonly<Record<'payer' | 'merchant' | 'second_payer', GenesisAccount>>;
  /** Starts the simulator again on the same node and database. */
  restart(): Promise<void>;
  /** Mines blocks until all transactions are in solid blocks. */
  solidify(): Promise<void>;
}

/** Opens a separate Tron network for a test file. */
export async function openTronHarness(): Promise<TronHarness> {
  const [anvil, fresh] = await Promise.all([
    startAnvil({ chainId }),
    freshDatabase('sandbox', migrateSandbox),
  ]);
  const problems: unknown[] = [];
  const onError = (error: unknown): void => void problems.push(error);
  const open = async () => {
    const url = fresh.runtimeUrl;
    const database = await Database.open({ app: 'sandbox', url, entities: [], maxConnections: 4 });
    return { database, ...(await startTronSimulator({ rpcUrl: anvil.url, database, onError })) };
  };
  let simulator = await open();
  const end = async () => {
    await simulator.close();
    await simulator.database.close();
  };
  const harness: TronHarness = {
    ...simulator,
    anvil,
    accounts: Object.fromEntries(genesisAccounts.map((it) => [it.role, it])) as TronHarness['accounts'],
    problems,
    async restart() {
      await end();
      simulator = await open();
      Object.assign(harness, { url: simulator.url, simulator: simulator.simulator });
    },
    async user(sun = 10_000_000_000n) {
      const { privateKey, address } = utils.accounts.generateAccount();
      const balance = `0x${sun.toString(16)}`;
      await anvil.send('anvil_setBalance', [tronToEvmAddress(address.base58), balance]);
      const tronWeb = new TronWeb({ fullHost: simulator.url, privateKey });
      return { tronWeb, address: address.base58, privateKey };
    },
    async solidify() {
      await anvil.mine(simulator.simulator.chain.network.solidAfterBlocks);
    },
    async close() {
      await end();
      await Promise.all([anvil.stop(), fresh.drop()]);
    },
  };
  return harness;
}

/** Deploys Tether's token, with `amount` minted to each holder. */
export async function deployUsdt(
  { tronWeb }: TronUser,
  holders: readonly string[],
  amount: bigint,
): Promise<string> {
  const address = await deploy(tronWeb, sandboxTronUsdtAbi, sandboxTronUsdtCreationCode, 'TetherToken');
  for (const holder of holders)
    await send(tronWeb, address, 'mint(address,uint256)', { address: holder, uint256: amount });
  return address;
}

/** Deploys a contract with tronweb. Returns its address in base58. */
export async function deploy(
  tronWeb: TronWeb,
  abi: readonly unknown[],
  code: string,
  name: string,
): Promise<string> {
  const options = {
    abi: [...abi],
    bytecode: code.slice(2),
    feeLimit: 1_000_000_000,
    name,
    userFeePercentage: 100,
  };
  const transaction = await tronWeb.transactionBuilder.createSmartContract(options as never);
  const receipt = await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(transaction));
  if (receipt.result !== true) throw new Error(`${receipt.code} ${readable(receipt.message)}`);
  return TronWeb.address.fromHex(transaction.contract_address);
}

/** Calls a function with simple arguments in the order of their types. Returns the id of the transaction. */
export async function send(
  tronWeb: TronWeb,
  contract: string,
  selector: string,
  values: Readonly<Record<string, unknown>>,
): Promise<string> {
  const parameters = Object.entries(values).map(([type, value]) => ({ type, value: String(value) }));
  const { transaction } = await tronWeb.transactionBuilder.triggerSmartContract(
    contract,
    selector,
    { feeLimit: 1_000_000_000 },
    parameters,
  );
  const receipt = await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(transaction));
  if (receipt.result !== true) throw new Error(`${receipt.code} ${readable(receipt.message)}`);
  return transaction.txID;
}

export const readable = (hex: string | undefined): string => Buffer.from(hex ?? '', 'hex').toString();
