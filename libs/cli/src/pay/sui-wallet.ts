import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { Transaction } from '@mysten/sui/transactions';
import { toBase64 } from '@mysten/sui/utils';
import { CommandError } from '../exit-codes';
import { callOf, type NetworkAccount, type NetworkWallet } from './network-wallet';

interface Coin {
  address: string;
  version: number | string;
  digest: string;
  contents: { json: { balance: string } };
}

const timeoutMs = 30_000;
const gasBudget = 20_000_000n;
const coinType = '0x2::sui::SUI';

const coinsQuery = `query ($owner: SuiAddress!, $type: String!) {
  epoch { referenceGasPrice }
  address(address: $owner) { objects(first: 10, filter: { type: $type }) { nodes { address version digest contents { json } } } }
}`;
const executeQuery = `mutation ($transaction: Base64!, $signatures: [Base64!]!) {
  executeTransaction(transactionDataBcs: $transaction, signatures: $signatures) {
    errors effects { digest status executionError { message } }
  }
}`;

export async function openSuiWallet({ rpcUrl, privateKey }: NetworkAccount): Promise<NetworkWallet> {
  const keys = Ed25519Keypair.fromSecretKey(privateKey);
  const owner = keys.toSuiAddress();
  const coinsOf = async (type: string) => {
    const { epoch, address } = await ask<{
      epoch: { referenceGasPrice: string };
      address: { objects: { nodes: Coin[] } };
    }>(rpcUrl, coinsQuery, { owner, type: `0x2::coin::Coin<${type}>` });
    return { coins: address.objects.nodes, gasPrice: BigInt(epoch.referenceGasPrice) };
  };
  const send = async (transaction: Transaction): Promise<string> => {
    const { coins, gasPrice } = await coinsOf(coinType);
    transaction.setSender(owner);
    transaction.setGasPayment(coins.map(referenceOf));
    transaction.setGasPrice(gasPrice);
    transaction.setGasBudget(gasBudget);
    const built = await transaction.build();
    const { signature } = await keys.signTransaction(built);
    return execute(rpcUrl, toBase64(built), signature);
  };
  const coinFor = async (type: string, amountAtomic: bigint) => {
    const { coins } = await coinsOf(type);
    const coin = coins.find(({ contents }) => BigInt(contents.json.balance) >= amountAtomic);
    if (!coin) throw new CommandError(`The demo payer has no coin of ${type} that is large enough.`);
    return referenceOf(coin);
  };
  return {
    pay: (call) => send(Transaction.fromKind(callOf(call, 'sui').transaction_kind)),
    transfer: async ({ address: type }, to, amountAtomic) => {
      const transaction = new Transaction();
      const source =
        type === null ? transaction.gas : transaction.objectRef(await coinFor(type, amountAtomic));
      const [coin] = transaction.splitCoins(source, [amountAtomic]);
      transaction.transferObjects([coin], to);
      return send(transaction);
    },
  };
}

const referenceOf = ({ address: objectId, version, digest }: Coin) => ({
  objectId,
  version: String(version),
  digest,
});

async function execute(rpcUrl: string, transaction: string, signature: string): Promise<string> {
  const { executeTransaction: done } = await ask<{
    executeTransaction: {
      errors: string[] | null;
      effects: { digest: string; status: string; executionError: { message: string } | null } | null;
    };
  }>(rpcUrl, executeQuery, { transaction, signatures: [signature] });
  if (!done.effects) throw new CommandError(`The node rejected the transaction: ${done.errors?.join('; ')}`);
  const { digest, status, executionError } = done.effects;
  if (status !== 'SUCCESS')
    throw new CommandError(`Transaction ${digest} failed: ${executionError?.message ?? 'no reason'}`);
  return digest;
}

/** Sends a GraphQL query. @throws CommandError */
async function ask<T>(url: string, query: string, variables: object): Promise<T> {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(() => undefined);
  const answer = (await reply?.json().catch(() => undefined)) as
    | { data?: T | null; errors?: { message: string }[] }
    | undefined;
  if (answer?.data) return answer.data;
  throw new CommandError(`The node at ${url} does not answer: ${answer?.errors?.[0]?.message ?? 'no reply'}`);
}
