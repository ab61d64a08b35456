import { ZeroAddress } from 'ethers';
import { utils } from 'tronweb';
import {
  evmToTronAddress,
  hexToTronAddress,
  tronZeroAddress,
  tronToEvmAddress,
  tronToHexAddress,
} from './address';

const usdt = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const usdtHex = '41a614f803b6fd780986a42c78ec9c7f77e6ded13c';
const usdtEvm = '0xa614f803B6FD780986A42c78Ec9c7f77e6DeD13C';

describe('Tron addresses', () => {
  it('convert between base58, the hex of nodes and the 20 bytes of contracts', () => {
    expect(tronToHexAddress(usdt)).toBe(usdtHex);
    expect(tronToEvmAddress(usdt)).toBe(usdtEvm);
    expect(hexToTronAddress(usdtHex)).toBe(usdt);
    expect(evmToTronAddress(usdtEvm)).toBe(usdt);
    expect(evmToTronAddress(ZeroAddress)).toBe(tronZeroAddress);
  });

  it('convert like in tronweb', () => {
    const accounts = Array.from({ length: 50 }, () => utils.accounts.generateAccount().address);

    for (const { base58, hex } of accounts) {
      expect(tronToHexAddress(base58)).toBe(hex.toLowerCase());
      expect(hexToTronAddress(hex)).toBe(base58);
    }
  });

  it.each([
    '',
    usdtHex,
    usdtEvm,
    usdt.slice(0, -1),
    `${usdt}1`,
    `${usdt} `,
    usdt.toLowerCase(),
    // A changed last character, two swapped characters, and a Bitcoin address.
    'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u',
    'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjL6jt',
    '1BoatSLRHtKNngkdXEeobR76b53LETtpyT',
  ])('cannot be parsed from %p as base58', (text) => {
    expect(() => tronToEvmAddress(text)).toThrow('is not a Tron address in base58');
  });

  it.each(['T9yD14Nj9j7xAB4dbGeiX9h8unkKB9nv2z', 'TZJozAg1ruapycCicgz31GxvYJ1G7obWwL'])(
    'cannot be parsed from %p, which has a valid checksum but the prefix 0x40 or 0x42',
    (text) => {
      expect(() => tronToEvmAddress(text)).toThrow('is not a Tron address in base58');
    },
  );

  it.each(['', usdt, usdtHex.slice(2), `42${usdtHex.slice(2)}`, `${usdtHex}00`, `0x${usdtHex}`])(
    'cannot be parsed from %p as hex of a node',
    (text) => {
      expect(() => hexToTronAddress(text)).toThrow('is not a Tron address in hex');
    },
  );
});
