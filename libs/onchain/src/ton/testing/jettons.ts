import { Address, beginCell, Cell, type StateInit } from '@ton/core';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TonJetton } from '../order';
import { raw, type Account, type TonChain } from './ton-chain';

/** A jetton of the local chain. */
export interface TestJetton {
  master: Address;
  facts: TonJetton;
  mint(to: Address, amount: bigint): Promise<void>;
  walletOf(owner: Address): Promise<Address>;
  balanceOf(owner: Address): Promise<bigint>;
}

/** A jetton with an issuer that can lock wallets. Status 1 blocks sending, and status 2 blocks receiving. */
export interface GovernedJetton extends TestJetton {
  lock(owner: Address, status: number): Promise<void>;
}

const contracts = join(__dirname, '../../../ton/contracts');
const tolkVersion = readFileSync(require.resolve('@ton/tolk-js/package.json'), 'utf8');
const mintNano = 300_000_000n;

/** Compiles a contract, or reads the code from an earlier run, because the compiler takes over a second to load. */
export async function compileTolk(name: string, edit = (text: string): string => text): Promise<Cell> {
  const sources = new Map(
    sourceFiles().map((file) => [file, edit(readFileSync(join(contracts, file), 'utf8'))]),
  );
  const known = createHash('sha256')
    .update(JSON.stringify([name, tolkVersion, ...sources]))
    .digest('hex');
  const path = join(tmpdir(), `tollbridge-tolk-${known}.boc`);
  if (existsSync(path)) return Cell.fromBoc(readFileSync(path))[0]!;
  const { runTolkCompiler } = await import('@ton/tolk-js');
  const result = await runTolkCompiler({
    entrypointFileName: `${name}.tolk`,
    fsReadCallback: (file) => sources.get(file) ?? readFileSync(join(contracts, file), 'utf8'),
  });
  if (result.status === 'error') throw new Error(result.message);
  const code = Cell.fromBase64(result.codeBoc64);
  // Renamed when the file is complete, because other tests run at the same time.
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, code.toBoc());
  renameSync(unfinished, path);
  return code;
}

const sourceFiles = (): string[] =>
  readdirSync(contracts, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tolk'))
    .sort();

/** The master computes the addresses. Balances are read from the wallets' data, after the status. */
function methodsOf(
  chain: TonChain,
  master: Address,
  statusBits: number,
): Pick<TestJetton, 'walletOf' | 'balanceOf'> {
  const known = new Map<string, Promise<Address>>();
  const computed = async (owner: Address): Promise<Address> => {
    const slice = beginCell().storeAddress(owner).endCell();
    return (await chain.ask(master, 'get_wallet_address', slice)).readAddress();
  };
  const walletOf = (owner: Address): Promise<Address> => {
    const wallet = known.get(raw(owner)) ?? computed(owner);
    known.set(raw(owner), wallet);
    return wallet;
  };
  const balanceOf = async (owner: Address): Promise<bigint> => {
    const data = await chain.dataOf(await walletOf(owner));
    return data ? data.beginParse().skip(statusBits).loadCoins() : 0n;
  };
  return { walletOf, balanceOf };
}

// Contract code that tonweb publishes under the MIT licence, without types.
interface Tonweb {
  token: {
    jetton: {
      JettonMinter: new (
        provider: undefined,
        options: { publicKey: Uint8Array },
      ) => {
        options: { code: { toBoc(hasIndex: boolean): Promise<Uint8Array> } };
      };
      JettonWallet: { codeHex: string };
    };
  };
}

/** Deploys the reference jetton of TEP-74. The sandbox uses its code too. */
export async function deployReferenceJetton(chain: TonChain, name: string): Promise<TestJetton> {
  const { jetton } = ((await import('tonweb')) as unknown as { default: Tonweb }).default.token;
  const walletCode = Cell.fromHex(jetton.JettonWallet.codeHex);
  const { code } = new jetton.JettonMinter(undefined, { publicKey: new Uint8Array(32) }).options;
  const content = beginCell().storeUint(0, 8).storeStringTail(name).endCell();
  const init: StateInit = {
    code: Cell.fromBoc(Buffer.from(await code.toBoc(false)))[0]!,
    data: beginCell()
      .storeCoins(0)
      .storeAddress(chain.admin.address)
      .storeRef(content)
      .storeRef(walletCode)
      .endCell(),
  };
  const master = await chain.deploy(init, 1_000_000_000n);
  return {
    master,
    facts: { master: raw(master), ...codeOf(walletCode), leadingZeroBits: 4, hasCodeRef: true },
    ...methodsOf(chain, master, 0),
    mint: (to, amount) => mintReference(chain.admin, master, to, amount),
  };
}

async function mintReference(admin: Account, master: Address, to: Address, amount: bigint): Promise<void> {
  const receipt = beginCell()
    .storeUint(0x178d4519, 32)
    .storeUint(0, 64)
    .storeCoins(amount)
    .storeAddress(master)
    .storeAddress(admin.address)
    .storeCoins(0)
    .storeBit(false);
  const body = beginCell()
    .storeUint(21, 32)
    .storeUint(0, 64)
    .storeAddress(to)
    .storeCoins(100_000_000n)
    .storeRef(receipt.endCell());
  await admin.send({ to: master, value: mintNano, body: body.endCell() });
}

/**
 * Deploys a jetton that was written for these tests. It has the layout, the fees and the silent bounces of USDT on TON.
 */
export async function deployGovernedJetton(chain: TonChain, name: string): Promise<GovernedJetton> {
  const [walletCode, code] = await Promise.all([
    compileTolk('test/governed-wallet'),
    compileTolk('test/governed-minter'),
  ]);
  const data = beginCell()
    .storeRef(walletCode)
    .storeRef(beginCell().storeStringTail(name).endCell())
    .endCell();
  const master = await chain.deploy({ code, data }, 1_000_000_000n);
  const send = async (body: Cell): Promise<void> => {
    await chain.admin.send({ to: master, value: mintNano, body });
  };
  const head = (op: number, owner: Address) =>
    beginCell().storeUint(op, 32).storeUint(0, 64).storeAddress(owner);
  return {
    master,
    facts: { master: raw(master), ...codeOf(walletCode), leadingZeroBits: 8, hasCodeRef: false },
    ...methodsOf(chain, master, 4),
    mint: (to, amount) => send(head(0x15, to).storeCoins(amount).endCell()),
    lock: (owner, status) => send(head(0x16, owner).storeUint(status, 4).endCell()),
  };
}

const codeOf = (code: Cell): Pick<TonJetton, 'walletCodeHash' | 'walletCodeDepth'> => ({
  walletCodeHash: code.hash().toString('hex'),
  walletCodeDepth: code.depth(),
});
