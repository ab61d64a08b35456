import { StrKey } from '@stellar/stellar-base';
import { Address } from '@ton/core';
import fc from 'fast-check';
import { type Chain, findChain } from '../registry';
import { canonicalAddress } from '.';

// Compares the own decoders with the official libraries of the chains.

const chainOf = (id: string): Chain => {
  const chain = findChain(id);
  if (!chain) {
    throw new Error(`no chain ${id}`);
  }
  return chain;
};

const anyKey = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .filter((key) => key.some((byte) => byte !== 0));

// Replaces one character of the text by another of its characters.
const mistyped = (text: string, position: number, choice: number) => {
  const at = position % text.length;
  return text.slice(0, at) + text.charAt(choice % text.length) + text.slice(at + 1);
};

describe('canonicalAddress with TON addresses from @ton/core', () => {
  const anyAddress = fc
    .tuple(fc.constantFrom(0, -1), anyKey)
    .map(([workchain, hash]) => new Address(workchain, Buffer.from(hash)));

  it('accepts every form', () => {
    fc.assert(
      fc.property(anyAddress, (address) => {
        const canonical = { ok: true, address: address.toString({ bounceable: false }) };
        for (const text of [
          address.toString(),
          address.toString({ urlSafe: false }),
          address.toRawString(),
        ]) {
          expect(canonicalAddress(chainOf('ton'), text)).toEqual(canonical);
        }
        const onTestnet = { ...chainOf('ton'), isTestnet: true };
        expect(canonicalAddress(onTestnet, address.toString({ testOnly: true }))).toEqual({
          ok: true,
          address: address.toString({ testOnly: true, bounceable: false }),
        });
      }),
    );
  });

  it('rejects a mistyped address whenever @ton/core rejects it', () => {
    fc.assert(
      fc.property(anyAddress, fc.nat(), fc.nat(), (address, position, choice) => {
        const text = mistyped(address.toString(), position, choice);
        expect(canonicalAddress(chainOf('ton'), text).ok).toBe(Address.isFriendly(text) && isReadable(text));
      }),
    );
  });

  const isReadable = (text: string) => {
    try {
      return !Address.parseFriendly(text).isTestOnly;
    } catch {
      return false;
    }
  };
});

describe('canonicalAddress with Stellar addresses from @stellar/stellar-base', () => {
  it('accepts every form, and rejects the same mistyped addresses as @stellar/stellar-base', () => {
    fc.assert(
      fc.property(anyKey, fc.nat(), fc.nat(), (key, position, choice) => {
        const raw = Buffer.from(key);
        const texts = [
          StrKey.encodeEd25519PublicKey(raw),
          StrKey.encodeContract(raw),
          StrKey.encodeMed25519PublicKey(Buffer.concat([raw, Buffer.from('0000000000000007', 'hex')])),
        ];
        for (const text of texts) {
          expect(canonicalAddress(chainOf('stellar'), text)).toEqual({ ok: true, address: text });
          const wrong = mistyped(text, position, choice);
          const isValid = [
            StrKey.isValidEd25519PublicKey,
            StrKey.isValidContract,
            StrKey.isValidMed25519PublicKey,
          ];
          expect(canonicalAddress(chainOf('stellar'), wrong).ok).toBe(isValid.some((check) => check(wrong)));
        }
      }),
    );
  });
});
