import { Address, beginCell, storeStateInit, type StateInit } from '@ton/core';
import {
  WalletContractV1R3,
  WalletContractV3R1,
  WalletContractV3R2,
  WalletContractV4,
  WalletContractV5R1,
} from '@ton/ton';
import { createHash } from 'node:crypto';
import nacl from 'tweetnacl';
import { checkTonProof, type TonProof } from './ton-proof';

const key = nacl.sign.keyPair.fromSeed(new Uint8Array(32).fill(7));
const stranger = nacl.sign.keyPair.fromSeed(new Uint8Array(32).fill(8));
const publicKey = Buffer.from(key.publicKey);
const domain = 'shop.example';
const payload = 'a1'.repeat(32);
const nowMs = Date.parse('2026-11-21T12:00:00Z');

interface Account {
  address: Address;
  init: StateInit;
}

const wallets: Record<string, Account> = {
  v3r1: WalletContractV3R1.create({ workchain: 0, publicKey }) as Account,
  v3r2: WalletContractV3R2.create({ workchain: 0, publicKey }) as Account,
  v4r2: WalletContractV4.create({ workchain: 0, publicKey }) as Account,
  v5r1: WalletContractV5R1.create({ workchain: 0, publicKey }) as Account,
  'v5r1 of the test network': WalletContractV5R1.create({
    workchain: 0,
    publicKey,
    walletId: { networkGlobalId: -3 },
  }) as Account,
  'v4r2 in the masterchain': WalletContractV4.create({ workchain: -1, publicKey }) as Account,
};
const { v4r2 } = wallets as { v4r2: Account };

const base64 = (init: StateInit) =>
  beginCell().store(storeStateInit(init)).endCell().toBoc().toString('base64');
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest();

interface Signing {
  by?: nacl.SignKeyPair;
  account?: Account;
  domain?: string;
  payload?: string;
  timestamp?: number;
}

/**
 * Signs like a wallet. This code builds the layout with cells, so that the production code is not compared with itself.
 */
function prove(account: Account, signing: Signing = {}): TonProof {
  const { by = key, account: signed = account, timestamp = nowMs / 1000 } = signing;
  const value = signing.domain ?? domain;
  const text = signing.payload ?? payload;
  const little = (number: number, bytes: number) => {
    const written = beginCell()
      .storeUint(number, bytes * 8)
      .endCell()
      .beginParse()
      .loadBuffer(bytes);
    return Buffer.from(written).reverse();
  };
  const big = beginCell().storeInt(signed.address.workChain, 32).endCell().beginParse().loadBuffer(4);
  const item = Buffer.concat([
    Buffer.from('ton-proof-item-v2/'),
    big,
    signed.address.hash,
    little(Buffer.byteLength(value), 4),
    Buffer.from(value),
    little(timestamp, 8),
    Buffer.from(text),
  ]);
  const whole = Buffer.concat([Buffer.from([0xff, 0xff]), Buffer.from('ton-connect'), sha256(item)]);
  return {
    timestamp,
    domain: { lengthBytes: Buffer.byteLength(value), value },
    payload: text,
    signature: Buffer.from(nacl.sign.detached(sha256(whole), by.secretKey)).toString('base64'),
    stateInit: base64(account.init),
  };
}

const check = (proof: TonProof, { address }: Account = v4r2) =>
  checkTonProof(proof, { wallet: address.toString({ bounceable: false }), domain, payload, nowMs });
const reasonOf = async (proof: TonProof, account?: Account) => {
  const verdict = await check(proof, account);
  return verdict.ok ? 'accepted' : verdict.reason;
};

it.each(Object.entries(wallets))('checkTonProof accepts a proof of a wallet %s', async (_name, account) => {
  expect(await check(prove(account), account)).toEqual({ ok: true, isContract: false });
});

