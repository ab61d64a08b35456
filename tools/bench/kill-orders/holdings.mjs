// Balances of the receivers on each network, read with the official client of its family.
import { setTimeout as sleep } from 'node:timers/promises';
import { amountsOf } from './network-payment.mjs';

const equalWithinMs = 120_000;
const receivers = ['merchant', 'fee_receiver'];

/** @type {Record<string, (network: any) => Promise<(owner: string, token: any) => Promise<bigint>>>} */
const readers = {
  async evm({ rpcUrl }) {
    const { Contract, JsonRpcProvider } = await import('ethers');
    const provider = new JsonRpcProvider(rpcUrl, undefined, { cacheTimeout: -1 });
    return async (owner, { address }) =>
      address === null
        ? provider.getBalance(owner)
        : new Contract(address, ['function balanceOf(address) view returns (uint256)'], provider).balanceOf(
            owner,
          );
  },

  async ton({ rpcUrl }) {
    const [{ TonClient, JettonMaster, JettonWallet }, { Address }] = await Promise.all([
      import('@ton/ton'),
      import('@ton/core'),
    ]);
    const client = new TonClient({ endpoint: rpcUrl });
    return async (owner, { address }) => {
      if (address === null) return receivedTon(client, Address.parse(owner));
      const master = client.open(JettonMaster.create(Address.parse(address)));
      const wallet = JettonWallet.create(await master.getWalletAddress(Address.parse(owner)));
      return client.open(wallet).getBalance();
    };
  },

  async solana({ rpcUrl }) {
    const { createSolanaRpc } = await import('@solana/kit');
    const rpc = createSolanaRpc(rpcUrl);
    return async (owner, { address }) => {
      if (address === null) return (await rpc.getBalance(owner).send()).value;
      const filter = { mint: address };
      const { value } = await rpc.getTokenAccountsByOwner(owner, filter, { encoding: 'jsonParsed' }).send();
      return value.reduce(
        (sum, { account }) => sum + BigInt(account.data.parsed.info.tokenAmount.amount),
        0n,
      );
    };
  },

  async tron({ rpcUrl, accounts }) {
    const { TronWeb } = await import('tronweb');
    const client = new TronWeb({ fullHost: rpcUrl });
    const abi = [
      {
        type: 'function',
        name: 'balanceOf',
        stateMutability: 'view',
        inputs: [{ name: 'owner', type: 'address' }],
        outputs: [{ name: '', type: 'uint256' }],
      },
    ];
    client.setAddress(accounts[0].address);
    // The other methods read the state of the newest solid block.
    return async (owner, { address }) =>
      BigInt(
        address === null
          ? await client.trx.getUnconfirmedBalance(owner)
          : await client.contract(abi, address).balanceOf(owner).call(),
      );
  },

  async sui({ rpcUrl }) {
    const [{ SuiGraphQLClient }, { normalizeStructTag }] = await Promise.all([
      import('@mysten/sui/graphql'),
      import('@mysten/sui/utils'),
    ]);
    const client = new SuiGraphQLClient({ url: rpcUrl });
    // In this version of the client, getBalance returns the balance of SUI for every coin type.
    return async (owner, { address: token }) => {
      const { balances } = await client.core.getAllBalances({ address: owner });
      const coinType = normalizeStructTag(token ?? '0x2::sui::SUI');
      return BigInt(balances.find((it) => normalizeStructTag(it.coinType) === coinType)?.balance ?? 0);
    };
  },
};

const pageOfTransactions = 100;

/**
 * The balance of a receiver without the fees of its own transactions. A deployed wallet pays gas for each transfer that
 * it receives, here as on the public network.
 */
async function receivedTon(client, owner) {
  const balance = await client.getBalance(owner);
  /** @type {Map<bigint, bigint>} by logical time */
  const fees = new Map();
  let from = {};
  for (;;) {
    const page = await client.getTransactions(owner, { limit: pageOfTransactions, ...from });
    const known = fees.size;
    for (const { lt, totalFees } of page) fees.set(lt, totalFees.coins);
    const last = page.at(-1);
    if (!last || fees.size === known) break;
    from = { lt: String(last.lt), hash: last.hash().toString('base64'), inclusive: true };
  }
  return [...fees.values()].reduce((sum, fee) => sum + fee, balance);
}

/** Balances of the receivers of a network at one time. */
export class Holdings {
  /** @param {any} network one of GET /sandbox, or an EVM chain in the same form (`evmNetwork`) */
  static async of(network) {
    const holdings = new Holdings();
    holdings.network = network;
    holdings.balance = await readers[network.family](network);
    holdings.before = await holdings.#read();
    return holdings;
  }

  /**
   * Resolves when each receiver has gained exactly the amounts of the network's settled orders. Rejects after a
   * time-out.
   */
  async expectGained(deployment) {
    const endMs = performance.now() + equalWithinMs;
    for (;;) {
      const differences = await this.#differences(deployment);
      if (differences.length === 0) return;
      if (performance.now() > endMs)
        throw new Error(
          `${this.network.family}: settled orders and the chain differ: ${differences.join('; ')}`,
        );
      await sleep(1_000);
    }
  }

  async #differences(deployment) {
    const { chain, tokens } = this.network;
    const rows = await deployment.query(
      `SELECT settle_token AS token, sum(merchant_amount)::text AS merchant, sum(fee_amount)::text AS fee_receiver
       FROM pay_orders.orders WHERE settle_chain = $1 AND status = 'settled' GROUP BY 1`,
      [chain],
    );
    const now = await this.#read();
    return receivers.flatMap((role) =>
      tokens.flatMap((token) => {
        const key = `${role} ${token.symbol}`;
        const gained = now.get(key) - this.before.get(key);
        const settled = BigInt(rows.find((row) => row.token === token.symbol)?.[role] ?? 0);
        return isSame(gained - settled, this.network, token)
          ? []
          : [`${key} gained ${gained}, settled orders say ${settled}`];
      }),
    );
  }

  async #read() {
    const { tokens, accounts } = this.network;
    const found = new Map();
    for (const role of receivers)
      for (const token of tokens) {
        const owner = accounts.find((account) => account.role === role).address;
        found.set(`${role} ${token.symbol}`, await this.balance(owner, token));
      }
    return found;
  }
}

/** On TON, a receiver pays for storage and for its wallet's execution, which is far less than one order. */
function isSame(difference, { family }, token) {
  const tolerance = family === 'ton' && token.address === null ? amountsOf(token).feeAmount / 2n : 0n;
  return difference <= tolerance && difference >= -tolerance;
}

/**
 * Returns the chain that `OrderLoad` pays on, in the form of the other networks. @param {any} sandbox of GET /sandbox
 */
export function evmNetwork({ chains: [chain], accounts }) {
  const { caip2, rpcUrl, tokens } = chain;
  return { family: 'evm', chain: caip2, rpcUrl, tokens, accounts };
}
