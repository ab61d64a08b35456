import { Address, Cell, contractAddress, loadStateInit } from '@ton/core';
import { tonPaymentCodeHash } from '../generated/ton-pay';
import { tonDeployment } from './deployment';
import { tonPayAddress } from './pay';

describe('tonDeployment', () => {
  it('returns a link that matches the contract’s address by its code and data', async () => {
    const { link, friendlyAddress, address } = await tonDeployment();
    const url = new URL(link);
    const cell = (name: string): Cell =>
      Cell.fromBoc(Buffer.from(url.searchParams.get(name)!, 'base64url'))[0]!;
    const init = loadStateInit(cell('init').beginParse());

    expect(link.startsWith(`ton://transfer/${friendlyAddress}?`)).toBe(true);
    expect(Address.parse(friendlyAddress).toRawString()).toBe(address);
    expect(address).toBe(await tonPayAddress());
    expect(contractAddress(0, { code: init.code!, data: init.data! }).toRawString()).toBe(address);
    expect(init.code!.hash().toString('hex')).toBe(tonPaymentCodeHash);
    expect(url.searchParams.get('amount')).toBe('100000000');
    expect(cell('bin').beginParse().loadUint(32)).toBe(0xd372158c);
  });
});
