import { startAnvil, type Anvil } from '@tollbridge/testing';
import { Contract, Interface, MaxUint256, type TransactionReceipt, type Signer } from 'ethers';
import { deployTollbridgePay, tollbridgePayAddress } from './deploy';
import { tollbridgePayAbi } from './generated/tollbridge-pay';
import { hashPaymentOrder, orderIdToUuid, type PaymentOrder } from './payment-order';
import { deployUsdc, type SandboxTokenHandle } from './sandbox-tokens';
import { feeReceiver, merchantAddress, orderUuid, aPaymentOrder } from './testing/payment-order.builder';
import { mined } from './mined';

const erc20Abi = [
  'function approve(address spender, uint256 amount) returns (bool)',
  'function balanceOf(address account) view returns (uint256)',
  'function blacklist(address account)',
];
const funds = 1_000_000_000n;
let anvil: Anvil;
let usdc: SandboxTokenHandle;
let usdcContract: Contract;
let payer: Signer;
let fundedState: unknown;

beforeAll(async () => {
  anvil = await startAnvil({ chainId: 31337 });
  await deployTollbridgePay(anvil.wallet(0));
  usdc = await deployUsdc(anvil.wallet(0));
  usdcContract = new Contract(usdc.address, erc20Abi, anvil.wallet(0));
  payer = anvil.wallet(1);
  await usdc.mint(await payer.getAddress(), funds);
  const approve = (usdcContract.connect(payer) as Contract).getFunction('approve');
  await mined(await approve.send(tollbridgePayAddress, MaxUint256));
});
beforeEach(async () => {
  fundedState = await anvil.send('evm_snapshot', []);
});
afterEach(async () => {
  await anvil.send('evm_revert', [fundedState]);
});
afterAll(() => anvil.stop());

function tollbridge(): Contract {
  return new Contract(tollbridgePayAddress, tollbridgePayAbi, payer);
}

async function pay(order: PaymentOrder, value = 0n): Promise<TransactionReceipt> {
  const transaction = await tollbridge().getFunction('pay').send(order, { value });
  return mined(transaction);
}

/** Returns the reason of a plain revert, the signature of a custom error, or `accepted`. */
async function revertReasonOf(order: PaymentOrder, value = 0n): Promise<string> {
  try {
    await tollbridge().getFunction('pay').staticCall(order, { value });
    return 'accepted';
  } catch (error) {
    return (error as { reason: string }).reason;
  }
}

async function usdcOf(account: string): Promise<bigint> {
  return usdcContract.getFunction('balanceOf').staticCall(account);
}

function decodedEvent(receipt: TransactionReceipt): Record<string, unknown> {
  const log = receipt.logs.find(({ address }) => address === tollbridgePayAddress)!;
  return new Interface(tollbridgePayAbi).parseLog(log)!.args.toObject();
}

describe('pay with genuine USDC', () => {
  const usdcOrder = () => aPaymentOrder({ token_in_address: usdc.address });

  it('transfers the exact amounts and emits the whole order', async () => {
    const order = usdcOrder();

    const receipt = await pay(order);

    expect(await usdcOf(merchantAddress)).toBe(order.merchant_amount);
    expect(await usdcOf(feeReceiver)).toBe(order.fee_amount);
    expect(await usdcOf(await payer.getAddress())).toBe(funds - order.amount_in);
    expect(await usdcOf(tollbridgePayAddress)).toBe(0n);
    expect(decodedEvent(receipt)).toEqual({
      ...order,
      orderHash: hashPaymentOrder(order),
      payer: await payer.getAddress(),
    });
    expect(orderIdToUuid(decodedEvent(receipt).order_id as string)).toBe(orderUuid);
  });

  it('rejects a second payment', async () => {
    await pay(usdcOrder());

    expect(await revertReasonOf(usdcOrder())).toBe('OrderAlreadyPaid(bytes32)');
    expect(await usdcOf(merchantAddress)).toBe(usdcOrder().merchant_amount);
  });

  it('pays no receiver when Circle has blacklisted the fee receiver', async () => {
    const blacklist = usdcContract.getFunction('blacklist');
    await mined(await blacklist.send(feeReceiver));

    expect(await revertReasonOf(usdcOrder())).toBe('Blacklistable: account is blacklisted');
  });
});

describe('pay with the native coin', () => {
  it('transfers the exact amounts and emits the whole order', async () => {
    const order = aPaymentOrder();

    const receipt = await pay(order, order.amount_in);

    expect(await anvil.provider.getBalance(merchantAddress)).toBe(order.merchant_amount);
    expect(await anvil.provider.getBalance(feeReceiver)).toBe(order.fee_amount);
    expect(await anvil.provider.getBalance(tollbridgePayAddress)).toBe(0n);
    expect(decodedEvent(receipt)).toMatchObject(order);
  });

  it('rejects a second payment', async () => {
    const order = aPaymentOrder();
    await pay(order, order.amount_in);

    expect(await revertReasonOf(order, order.amount_in)).toBe('OrderAlreadyPaid(bytes32)');
  });

  it('rejects a payment after the deadline', async () => {
    const { timestamp } = (await anvil.provider.getBlock('latest'))!;
    const order = aPaymentOrder({ deadline: BigInt(timestamp) - 1n });

    expect(await revertReasonOf(order, order.amount_in)).toBe('OrderExpired(uint64)');
  });
});

describe('paid', () => {
  it('uses the hash of hashPaymentOrder as key', async () => {
    const order = aPaymentOrder();
    const hash = hashPaymentOrder(order);

    expect(await tollbridge().getFunction('hashOrder').staticCall(order)).toBe(hash);
    expect(await tollbridge().getFunction('paid').staticCall(hash)).toBe(false);
    await pay(order, order.amount_in);
    expect(await tollbridge().getFunction('paid').staticCall(hash)).toBe(true);
  });
});
