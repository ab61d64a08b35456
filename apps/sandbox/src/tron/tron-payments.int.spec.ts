import { tollbridgePayAbi, tollbridgePayCreationCode, tollbridgePayRuntimeHash } from '@tollbridge/onchain';
import { aTronOrder } from '@tollbridge/onchain/testing';
import {
  decodeTronOrderPaid,
  hashTronOrder,
  tronPaymentCalls,
  tronToEvmAddress,
  unsignedTransaction,
  type TronCall,
  type TronLog,
  type TronOrder,
} from '@tollbridge/onchain/tron';
import { randomUUID } from 'node:crypto';
import { keccak256 } from 'ethers';
import { TronWeb, utils } from 'tronweb';
import {
  deploy,
  deployUsdt,
  openTronHarness,
  readable,
  type TronHarness,
  type TronUser,
} from './testing/tron-harness';

// The client is unmodified tronweb, which wallets and servers of merchants use.

let harness: TronHarness;
let payer: TronUser;
let issuer: TronUser;
let payContract: string;
let usdt: string;

beforeAll(async () => {
  harness = await openTronHarness();
  [payer, issuer] = [await harness.user(), await harness.user()];
  payContract = await deploy(issuer.tronWeb, tollbridgePayAbi, tollbridgePayCreationCode, 'TollbridgePay');
  usdt = await deployUsdt(issuer, [payer.address], 1_000_000_000n);
});
afterAll(() => harness.close());
afterEach(() => expect(harness.problems).toEqual([]));

const newAccount = (): string => utils.accounts.generateAccount().address.base58;

const orderOf = (changes: Partial<TronOrder> = {}) =>
  aTronOrder({
    orderId: randomUUID(),
    token: usdt,
    merchant: newAccount(),
    feeReceiver: newAccount(),
    ...changes,
  });

/** Signs a transaction that the service built, as a wallet does. Returns the id of the transaction. */
async function signAndSend({ tronWeb }: TronUser, call: TronCall, feeLimit = 100_000_000n): Promise<string> {
  const { raw_data, ...rest } = unsignedTransaction({ ...(await headOf(tronWeb)), contract: call, feeLimit });
  const transaction = { visible: false, ...rest, raw_data: JSON.parse(raw_data) };
  const answer = await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(transaction as never));
  if (answer.result !== true) throw new Error(`${answer.code} ${readable(answer.message)}`);
  return transaction.txID;
}

async function headOf(tronWeb: TronWeb) {
  const params = await tronWeb.trx.getCurrentRefBlockParams();
  return {
    refBlockBytes: params.ref_block_bytes,
    refBlockHash: params.ref_block_hash,
    expirationMs: params.expiration,
    timestampMs: params.timestamp,
  };
}

async function pay(order: TronOrder, user = payer, feeLimit?: bigint): Promise<string> {
  const { approval, payment } = tronPaymentCalls(order, user.address, payContract);
  if (approval) await signAndSend(user, approval);
  return signAndSend(user, payment, feeLimit);
}

const infoOf = (id: string) => payer.tronWeb.trx.getUnconfirmedTransactionInfo(id);

async function usdtOf(account: string): Promise<bigint> {
  const { constant_result } = await payer.tronWeb.transactionBuilder.triggerConstantContract(
    usdt,
    'balanceOf(address)',
    {},
    [{ type: 'address', value: account }],
    payer.address,
  );
  return BigInt(`0x${constant_result[0]}`);
}

const trxOf = async (account: string) => BigInt(await payer.tronWeb.trx.getUnconfirmedBalance(account));

describe('A deployment with tronweb', () => {
  it('stores the bytecode of the EVM chains at the address that tronweb derived', async () => {
    const code = await harness.anvil.provider.getCode(tronToEvmAddress(payContract));

    expect(keccak256(code)).toBe(tollbridgePayRuntimeHash);
  });

  it("runs the constructor with the deployer as the sender, at the contract's address", async () => {
    const contract = await payer.tronWeb.contract().at(usdt);

    expect(TronWeb.address.fromHex(await contract.minter!().call())).toBe(issuer.address);
    expect(await contract.symbol!().call()).toBe('USDT');
  });

  it('returns the contract by getcontract', async () => {
    const contract = await payer.tronWeb.trx.getContract(payContract);

    expect(contract).toMatchObject({
      name: 'TollbridgePay',
      consume_user_resource_percent: 100,
      origin_address: TronWeb.address.toHex(issuer.address).toLowerCase(),
    });
  });
});

