import {
  encodeMessage,
  encodeRawData,
  refBlock,
  sandboxTronUsdtAbi,
  sandboxTronUsdtCreationCode,
  tronToEvmAddress,
  tronTxId,
  type TronContract,
  type TronRawData,
} from '@tollbridge/onchain/tron';
import { tollbridgePayRuntimeHash } from '@tollbridge/onchain';
import { keccak256, SigningKey } from 'ethers';
import { utils } from 'tronweb';
import { genesisAccounts, tronGenesis } from './genesis';
import { deploy, openTronHarness, readable, type TronHarness, type TronUser } from './testing/tron-harness';

let harness: TronHarness;
let sender: TronUser;
let receiver: string;
let token: string;

beforeAll(async () => {
  harness = await openTronHarness();
  sender = await harness.user();
  receiver = (await harness.user()).address;
  token = await deploy(sender.tronWeb, sandboxTronUsdtAbi, sandboxTronUsdtCreationCode, 'TetherToken');
});
afterAll(() => harness.close());
afterEach(() => expect(harness.problems).toEqual([]));

async function ask(path: string, body: object): Promise<any> {
  const response = await fetch(`${harness.url}/${path}`, { method: 'POST', body: JSON.stringify(body) });
  return response.json();
}

async function rawData(
  changes: Partial<TronRawData> = {},
  contract?: Partial<TronContract>,
): Promise<TronRawData> {
  const { blockID, block_header } = await ask('wallet/getnowblock', {});
  const { number, timestamp } = block_header.raw_data;
  const transfer = { type: 'TransferContract', owner: sender.address, to: receiver, amount: 1_000_000n };
  return {
    contract: { ...transfer, ...contract } as TronContract,
    ...refBlock({ height: number, id: blockID }),
    expirationMs: timestamp + 60_000,
    timestampMs: timestamp,
    feeLimit: 0n,
    ...changes,
  };
}

/** Signs and sends by `broadcasthex`, which programs without JSON use. */
async function broadcast(raw: TronRawData, key = sender.privateKey, signatures = 1): Promise<any> {
  const bytes = encodeRawData(raw);
  const { r, s, yParity } = new SigningKey(`0x${key}`).sign(`0x${tronTxId(bytes)}`);
  const signature = Buffer.from(`${r.slice(2)}${s.slice(2)}0${yParity}`, 'hex');
  const fields = Array.from({ length: signatures }, (): [number, Uint8Array] => [2, signature]);
  const transaction = Buffer.from(encodeMessage([[1, bytes], ...fields])).toString('hex');
  return ask('wallet/broadcasthex', { transaction });
}

const balanceOf = async (address: string) => BigInt(await sender.tronWeb.trx.getUnconfirmedBalance(address));

async function expectRejection(answer: any, code: string, message: string): Promise<void> {
  expect(answer).toEqual({ result: false, code, message: expect.any(String) });
  expect(readable(answer.message)).toContain(message);
}

