import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from '../exit-codes';
import { callOf, type NetworkAccount, type NetworkWallet } from './network-wallet';

interface TronTransaction {
  txID: string;
  raw_data: object;
  raw_data_hex: string;
  visible?: boolean;
}

const timeoutMs = 10_000;
const blockTimeoutMs = 30_000;
const feeLimitSun = 100_000_000;

export async function openTronWallet({
  rpcUrl,
  address,
  privateKey,
}: NetworkAccount): Promise<NetworkWallet> {
  const { sign, serializeSignature, base58Bytes } = await import('./tron-signer');
  const ask = <T>(method: string, body: object): Promise<T> => askNode<T>(`${rpcUrl}/wallet/${method}`, body);
  const send = async (transaction: TronTransaction): Promise<string> => {
    const { txID } = transaction;
    const signature = serializeSignature(
      await sign({ hash: `0x${txID}`, privateKey: `0x${privateKey.replace(/^0x/, '')}` }),
    ).slice(2);
    const { result, code } = await ask<{ result?: boolean; code?: string }>('broadcasttransaction', {
      ...transaction,
      signature: [signature],
    });
    if (result !== true) throw new CommandError(`The node rejected the transaction: ${code ?? 'no reason'}`);
    await untilInBlock(ask, txID);
    return txID;
  };
  return {
    pay: async (call) => {
      const { approval, transaction } = callOf(call, 'tron');
      const parsed = ({ raw_data: text, ...rest }: typeof transaction): TronTransaction => ({
        visible: false,
        ...rest,
        raw_data: JSON.parse(text) as object,
      });
      // Tokens need an approval for the payment contract first.
      if (approval) await send(parsed(approval));
      return send(parsed(transaction));
    },
    transfer: async ({ address: contract }, to, amountAtomic) => {
      const base = { owner_address: address, visible: true };
      if (contract === null)
        return send(await ask('createtransaction', { ...base, to_address: to, amount: amountAtomic }));
      // Removes the network prefix and the checksum.
      const receiver = Buffer.from(base58Bytes(to).slice(1, 21)).toString('hex');
      const { transaction } = await ask<{ transaction?: TronTransaction }>('triggersmartcontract', {
        ...base,
        contract_address: contract,
        function_selector: 'transfer(address,uint256)',
        parameter: receiver.padStart(64, '0') + amountAtomic.toString(16).padStart(64, '0'),
        fee_limit: feeLimitSun,
      });
      if (!transaction) throw new CommandError('The node makes no transfer of this token.');
      return send(transaction);
    },
  };
}

type Ask = <T>(method: string, body: object) => Promise<T>;

async function untilInBlock(ask: Ask, txID: string): Promise<void> {
  for (const end = performance.now() + blockTimeoutMs; performance.now() < end; await sleep(200)) {
    const { id, result } = await ask<{ id?: string; result?: string }>('gettransactioninfobyid', {
      value: txID,
    });
    if (result === 'FAILED') throw new CommandError(`Transaction ${txID} failed.`);
    if (id === txID) return;
  }
  throw new CommandError(`Transaction ${txID} is in no block after ${blockTimeoutMs / 1_000} s.`);
}

/** Serialises amounts as exact numbers, because the node expects numbers and JSON.stringify rejects bigints. */
const exactJson = (body: object): string =>
  JSON.stringify(body, (_, value: unknown) => (typeof value === 'bigint' ? `#${value}#` : value)).replace(
    /"#(\d+)#"/g,
    '$1',
  );

async function askNode<T>(url: string, body: object): Promise<T> {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: exactJson(body),
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(() => undefined);
  const answer = (await reply?.json().catch(() => undefined)) as T | undefined;
  if (answer === undefined) throw new CommandError(`The node at ${url} does not answer.`);
  return answer;
}