describe('A payment in USDT with tronweb', () => {
  it('transfers the exact amounts, and emits every field of the order', async () => {
    const order = orderOf();

    const id = await pay(order);

    expect(await usdtOf(order.merchant)).toBe(97_000_000n);
    expect(await usdtOf(order.feeReceiver!)).toBe(3_000_000n);
    expect(await usdtOf(payContract)).toBe(0n);
    const info = await infoOf(id);
    expect(info.receipt.result).toBe('SUCCESS');
    const paid = (info.log as TronLog[]).flatMap((log) => decodeTronOrderPaid(log) ?? []);
    expect(paid).toEqual([
      {
        contract: payContract,
        orderHash: hashTronOrder(order),
        orderId: order.orderId,
        payer: payer.address,
        fields: {
          token_in: 'USDT',
          token_out: 'USDT',
          amount_in: '100000000',
          token_in_address: usdt,
          merchant: order.merchant,
          merchant_amount: '97000000',
          fee_receiver: order.feeReceiver,
          fee_amount: '3000000',
          deadline: '4102444800',
        },
      },
    ]);
  });

  it('encodes the call as tronweb itself does', async () => {
    const order = orderOf();
    const { payment } = tronPaymentCalls(order, payer.address, payContract);
    const contract = payer.tronWeb.contract(tollbridgePayAbi as never, payContract);
    const hashOrder = (struct: unknown[]): Promise<string> => (contract as any).hashOrder(struct).call();
    const struct = [
      `0x${order.orderId.replaceAll('-', '')}`,
      order.tokenIn,
      order.tokenOut,
      String(order.amountIn),
      order.token,
      order.merchant,
      String(order.merchantAmount),
      order.feeReceiver,
      String(order.feeAmount),
      String(order.deadline),
    ];

    const id: string = await (contract as any).pay(struct).send({ feeLimit: 100_000_000 });

    const sent: any = await payer.tronWeb.trx.getTransaction(id);
    expect(sent.raw_data.contract[0].parameter.value.data).toBe(payment.data.slice(2));
    expect(await hashOrder(struct)).toBe(hashTronOrder(order));
  });

  it('rejects the same order a second time, and charges energy', async () => {
    const order = orderOf();
    await pay(order);
    const before = await trxOf(payer.address);

    const info = await infoOf(await pay(order));

    expect(info.receipt.result).toBe('REVERT');
    expect(info.result).toBe('FAILED');
    expect(readable(info.resMessage)).toBe('REVERT opcode executed');
    expect(info.contractResult[0]).toMatch(/^[0-9a-f]{8}/);
    expect(info.log).toBeUndefined();
    expect(await usdtOf(order.merchant)).toBe(97_000_000n);
    expect(await trxOf(payer.address)).toBeLessThan(before);
  });

  it('rejects look-alikes of an order, which can still be paid', async () => {
    const order = orderOf();
    const attacker = await harness.user();
    const lookAlike = {
      ...order,
      token: null,
      amountIn: 1n,
      merchant: newAccount(),
      merchantAmount: 1n,
      feeAmount: 0n,
    };
    await pay(lookAlike, attacker);

    const info = await infoOf(await pay(order));

    expect(info.receipt.result).toBe('SUCCESS');
    expect(await usdtOf(order.merchant)).toBe(97_000_000n);
  });

  it('rejects a payment after the deadline', async () => {
    const { timestamp } = (await harness.anvil.provider.getBlock('latest'))!;

    const info = await infoOf(await pay(orderOf({ deadline: BigInt(timestamp) - 1n })));

    expect(info.receipt.result).toBe('REVERT');
  });

  it('rejects a payment while the issuer takes a fee', async () => {
    const order = orderOf();
    const setParams = (rate: number) =>
      issuer.tronWeb.transactionBuilder
        .triggerSmartContract(usdt, 'setParams(uint256,uint256)', { feeLimit: 100_000_000 }, [
          { type: 'uint256', value: rate },
          { type: 'uint256', value: 50 },
        ])
        .then(async ({ transaction }) =>
          issuer.tronWeb.trx.sendRawTransaction(await issuer.tronWeb.trx.sign(transaction)),
        );
    await setParams(10);

    const taxed = await infoOf(await pay(order));
    await setParams(0);

    expect(taxed.receipt.result).toBe('REVERT');
    expect(await usdtOf(order.merchant)).toBe(0n);
    expect((await infoOf(await pay(order))).receipt.result).toBe('SUCCESS');
  });

  it('rejects a payment without an approval', async () => {
    const order = orderOf();
    const stranger = await harness.user();
    const { payment } = tronPaymentCalls(order, stranger.address, payContract);

    const info = await infoOf(await signAndSend(stranger, payment));

    expect(info.receipt.result).toBe('REVERT');
  });
});