describe('broadcasthex', () => {
  it('transfers coins, and finds the transaction by its id', async () => {
    const before = await balanceOf(receiver);

    const { result, txid } = await broadcast(await rawData());

    expect(result).toBe(true);
    expect(await balanceOf(receiver)).toBe(before + 1_000_000n);
    expect(await ask('wallet/gettransactionbyid', { value: txid })).toMatchObject({
      txID: txid,
      ret: [{ contractRet: 'SUCCESS' }],
      raw_data: { contract: [{ type: 'TransferContract', parameter: { value: { amount: 1_000_000 } } }] },
    });
  });

  it('accepts a transaction once, even when it is sent concurrently', async () => {
    const raw = await rawData({}, { amount: 7n } as Partial<TronContract>);
    const before = await balanceOf(receiver);

    const answers = await Promise.all(Array.from({ length: 8 }, () => broadcast(raw)));

    expect(answers.filter(({ result }) => result === true)).toHaveLength(1);
    expect(answers.filter(({ code }) => code === 'DUP_TRANSACTION_ERROR')).toHaveLength(7);
    expect(await balanceOf(receiver)).toBe(before + 7n);
  });

  it.each<[string, () => Promise<any>, string, string]>([
    [
      'the signature of another account',
      async () => broadcast(await rawData(), utils.accounts.generateAccount().privateKey),
      'SIGERROR',
      'is not the account that signed',
    ],
    [
      'no signature',
      async () => broadcast(await rawData(), undefined, 0),
      'SIGERROR',
      'one signature is needed',
    ],
    [
      'two signatures',
      async () => broadcast(await rawData(), undefined, 2),
      'SIGERROR',
      'one signature is needed',
    ],
    [
      'a block of another chain',
      async () => broadcast(await rawData({ refBlockHash: 'ab'.repeat(8) })),
      'TAPOS_ERROR',
      'Tapos check error',
    ],
    [
      'a block that does not exist yet',
      async () => broadcast(await rawData({ refBlockBytes: 'fffe' })),
      'TAPOS_ERROR',
      'Tapos check error',
    ],
    [
      'a time that has passed',
      async () => {
        const raw = await rawData();
        return broadcast({ ...raw, expirationMs: raw.timestampMs });
      },
      'TRANSACTION_EXPIRATION_ERROR',
      'Transaction expired',
    ],
    [
      'a time more than a day ahead',
      async () => {
        const raw = await rawData();
        return broadcast({ ...raw, expirationMs: raw.timestampMs + 86_400_001 });
      },
      'TRANSACTION_EXPIRATION_ERROR',
      'Transaction expired',
    ],
    [
      'the account itself as the receiver',
      async () => broadcast(await rawData({}, { to: sender.address } as Partial<TronContract>)),
      'CONTRACT_VALIDATE_ERROR',
      'Cannot transfer TRX to yourself',
    ],
    [
      'a contract as the receiver of a transfer',
      async () => broadcast(await rawData({}, { to: token } as Partial<TronContract>)),
      'CONTRACT_VALIDATE_ERROR',
      'Cannot transfer TRX to a smartContract',
    ],
    [
      'nothing to transfer',
      async () => broadcast(await rawData({}, { amount: 0n } as Partial<TronContract>)),
      'CONTRACT_VALIDATE_ERROR',
      'Amount must be greater than 0',
    ],
    [
      'more coins than the account has',
      async () => broadcast(await rawData({}, { amount: 2n ** 63n - 1n } as Partial<TronContract>)),
      'CONTRACT_VALIDATE_ERROR',
      'balance is not sufficient',
    ],
    [
      'a call of an account that is not a contract',
      async () => broadcast(await rawData({}, callOf(receiver))),
      'CONTRACT_VALIDATE_ERROR',
      'No contract or not a valid smart contract',
    ],
    [
      'a fee limit above that of the network',
      async () => broadcast(await rawData({ feeLimit: 15_000_000_001n }, callOf(token))),
      'CONTRACT_VALIDATE_ERROR',
      'feeLimit must be',
    ],
  ])('rejects %s, without any effect', async (_, request, code, message) => {
    const before = [await balanceOf(sender.address), await balanceOf(receiver), await harness.anvil.height()];

    await expectRejection(await request(), code, message);

    expect([
      await balanceOf(sender.address),
      await balanceOf(receiver),
      await harness.anvil.height(),
    ]).toEqual(before);
  });

  it('rejects the transaction of an account that was never activated', async () => {
    const { address, privateKey } = utils.accounts.generateAccount();

    const answer = await broadcast(await rawData({}, { owner: address.base58 }), privateKey);

    await expectRejection(answer, 'CONTRACT_VALIDATE_ERROR', 'does not exist');
  });

  it('rejects a transaction truncated at any length', async () => {
    const bytes = encodeMessage([[1, encodeRawData(await rawData())]]);
    const complete = Buffer.from(bytes).toString('hex');

    for (let length = 0; length <= complete.length; length += 7) {
      const answer = await ask('wallet/broadcasthex', { transaction: complete.slice(0, length) });
      expect(answer.result).toBe(false);
    }
  });
});

