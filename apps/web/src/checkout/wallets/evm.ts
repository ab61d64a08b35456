import type { EvmCall, Payable } from '../page';
import { codeOf, isDeclined } from '../../wallets/declined';
import type { Eip1193, WalletInfo } from '../../wallets/providers';
import { WalletProblem } from '../wallet-problem';
import { later, type Step, type Wallet } from './wallet';

const receiptPollMs = 1_000;
const toHex = (value: bigint | number): string => `0x${value.toString(16)}`;

export function evmWallet(info: WalletInfo, provider: Eip1193): Wallet {
  const ask = (method: string, params?: unknown) =>
    provider.request(params === undefined ? { method } : { method, params });
  return {
    id: `evm ${info.uuid}`,
    name: info.name,
    icon: info.icon,
    family: 'evm',
    async connect(silently) {
      const accounts: string[] = await ask(silently ? 'eth_accounts' : 'eth_requestAccounts');
      return accounts[0];
    },
    onSwitch: (listener) => provider.on?.('accountsChanged', ([address]: string[]) => listener(address)),
    async pay(payable, given, report) {
      await switchChain(ask, payable, report);
      // The payer may have changed the account meanwhile.
      const [address = given]: string[] = await ask('eth_accounts');
      return (await payInOne(ask, payable, address, report)) ?? payInSteps(ask, payable, address, report);
    },
  };
}

type Ask = (method: string, params?: unknown) => Promise<any>;
type Report = (step: Step) => void;

async function switchChain(ask: Ask, { chainId, addChain }: Payable, report: Report): Promise<void> {
  const wanted = toHex(chainId!);
  const isThere = async (): Promise<boolean> => Number(await ask('eth_chainId')) === chainId;
  if (await isThere()) return;
  report('switching');
  try {
    await ask('wallet_switchEthereumChain', [{ chainId: wanted }]);
  } catch (error) {
    if (codeOf(error) !== 4902 || !addChain)
      throw new WalletProblem(isDeclined(error) ? 'switchDeclined' : 'wrongNetwork');
    await ask('wallet_addEthereumChain', [addChain]).catch((declined: unknown) => {
      throw isDeclined(declined) ? new WalletProblem('switchDeclined') : declined;
    });
  }
  if (!(await isThere())) throw new WalletProblem('wrongNetwork');
}

/** Approves and pays in one step (EIP-5792). Undefined when the wallet does not support that. */
async function payInOne(
  ask: Ask,
  payable: Payable,
  address: string,
  report: Report,
): Promise<string | undefined> {
  const { approve, pay, chainId } = payable;
  if (!approve) return undefined;
  const chain = toHex(chainId!);
  const capabilities = await ask('wallet_getCapabilities', [address, [chain]]).catch(() => undefined);
  const atomic = capabilities?.[chain]?.atomic?.status;
  if (atomic !== 'supported' && atomic !== 'ready') return undefined;
  report('paying');
  const calls = [approve, pay!].map(({ to, data, value }) => ({ to, data, value: toHex(BigInt(value)) }));
  const batch = { version: '2.0.0', from: address, chainId: chain, atomicRequired: true, calls };
  const { id } = await ask('wallet_sendCalls', [batch]);
  for (;;) {
    const { status, receipts } = await ask('wallet_getCallsStatus', [id]);
    if (status === 200) return receipts.at(-1).transactionHash;
    if (status >= 400) throw new WalletProblem('failed');
    await later(receiptPollMs);
  }
}

async function payInSteps(ask: Ask, payable: Payable, address: string, report: Report): Promise<string> {
  const { approve, pay } = payable;
  if (approve) {
    report('approving');
    const hash = await send(ask, address, approve);
    report('approvalSent');
    await untilMined(ask, hash);
  }
  report('paying');
  return send(ask, address, pay!);
}

const send = (ask: Ask, from: string, { to, data, value }: EvmCall): Promise<string> =>
  ask('eth_sendTransaction', [{ from, to, data, value: toHex(BigInt(value)) }]);

/** Waits for the approval, because the payment reverts before the approval is in a block. */
async function untilMined(ask: Ask, hash: string): Promise<void> {
  for (;;) {
    // A node that does not answer now may answer later.
    const receipt = await ask('eth_getTransactionReceipt', [hash]).catch(() => null);
    if (receipt) {
      if (Number(receipt.status) === 1) return;
      throw new WalletProblem('approvalFailed');
    }
    await later(receiptPollMs);
  }
}