describe('A payment in TRX with tronweb', () => {
  const trxOrder = (changes: Partial<TronOrder> = {}) => orderOf({ token: null, tokenIn: 'TRX', ...changes });

  it('transfers the exact amounts to accounts that did not exist', async () => {
    const order = trxOrder();
    const before = await trxOf(payer.address);

    const info = await infoOf(await pay(order));

    expect(info.receipt.result).toBe('SUCCESS');
    expect(await trxOf(order.merchant)).toBe(97_000_000n);
    expect(await trxOf(order.feeReceiver!)).toBe(3_000_000n);
    expect(await trxOf(payContract)).toBe(0n);
    expect(await trxOf(payer.address)).toBe(before - 100_000_000n - BigInt(info.fee!));
  });

  it('rejects a value that differs from the amount, and refunds the coins', async () => {
    const order = trxOrder();
    const { payment } = tronPaymentCalls(order, payer.address, payContract);
    const before = await trxOf(payer.address);

    const info = await infoOf(await signAndSend(payer, { ...payment, callValue: order.amountIn - 1n }));

    expect(info.receipt.result).toBe('REVERT');
    expect(await trxOf(payer.address)).toBe(before - BigInt(info.fee!));
  });

  it('rejects a payment to a contract that accepts no coins', async () => {
    const order = trxOrder({ merchant: usdt });

    expect((await infoOf(await pay(order))).receipt.result).toBe('REVERT');
  });
});

describe('Energy', () => {
  it("burns energy at the network's price, up to the fee limit", async () => {
    const order = orderOf();
    const info = await infoOf(await pay(order));
    const { energy_fee, energy_usage_total } = info.receipt as {
      energy_fee: number;
      energy_usage_total: number;
    };

    expect(energy_fee).toBe(energy_usage_total * 100);
    // Two receivers without a token balance and the record of the order: three new slots of 20,000 energy each.
    expect(energy_usage_total).toBe(105_229);
  });

  it('fails a payment with too little energy, and charges the whole fee limit', async () => {
    const order = orderOf();

    const info = await infoOf(await pay(order, payer, 5_000_000n));

    expect(info.receipt.result).toBe('OUT_OF_ENERGY');
    expect(info.receipt.energy_fee).toBe(5_000_000);
    expect(await usdtOf(order.merchant)).toBe(0n);
    expect((await infoOf(await pay(order))).receipt.result).toBe('SUCCESS');
  });

  it('limits energy to the balance of the caller', async () => {
    const poor = await harness.user(3_000_000n);
    const order = orderOf();
    const { payment } = tronPaymentCalls(order, poor.address, payContract);

    const info = await infoOf(await signAndSend(poor, payment, 1_000_000_000n));

    expect(['OUT_OF_ENERGY', 'REVERT']).toContain(info.receipt.result);
    expect(await trxOf(poor.address)).toBeGreaterThanOrEqual(0n);
  });

  it('uses the energy that estimateenergy and a constant call return', async () => {
    const order = orderOf();
    const { approval, payment } = tronPaymentCalls(order, payer.address, payContract);
    await signAndSend(payer, approval!);
    const input = { input: payment.data.slice(2) };

    const estimate = await payer.tronWeb.transactionBuilder.estimateEnergy(
      payContract,
      '',
      input,
      [],
      payer.address,
    );
    const call = await payer.tronWeb.transactionBuilder.triggerConstantContract(
      payContract,
      '',
      input,
      [],
      payer.address,
    );
    const info = await infoOf(await signAndSend(payer, payment));

    expect(estimate.energy_required).toBe(info.receipt.energy_usage_total);
    expect(call.energy_used).toBe(info.receipt.energy_usage_total);
  });

  it('adds the penalty of a heavily used contract', async () => {
    const { energyFactors } = harness.simulator.chain.tvm;
    const plain = await infoOf(await pay(orderOf()));

    energyFactors.set(tronToEvmAddress(usdt).toLowerCase(), 34_000n);
    const dear = await infoOf(await pay(orderOf()));
    energyFactors.clear();

    const receipt = dear.receipt as { energy_usage_total: number; energy_penalty_total: number };
    expect(receipt.energy_penalty_total).toBeGreaterThan(plain.receipt.energy_usage_total!);
    expect(receipt.energy_usage_total - receipt.energy_penalty_total).toBe(plain.receipt.energy_usage_total);
  });
});
