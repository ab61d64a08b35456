import { highloadStateInit, sandboxEnclaveWallet, sandboxKey, type SandboxKey } from '@tollbridge/ton';
import type { Address, Cell } from '@ton/core';
import { createHash } from 'node:crypto';

interface Init {
  code: Cell;
  data: Cell;
}

/** Initial state of the chain, derived from constants: every sandbox has the same addresses. */
export interface Genesis {
  /** A wallet v4R2 with a public key pair; it mints the jetton and holds the coins. */
  admin: { key: SandboxKey; init: Init; address: Address };
  /** Represents USDT: 6 decimals. */
  usdt: { init: Init; address: Address };
  /** Highload wallet of nano-payments. */
  deposits: { init: Init; address: Address };
}

// Contract code that tonweb publishes without types, under the MIT licence.
interface ContractCodes {
  default: {
    Wallets: { all: { v4R2: ContractClass } };
    token: { jetton: { JettonMinter: ContractClass; JettonWallet: { codeHex: string } } };
  };
}
type ContractClass = new (
  provider: undefined,
  options: { publicKey: Uint8Array; address?: string },
) => { options: { code: { toBoc(hasIndex: boolean): Promise<Uint8Array> } } };

const walletId = 698_983_191;
const gram = 1_000_000_000n;
// More than all faucets send; the network has five times as much.
const adminNano = 1_000_000_000n * gram;
const minterNano = gram;
const depositsNano = 1_000n * gram;

let known: Promise<Genesis> | undefined;

export function readGenesis(): Promise<Genesis> {
  known ??= computeGenesis();
  return known;
}

async function computeGenesis(): Promise<Genesis> {
  const [{ default: codes }, core] = await Promise.all([
    import('tonweb') as unknown as Promise<ContractCodes>,
    import('@ton/core'),
  ]);
  const { beginCell, Cell, contractAddress } = core;
  const key = sandboxKey('TON admin');
  const codeOf = async (contract: ContractClass): Promise<Cell> => {
    const { code } = new contract(undefined, { publicKey: key.publicKey }).options;
    return Cell.fromBoc(Buffer.from(await code.toBoc(false)))[0]!;
  };
  const walletData = beginCell().storeUint(0, 32).storeUint(walletId, 32).storeBuffer(key.publicKey);
  const adminInit = {
    code: await codeOf(codes.Wallets.all.v4R2),
    // Without plugins.
    data: walletData.storeBit(false).endCell(),
  };
  const admin = { key, init: adminInit, address: contractAddress(0, adminInit) };
  const walletCode = Cell.fromBoc(Buffer.from(codes.token.jetton.JettonWallet.codeHex, 'hex'))[0]!;
  const minterData = beginCell()
    .storeCoins(0)
    .storeAddress(admin.address)
    .storeRef(await jettonContent());
  const usdtInit = {
    code: await codeOf(codes.token.jetton.JettonMinter),
    data: minterData.storeRef(walletCode).endCell(),
  };
  const depositsInit = await highloadStateInit(sandboxEnclaveWallet().wallet);
  return {
    admin,
    usdt: { init: usdtInit, address: contractAddress(0, usdtInit) },
    deposits: { init: depositsInit, address: contractAddress(0, depositsInit) },
  };
}

const content = { name: 'Tether USD of the sandbox', symbol: 'USDT', decimals: '6' };

/** On-chain metadata (TEP-64): values by the hash of their names. */
async function jettonContent(): Promise<Cell> {
  const { beginCell, Dictionary } = await import('@ton/core');
  const values = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell());
  for (const [name, value] of Object.entries(content)) {
    const text = beginCell().storeUint(0, 8).storeStringTail(value).endCell();
    values.set(createHash('sha256').update(name).digest(), text);
  }
  return beginCell().storeUint(0, 8).storeDict(values).endCell();
}

/** Initial coins, with the code of their recipients. */
export async function genesisMessages(): Promise<Cell[]> {
  const { admin, usdt, deposits } = await readGenesis();
  const core = await import('@ton/core');
  const nowhere = new core.Address(0, Buffer.alloc(32));
  const deliver = (to: Address, init: Init, coins: bigint): Cell => {
    const info = {
      type: 'internal' as const,
      ihrDisabled: true,
      bounce: false,
      bounced: false,
      src: nowhere,
      dest: to,
      value: { coins },
      ihrFee: 0n,
      forwardFee: 0n,
      createdAt: 0,
      createdLt: 0n,
    };
    return core
      .beginCell()
      .store(core.storeMessage({ info, init, body: core.Cell.EMPTY }))
      .endCell();
  };
  return [
    deliver(admin.address, admin.init, adminNano),
    deliver(usdt.address, usdt.init, minterNano),
    // Deployed, so that code can process a notification.
    deliver(deposits.address, deposits.init, depositsNano),
  ];
}

export const adminWalletId = walletId;