it('checkTonProof accepts a time that differs by up to five minutes, but not more', async () => {
  for (const seconds of [-300, 300]) {
    expect(await reasonOf(prove(v4r2, { timestamp: nowMs / 1000 + seconds }))).toBe('accepted');
    const late = prove(v4r2, { timestamp: nowMs / 1000 + seconds + Math.sign(seconds) });
    expect(await reasonOf(late)).toBe('wrong_time');
  }
});

describe('checkTonProof', () => {
  const others = WalletContractV4.create({
    workchain: 0,
    publicKey: Buffer.from(stranger.publicKey),
  }) as Account;

  it('rejects a proof for another domain, also for a lookalike', async () => {
    for (const value of ['evil.example', 'sh\u043ep.example', 'SHOP.example', 'shop.example.', ''])
      expect(await reasonOf(prove(v4r2, { domain: value }))).toBe('wrong_domain');
    const proof = prove(v4r2);
    expect(await reasonOf({ ...proof, domain: { ...proof.domain, lengthBytes: 11 } })).toBe('wrong_domain');
  });

  it('rejects a proof for another nonce', async () => {
    expect(await reasonOf(prove(v4r2, { payload: 'b1'.repeat(32) }))).toBe('wrong_nonce');
  });

  it('rejects the proof for another address', async () => {
    expect(await reasonOf(prove(others, { by: stranger }))).toBe('wrong_state_init');
    expect(await reasonOf(prove(wallets['v3r2']!))).toBe('wrong_state_init');
    // The correct account, but signed by another key.
    expect(await reasonOf(prove(v4r2, { by: stranger }))).toBe('wrong_signature');
    // The correct key, but signed for another account: a different wallet version or workchain.
    for (const account of [wallets['v3r2']!, wallets['v4r2 in the masterchain']!, others])
      expect(await reasonOf(prove(v4r2, { account }))).toBe('wrong_signature');
  });

  it('rejects fields that differ from the signed ones', async () => {
    const proof = prove(v4r2);
    expect(await reasonOf({ ...proof, timestamp: proof.timestamp + 1 })).toBe('wrong_signature');
    const hidden = { ...prove(v4r2, { domain: 'evil.example' }), domain: proof.domain };
    expect(await reasonOf(hidden)).toBe('wrong_signature');
    const replayed = { ...prove(v4r2, { payload: 'b1'.repeat(32) }), payload };
    expect(await reasonOf(replayed)).toBe('wrong_signature');
    for (const signature of [
      '',
      'AAAA',
      Buffer.alloc(64).toString('base64'),
      proof.signature + proof.signature,
    ])
      expect(await reasonOf({ ...proof, signature })).toBe('wrong_signature');
  });

  it('rejects code of an unknown wallet, regardless of its data', async () => {
    const { init } = v4r2;
    const odd = beginCell().storeUint(7, 32).endCell();
    for (const code of [odd, WalletContractV1R3.create({ workchain: 0, publicKey }).init.code]) {
      const account = { init: { ...init, code } } as Account;
      const hash = beginCell().store(storeStateInit(account.init)).endCell().hash();
      account.address = new Address(0, hash);
      expect(await reasonOf(prove(account), account)).toBe('unknown_wallet_contract');
    }
  });

  it('rejects an invalid or incomplete state-init', async () => {
    const { code, data } = v4r2.init;
    const texts = ['', 'AAAA', 'te6cckEBAQEAAgAAAEysuc0=', '!', prove(v4r2).stateInit.slice(0, -8)];
    for (const stateInit of [...texts, base64({ code: code! }), base64({ data: data! })])
      expect(await reasonOf({ ...prove(v4r2), stateInit })).toBe('wrong_state_init');
  });

  it('rejects data without a public key', async () => {
    const init = { code: v4r2.init.code!, data: beginCell().storeUint(1, 64).endCell() };
    const hash = beginCell().store(storeStateInit(init)).endCell().hash();
    const address = new Address(0, hash);
    expect(await reasonOf(prove({ init, address }), { init, address })).toBe('wrong_state_init');
  });
});
