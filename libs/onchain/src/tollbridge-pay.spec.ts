import { concat, getAddress, id, Interface, keccak256 } from 'ethers';
import { create2Factory } from './create2';
import { tollbridgePayAddress } from './deploy';
import { tollbridgePayAbi, tollbridgePayCreationCode } from './generated/tollbridge-pay';

const abi = new Interface(tollbridgePayAbi);

describe('Interface of TollbridgePay', () => {
  it("has the field names of the public API's order", () => {
    expect(abi.getFunction('pay')?.format('full')).toBe(
      'function pay((bytes16 order_id, string token_in, string token_out, uint256 amount_in, ' +
        'address token_in_address, address merchant, uint256 merchant_amount, address fee_receiver, ' +
        'uint256 fee_amount, uint64 deadline) order) payable',
    );
  });

  it('contains only pay and view functions', () => {
    const functions = abi.fragments.filter(({ type }) => type === 'function');

    expect(functions.map((fragment) => fragment.format()).sort()).toEqual([
      'MAX_TOKEN_NAME_BYTES()',
      'hashOrder((bytes16,string,string,uint256,address,address,uint256,address,uint256,uint64))',
      'paid(bytes32)',
      'pay((bytes16,string,string,uint256,address,address,uint256,address,uint256,uint64))',
    ]);
  });

  it('accepts native coins only in pay', () => {
    expect(abi.receive).toBe(false);
    expect(abi.fallback).toBeNull();
  });

  it('indexes the order hash, the order id and the payer of a payment', () => {
    const inputs = abi.getEvent('OrderPaid')?.inputs ?? [];

    expect(inputs.filter(({ indexed }) => indexed).map(({ name }) => name)).toEqual([
      'orderHash',
      'order_id',
      'payer',
    ]);
  });
});

describe('tollbridgePayAddress', () => {
  it('derives from factory, salt and bytecode according to EIP-1014', () => {
    const salt = id('tollbridge/TollbridgePay');
    const digest = keccak256(concat(['0xff', create2Factory, salt, keccak256(tollbridgePayCreationCode)]));

    expect(tollbridgePayAddress).toBe(getAddress(`0x${digest.slice(-40)}`));
  });

  it('stays the same, since a changed contract must be deployed again on every chain', () => {
    expect(tollbridgePayAddress).toBe('0x85aB07d9f02813D73ECE388c96719cB985A2aAF9');
  });
});