describe('broadcasttransaction', () => {
  async function signed(): Promise<any> {
    const { tronWeb } = sender;
    return tronWeb.trx.sign(await tronWeb.transactionBuilder.sendTrx(receiver, 5));
  }

  it('accepts a transaction that tronweb signed', async () => {
    expect(await ask('wallet/broadcasttransaction', await signed())).toMatchObject({ result: true });
  });

  it('rejects JSON that differs from the signed bytes', async () => {
    const transaction = await signed();
    transaction.raw_data.contract[0].parameter.value.amount = 6;

    await expectRejection(
      await ask('wallet/broadcasttransaction', transaction),
      'CONTRACT_VALIDATE_ERROR',
      'raw_data and raw_data_hex differ',
    );
  });

  it('rejects bytes that differ from the signature', async () => {
    const transaction = await signed();
    const changed = await sender.tronWeb.transactionBuilder.sendTrx(receiver, 6);

    const answer = await ask('wallet/broadcasttransaction', { ...changed, signature: transaction.signature });

    await expectRejection(answer, 'SIGERROR', 'is not the account that signed');
  });

  it.each([
    {},
    { raw_data: {}, raw_data_hex: '' },
    { raw_data_hex: 'zz' },
    { raw_data_hex: '0a02', signature: 5 },
  ])('rejects %p', async (body) => {
    expect(await ask('wallet/broadcasttransaction', body)).toMatchObject({ result: false });
  });
});

describe('Fees', () => {
  it('charges nothing within the free bandwidth, then the price of all bytes', async () => {
    const { tronWeb, address } = await harness.user();
    const fees: (number | undefined)[] = [];
    for (const amount of [1, 2, 3]) {
      const sent = await tronWeb.trx.sendTrx(receiver, amount);
      fees.push((await tronWeb.trx.getUnconfirmedTransactionInfo(sent.transaction.txID)).fee);
    }
    const resources = await tronWeb.trx.getAccountResources(address);

    expect(fees).toEqual([undefined, undefined, expect.any(Number)]);
    expect(fees[2]! % 1_000).toBe(0);
    expect(resources).toMatchObject({ freeNetLimit: 600, freeNetUsed: expect.any(Number) });
  });

  it('includes the activation of a receiver that did not exist', async () => {
    const { tronWeb, address } = await harness.user(10_000_000n);
    const fresh = utils.accounts.generateAccount().address.base58;

    await tronWeb.trx.sendTrx(fresh, 1_000_000);

    expect(await balanceOf(fresh)).toBe(1_000_000n);
    expect(await balanceOf(address)).toBe(10_000_000n - 1_000_000n - 1_100_000n);
  });
});

describe('The solidity node', () => {
  it('shows a transaction once its block is solid', async () => {
    const { txid } = await broadcast(await rawData({}, { amount: 9n } as Partial<TronContract>));

    expect(await ask('walletsolidity/gettransactioninfobyid', { value: txid })).toEqual({});
    await harness.solidify();

    expect(await ask('walletsolidity/gettransactioninfobyid', { value: txid })).toMatchObject({ id: txid });
  });
});

