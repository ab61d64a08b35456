import { orderIdToBytes16, tollbridgePayAbi } from '@tollbridge/onchain';
import { Interface, ZeroAddress } from 'ethers';
import { transferCall, walletCalls, type ContractOrder } from './wallet-calls';

const contract = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const merchant = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const order: ContractOrder = {
  order_id: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d',
  token_in: 'USDC',
  token_out: 'USDC',
  amount_in: '1000000',
  token_in_address: usdc,
  merchant,
  merchant_amount: '1000000',
  fee_receiver: merchant,
  fee_amount: '0',
  deadline: 1_795_177_800,
};

describe('walletCalls', () => {
  it('approves exactly the amount of a token, then calls pay with the order', () => {
    const { approve, pay, uri } = walletCalls(contract, order, 8453);
    const erc20 = new Interface(['function approve(address, uint256)']);
    expect([approve!.to, approve!.value]).toEqual([usdc, '0']);
    expect(erc20.decodeFunctionData('approve', approve!.data).toArray()).toEqual([contract, 1_000_000n]);
    expect(uri).toBe(`ethereum:${usdc}@8453/approve?address=${contract}&uint256=1000000`);
    expect([pay.to, pay.value]).toEqual([contract, '0']);
    const [argument] = new Interface(tollbridgePayAbi).decodeFunctionData('pay', pay.data);
    expect(argument.toObject()).toEqual({
      ...order,
      order_id: orderIdToBytes16(order.order_id),
      amount_in: 1_000_000n,
      merchant_amount: 1_000_000n,
      fee_amount: 0n,
      deadline: 1_795_177_800n,
    });
  });

  it('pays in the coin with one call that has the amount as its value', () => {
    const { approve, pay, uri } = walletCalls(contract, { ...order, token_in_address: ZeroAddress }, 8453);
    expect([approve, uri, pay.value]).toEqual([null, null, '1000000']);
  });
});

describe('transferCall', () => {
  it('calls transfer of the token with recipient and amount', () => {
    const { to, data, value } = transferCall(usdc, merchant, '1650');
    const erc20 = new Interface(['function transfer(address, uint256)']);
    expect([to, value]).toEqual([usdc, '0']);
    expect(erc20.decodeFunctionData('transfer', data).toArray()).toEqual([merchant, 1_650n]);
  });

  it('sends the coin itself without data', () => {
    expect(transferCall(null, merchant, '1650')).toEqual({ to: merchant, data: '0x', value: '1650' });
  });
});
