import { Balances } from '@tollbridge/balances';
import { findChain } from '@tollbridge/chains';
import { tollbridgePayCreationCode, tollbridgePayRuntimeHash } from '@tollbridge/onchain';
import { runTronDeployCommand, tronToEvmAddress } from '@tollbridge/onchain/tron';
import { dataLength, keccak256 } from 'ethers';
import { TronWeb } from 'tronweb';
import { deployUsdt, openTronHarness, send, type TronHarness, type TronUser } from './testing/tron-harness';

let harness: TronHarness;
let issuer: TronUser;
let holder: TronUser;
let usdt: string;

beforeAll(async () => {
  harness = await openTronHarness();
  [issuer, holder] = [await harness.user(), await harness.user(5_000_000n)];
  usdt = await deployUsdt(issuer, [holder.address], 1_234_567n);
});
afterAll(() => harness.close());
afterEach(() => expect(harness.problems).toEqual([]));

async function get(path: string): Promise<any> {
  return (await fetch(`${harness.url}/${path}`)).json();
}

describe('scripts/deploy-tron.mjs', () => {
  async function run(args: string[], env: NodeJS.ProcessEnv = {}): Promise<string[]> {
    const lines: string[] = [];
    await runTronDeployCommand(args, env, (line) => lines.push(line));
    return lines;
  }

  it('deploys the payment contract, waits until its block is solid, and verifies its code', async () => {
    const owner = await harness.user();
    const mining = setInterval(() => void harness.anvil.mine(5), 200);

    const lines = await run([harness.url], { DEPLOYER_PRIVATE_KEY: owner.privateKey }).finally(() =>
      clearInterval(mining),
    );

    const [, address] = /^TollbridgePay deployed at (T\w{33})$/.exec(lines[1]!)!;
    expect(lines[0]).toContain(`the contract's address will be ${address}`);
    const code = await harness.anvil.provider.getCode(tronToEvmAddress(address!));
    expect(keccak256(code)).toBe(tollbridgePayRuntimeHash);
    expect(await run([harness.url, '--verify', address!])).toEqual([
      `The contract at ${address} is TollbridgePay`,
    ]);
    const { consume_user_resource_percent } = await get(`wallet/getcontract?value=${address}`);
    expect(consume_user_resource_percent).toBe(100);
  });

  it('rejects another contract', async () => {
    await expect(run([harness.url, '--verify', usdt])).rejects.toThrow(
      `The code at ${usdt} is not TollbridgePay`,
    );
  });

  it('sends nothing in a dry run, and needs no key', async () => {
    const before = await harness.anvil.height();

    const lines = await run(['--dry-run', harness.url, '--owner', holder.address]);

    expect(await harness.anvil.height()).toBe(before);
    expect(lines).toHaveLength(4);
    expect(lines[3]).toMatch(/^Energy: \d+; at 100 sun: \d+ sun; fee limit: \d+ sun$/);
  });

  it('makes a dry run without a node', async () => {
    const lines = await run(['--dry-run']);

    expect(lines[0]).toContain(`${dataLength(tollbridgePayCreationCode)} bytes`);
    expect(lines[0]).toContain(tollbridgePayRuntimeHash);
  });

  it('fails before it sends a transaction when the account cannot pay for the energy', async () => {
    const poor = await harness.user(1_000_000n);

    await expect(run([harness.url], { DEPLOYER_PRIVATE_KEY: poor.privateKey })).rejects.toThrow(
      /failed|rejected/,
    );
  });

  it.each([
    ['no node', [], { DEPLOYER_PRIVATE_KEY: 'c0ffee' }],
    ['no key', ['http://127.0.0.1:1'], {}],
    ['a key as an argument', ['http://127.0.0.1:1', 'c0ffee'], {}],
    ['an unknown option', ['http://127.0.0.1:1', '--private-key=c0ffee'], {}],
    ['an owner that is not an address', ['--dry-run', '--owner', 'c0ffee'], {}],
  ])('prints its usage for %s, without repeating the argument', async (_, args, env) => {
    const failure = await run(args, env).catch((error: Error) => error.message);

    expect(failure).toMatch(/^Usage: node scripts\/deploy-tron\.mjs/);
    expect(failure).not.toContain('c0ffee');
  });

  it('does not show the key or the URL in an error', async () => {
    const env = { DEPLOYER_PRIVATE_KEY: issuer.privateKey };
    const failure = await run(['http://127.0.0.1:1/access-token'], env).catch(String);

    expect(failure).toContain('wallet/getchainparameters failed');
    expect(failure).not.toContain('access-token');
    expect(await run(['http://127.0.0.1:1'], { DEPLOYER_PRIVATE_KEY: 'c0ffee' }).catch(String)).toBe(
      'Error: The private key is not 32 bytes in hex',
    );
  });
});