describe('A simulator that was started again', () => {
  it('has the transactions of its chain, and accepts none of them again', async () => {
    const raw = await rawData({}, { amount: 11n } as Partial<TronContract>);
    const { txid } = await broadcast(raw);

    await harness.restart();

    expect(await ask('wallet/gettransactionbyid', { value: txid })).toMatchObject({ txID: txid });
    expect(await broadcast(raw)).toMatchObject({ code: 'DUP_TRANSACTION_ERROR' });
  });

  it('has the free bandwidth that accounts used', async () => {
    const used = () => ask('wallet/getaccountresource', { address: sender.address, visible: true });
    const before = await used();

    await harness.restart();

    expect(before).toMatchObject({ freeNetUsed: expect.any(Number) });
    expect(await used()).toMatchObject({ freeNetLimit: 600, freeNetUsed: expect.any(Number) });
  });

  it('drops an execution without a record after a kill', async () => {
    const { anvil } = harness;
    const from = anvil.wallet(0).address;
    await anvil.send('eth_sendTransaction', [{ from, to: from, gas: '0x5208' }]);
    expect(await anvil.send('txpool_status')).toEqual({ pending: '0x1', queued: '0x0' });

    await harness.restart();

    expect(await anvil.send('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' });
  });

  it('sets the code of a deployed contract that a kill has prevented', async () => {
    const { anvil } = harness;
    const contract = tronToEvmAddress(tronGenesis().payContract);
    const code = await anvil.provider.getCode(contract);
    await anvil.send('anvil_setCode', [contract, '0x']);

    await harness.restart();

    expect(code).not.toBe('0x');
    expect(await anvil.provider.getCode(contract)).toBe(code);
  });

  it('creates the genesis once', async () => {
    const payer = tronToEvmAddress(harness.accounts.payer.address);
    const height = await harness.anvil.height();

    await harness.restart();

    expect(await harness.anvil.height()).toBe(height);
    expect(await harness.anvil.provider.getBalance(payer)).toBe(1_000_000_000_000n);
  });
});

describe('A reorganisation of the node below', () => {
  it('removes only the transactions of the dropped blocks', async () => {
    const kept = await broadcast(await rawData({}, { amount: 12n } as Partial<TronContract>));
    const dropped = await broadcast(await rawData({}, { amount: 13n } as Partial<TronContract>));
    expect(await ask('wallet/gettransactionbyid', { value: dropped.txid })).not.toEqual({});

    await harness.anvil.reorg(1);

    expect(await ask('wallet/gettransactionbyid', { value: dropped.txid })).toEqual({});
    expect(await ask('wallet/gettransactionbyid', { value: kept.txid })).toMatchObject({ txID: kept.txid });
  });
});

describe('The genesis', () => {
  it('uses the same addresses on every chain', async () => {
    const { payContract, usdt } = tronGenesis();
    expect({ payContract, usdt }).toEqual({
      payContract: 'TTfzLC82EV5tAvGrCTftnYg1t3N2hRuGeT',
      usdt: 'TPAsUZ94mM5Thaygug93jYhqDG7iQAYSeE',
    });
    expect(genesisAccounts.map(({ role, address }) => [role, address])).toEqual([
      ['payer', 'TQcbiWKx1tjCW1ZbWxXbU1judEMUtbrXTG'],
      ['merchant', 'TRUMryhyCYD4xnnL2HcgvTB68QPU8qQqqr'],
      ['fee_receiver', 'TH9JXTjSMaJ3aHqDjN6NuND5nxtPF9an3t'],
      ['second_payer', 'TYwDQq9xfKhDm5uVaWZqjw2o5hTJK5u8ZB'],
    ]);
  });

  it('creates the genesis again on a node that has lost its chain', async () => {
    const { anvil } = harness;
    const contract = tronToEvmAddress(tronGenesis().payContract);
    await anvil.send('anvil_reset');
    expect(await anvil.provider.getCode(contract)).toBe('0x');

    // The first request detects that the blocks are missing, and the next request waits for the genesis.
    await ask('wallet/gettransactionbyid', { value: '0'.repeat(64) });
    await ask('wallet/gettransactionbyid', { value: '0'.repeat(64) });

    expect(await anvil.provider.getCode(contract)).not.toBe('0x');
  });

  it('contains the payment contract, and the token of the payers', async () => {
    const { payContract, usdt } = tronGenesis();
    const { anvil, accounts } = harness;

    expect(keccak256(await anvil.provider.getCode(tronToEvmAddress(payContract)))).toBe(
      tollbridgePayRuntimeHash,
    );
    const account = await fetch(`${harness.url}/v1/accounts/${accounts.second_payer.address}`);
    expect(await account.json()).toMatchObject({
      data: [{ balance: 1_000_000_000_000, trc20: [{ [usdt]: '1000000000000' }] }],
    });
  });
});

function callOf(contract: string): TronContract {
  return { type: 'TriggerSmartContract', owner: sender.address, contract, callValue: 0n, data: '0x95d89b41' };
}
