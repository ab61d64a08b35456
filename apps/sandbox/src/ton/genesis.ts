import { tonDeployment } from '@tollbridge/onchain/ton';
import { highloadStateInit, sandboxEnclaveWallet, sandboxKey, type SandboxKey } from '@tollbridge/ton';
import type { Address, Cell, Message, MessageRelaxed } from '@ton/core';
import { createHash } from 'node:crypto';
import { tonAccounts, type TonAccount } from './accounts';
import { mintMessage } from './mint-message';

interface Init {
  code: Cell;
  data: Cell;
}

/** Initial state of the chain, derived from constants, so that every sandbox has the same addresses. */
export interface Genesis {
  /** A wallet v4R2 with a publicly known key. It mints the jetton and owns the coins. */
  admin: { key: SandboxKey; init: Init; address: Address };
  /** The wallet v4R2 of the simulated route provider. */
  solver: { key: SandboxKey; init: Init; address: Address };
  /** The jetton that represents USDT: 6 decimals. */
  usdt: { init: Init; address: Address };
  /** Highload wallet of nano-payments. */
  deposits: { init: Init; address: Address };
  /** Contract of direct payments. */
  payments: { init: Init; address: Address };
  accounts: (TonAccount & { init: Init; address: Address })[];
}

// Contract codes that tonweb publishes without types, under the MIT licence.
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

/** Id of every wallet v4R2 in the sandbox, which is the default of wallet apps. */
export const walletId = 698_983_191;
const gram = 1_000_000_000n;
// More than the total of all faucets. The real network has five times as many coins.
const adminNano = 1_000_000_000n * gram;
const minterNano = gram;
const depositsNano = 1_000n * gram;
const payerNano = 1_000_000n * gram;
const receiverNano = 100n * gram;
// One hundred million dollars, as payers have on the other chains.
const payerUsdtAtomic = 100_000_000_000_000n;

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
  const v4R2 = await codeOf(codes.Wallets.all.v4R2);
  const walletInit = (publicKey: Buffer): Init => {
    const data = beginCell().storeUint(0, 32).storeUint(walletId, 32).storeBuffer(publicKey);
    // The final bit means that the wallet has no plugins.
    return { code: v4R2, data: data.storeBit(false).endCell() };
  };
  const walletOf = (key: SandboxKey) => {
    const init = walletInit(Buffer.from(key.publicKey));
    return { key, init, address: contractAddress(0, init) };
  };
  const admin = walletOf(key);
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
  const { init: paymentsInit } = await tonDeployment();
  const accounts = tonAccounts.map((account) => {
    const init = walletInit(Buffer.from(account.publicKey, 'hex'));
    return { ...account, init, address: contractAddress(0, init) };
  });
  return {
    admin,
    solver: walletOf(sandboxKey('TON solver')),
    usdt: { init: usdtInit, address: contractAddress(0, usdtInit) },
    deposits: { init: depositsInit, address: contractAddress(0, depositsInit) },
    payments: { init: paymentsInit, address: contractAddress(0, paymentsInit) },
    accounts,
  };
}

const content = { name: 'Tether USD of the sandbox', symbol: 'USDT', decimals: '6' };

/** Returns the on-chain metadata (TEP-64), with values by the hash of their names. */
async function jettonContent(): Promise<Cell> {
  const { beginCell, Dictionary } = await import('@ton/core');
  const values = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell());
  for (const [name, value] of Object.entries(content)) {
    const text = beginCell().storeUint(0, 8).storeStringTail(value).endCell();
    values.set(createHash('sha256').update(name).digest(), text);
  }
  return beginCell().storeUint(0, 8).storeDict(values).endCell();
}

/**
 * Returns messages with the initial coins, jettons and code of accounts. A chain of an earlier version gets only the
 * missing ones.
 * @param isKnown returns whether an account exists, by its raw address
 */
export async function genesisMessages(isKnown: (address: string) => Promise<boolean>): Promise<Cell[]> {
  const { admin, solver, usdt, deposits, payments, accounts } = await readGenesis();
  const core = await import('@ton/core');
  const first = [
    deliver(core, admin.address, adminNano, admin.init),
    deliver(core, usdt.address, minterNano, usdt.init),
    // Deployed, because an account needs code to process a notification.
    deliver(core, deposits.address, depositsNano, deposits.init),
  ];
  const { valueNano, body } = await tonDeployment();
  const rich = ({ address, init }: { address: Address; init: Init }): Cell[] => {
    const terms = { minter: usdt.address, admin: admin.address, amountAtomic: payerUsdtAtomic, sender: null };
    const minted = sentBy(admin.address, mintMessage(core, { ...terms, to: address }));
    return [
      deliver(core, address, payerNano, init),
      core.beginCell().store(core.storeMessage(minted)).endCell(),
    ];
  };
  const later = [
    deliver(core, payments.address, valueNano, payments.init, body),
    ...accounts.flatMap((account) => {
      const { role, address, init } = account;
      return role.endsWith('payer') ? rich(account) : [deliver(core, address, receiverNano, init)];
    }),
  ];
  const [isStarted, hasAccounts, hasSolver] = await Promise.all(
    [admin, accounts[0]!, solver].map(({ address }) => isKnown(address.toRawString())),
  );
  return [...(isStarted ? [] : first), ...(hasAccounts ? [] : later), ...(hasSolver ? [] : rich(solver))];
}

type Core = typeof import('@ton/core');

/** Returns a message that creates coins for an account and deploys its code. */
function deliver(core: Core, dest: Address, coins: bigint, init: Init, body = core.Cell.EMPTY): Cell {
  const info = { ...internalInfo, src: new core.Address(0, Buffer.alloc(32)), dest, value: { coins } };
  return core.beginCell().store(core.storeMessage({ info, init, body })).endCell();
}

/** Sets the sender of a message, because the minter accepts only messages of the admin. */
function sentBy(src: Address, { info, body }: MessageRelaxed): Message {
  if (info.type !== 'internal') throw new Error('expected an internal message');
  return { info: { ...info, src }, body };
}

const internalInfo = {
  type: 'internal' as const,
  ihrDisabled: true,
  bounce: false,
  bounced: false,
  ihrFee: 0n,
  forwardFee: 0n,
  createdAt: 0,
  createdLt: 0n,
};