describe('TronGrid', () => {
  it('returns coins and tokens of an account in the format of the balance reader', async () => {
    const reply = await get(`v1/accounts/${holder.address}`);

    expect(findChain('tron')!.balanceProtocols).toEqual(['trongrid']);
    expect(reply).toMatchObject({
      success: true,
      data: [
        {
          address: TronWeb.address.toHex(holder.address).toLowerCase(),
          balance: 5_000_000,
          trc20: [{ [usdt]: '1234567' }],
        },
      ],
    });
  });

  it('answers requests of the balance reader', async () => {
    const tron = findChain('tron')!;
    const tokens = tron.tokens.map((token) => ({ ...token, address: token.address && usdt }));
    const balances = new Balances([{ chain: 'tron', kind: 'trongrid', urls: [harness.url] }]);

    const { found, skipped } = await balances.read([{ chain: { ...tron, tokens }, address: holder.address }]);

    expect(skipped).toEqual([]);
    expect(found[0]!.holdings.map(({ token, amountAtomic }) => [token.symbol, amountAtomic])).toEqual([
      ['TRX', 5_000_000n],
      ['USDT', 1_234_567n],
    ]);
  });

  it('returns no account for an address that was never activated', async () => {
    const fresh = TronWeb.address.fromHex(`41${'12'.repeat(20)}`);

    expect(await get(`v1/accounts/${fresh}`)).toMatchObject({ success: true, data: [] });
  });

  it('returns the events of a contract with their arguments', async () => {
    const id = await send(holder.tronWeb, usdt, 'transfer(address,uint256)', {
      address: issuer.address,
      uint256: 5,
    });

    const { data } = await holder.tronWeb.event.getEventsByContractAddress(usdt, {
      eventName: 'Transfer',
      limit: 1,
    });

    expect(data![0]).toMatchObject({
      contract_address: usdt,
      event_name: 'Transfer',
      transaction_id: id,
      result: { value: '5', to: tronToEvmAddress(issuer.address).toLowerCase() },
      result_type: { from: 'address', to: 'address', value: 'uint256' },
    });
    const ofTransaction = await holder.tronWeb.event.getEventsByTransactionID(id);
    expect(ofTransaction.data).toHaveLength(1);
  });

  it('marks events as unconfirmed until their block is solid', async () => {
    const id = await send(holder.tronWeb, usdt, 'transfer(address,uint256)', {
      address: issuer.address,
      uint256: 6,
    });
    const confirmed = () =>
      holder.tronWeb.event.getEventsByTransactionID(id, { only_confirmed: true } as never);

    expect((await confirmed()).data).toHaveLength(0);
    await harness.solidify();
    expect((await confirmed()).data).toHaveLength(1);
  });

  it('rejects a malformed address', async () => {
    expect(await get('v1/accounts/T123')).toMatchObject({ success: false, statusCode: 400 });
  });
});

describe('Blocks', () => {
  it('links blocks by their ids, which begin with the height', async () => {
    const head = await holder.tronWeb.trx.getCurrentBlock();
    const { number, parentHash } = head.block_header.raw_data;
    const parent = await holder.tronWeb.trx.getBlockByNumber(number - 1);

    expect(parseInt(head.blockID.slice(0, 16), 16)).toBe(number);
    expect(parent.blockID).toBe(parentHash);
    expect((await holder.tronWeb.trx.getBlockByHash(head.blockID)).blockID).toBe(head.blockID);
  });

  it('lists the transactions of a block and their results', async () => {
    const id = await send(holder.tronWeb, usdt, 'transfer(address,uint256)', {
      address: issuer.address,
      uint256: 7,
    });
    const { blockNumber } = await holder.tronWeb.trx.getUnconfirmedTransactionInfo(id);

    const block = await holder.tronWeb.trx.getBlockByNumber(blockNumber);
    const infos = await get(`wallet/gettransactioninfobyblocknum?num=${blockNumber}`);

    expect(block.transactions!.map(({ txID }) => txID)).toEqual([id]);
    expect(infos.map((info: { id: string }) => info.id)).toEqual([id]);
  });

  it('returns an empty object for a block or transaction that does not exist', async () => {
    expect(await get('wallet/getblockbynum?num=99999999')).toEqual({});
    expect(await get(`wallet/gettransactionbyid?value=${'0'.repeat(64)}`)).toEqual({});
  });
});
