import { ZeroAddress } from 'ethers';
import { utils } from 'tronweb';
import {
  evmToTronAddress,
  hexToTronAddress,
  TRON_ZERO_ADDRESS,
  tronToEvmAddress,
  tronToHexAddress,
} from './address';

const USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const USDT_HEX = '41a614f803b6fd780986a42c78ec9c7f77e6ded13c';
const USDT_EVM = '0xa614f803B6FD780986A42c78Ec9c7f77e6DeD13C';

describe('Tron addresses', () => {
  it('convert between base58, the hex of nodes and the 20 bytes of contracts', () => {
    expect(tronToHexAddress(USDT)).toBe(USDT_HEX);
    expect(tronToEvmAddress(USDT)).toBe(USDT_EVM);
    expect(hexToTronAddress(USDT_HEX)).toBe(USDT);
    expect(evmToTronAddress(USDT_EVM)).toBe(USDT);
    expect(evmToTronAddress(ZeroAddress)).toBe(TRON_ZERO_ADDRESS);
  });

  it('convert as tronweb converts them', () => {
    const accounts = Array.from({ length: 50 }, () => utils.accounts.generateAccount().address);

    for (const { base58, hex } of accounts) {
      expect(tronToHexAddress(base58)).toBe(hex.toLowerCase());
      expect(hexToTronAddress(hex)).toBe(base58);
    }
  });

  it.each([
    '',
    USDT_HEX,
    USDT_EVM,
    USDT.slice(0, -1),
    `${USDT}1`,
    `${USDT} `,
    USDT.toLowerCase(),
    // Another last character, two characters swapped, and a Bitcoin address.
    'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u',
    'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjL6jt',
    '1BoatSLRHtKNngkdXEeobR76b53LETtpyT',
  ])('reject %p as base58', (text) => {
    expect(() => tronToEvmAddress(text)).toThrow('is not a Tron address in base58');
  });

  it.each(['T9yD14Nj9j7xAB4dbGeiX9h8unkKB9nv2z', 'TZJozAg1ruapycCicgz31GxvYJ1G7obWwL'])(
    'reject %p, which has a valid checksum and the prefix 0x40 or 0x42',
    (text) => {
      expect(() => tronToEvmAddress(text)).toThrow('is not a Tron address in base58');
    },
  );

  it.each(['', USDT, USDT_HEX.slice(2), `42${USDT_HEX.slice(2)}`, `${USDT_HEX}00`, `0x${USDT_HEX}`])(
    'reject %p as hex of a node',
    (text) => {
      expect(() => hexToTronAddress(text)).toThrow('is not a Tron address in hex');
    },
  );
});
