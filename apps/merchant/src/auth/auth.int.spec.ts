import { base58 } from '@scure/base';
import {
  apiKeysApi,
  authApi,
  internalSessionsApi,
  SessionRevoked,
  sessionEvents,
  type ChallengeReply,
  type VerifyReply,
  type VerifyRequest,
} from '@tollbridge/contracts';
import { digestOfKey, readKeyText } from '@tollbridge/api-keys';
import {
  callContext,
  decode,
  DomainError,
  idempotencyKeyOf,
  walletPrincipal,
  type FieldError,
} from '@tollbridge/rpc';
import { deploySandboxWallet, sandboxWalletCreation } from '@tollbridge/onchain';
import {
  closedUrl,
  eventually,
  ManualClock,
  missingCases,
  startAnvil,
  type Anvil,
} from '@tollbridge/testing';
import { beginCell, storeStateInit } from '@ton/core';
import { WalletContractV4 } from '@ton/ton';
import { Signature, Wallet, type HDNodeWallet } from 'ethers';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import nacl from 'tweetnacl';
import { serializeErc6492Signature, type Hex } from 'viem';
import { readWallet } from '@tollbridge/wallet-proof';
import { Merchant } from '../testing/merchant';
import { tonAddress as tonWallet, tonContract, tonProof as proofAt } from '../testing/ton-wallet';
import { AuthRepository } from './auth.repository';

const { createChallenge, verifyChallenge, listSessions, revokeSession, revokeSessions } = authApi.operations;
const { authenticate } = internalSessionsApi.operations;
const folder = mkdtempSync(join(tmpdir(), 'tollbridge-auth-'));
const clock = new ManualClock();
const caller = '192.0.2.0/24';
let anvil: Anvil;
let merchant: Merchant;
let settings: NodeJS.ProcessEnv;

beforeAll(async () => {
  anvil = await startAnvil({ chainId: 8453 });
  const chains = [
    { chain: 'eip155:8453', rpcUrls: [anvil.url] },
    { chain: 'eip155:10', rpcUrls: [await closedUrl()] },
  ];
  writeFileSync(join(folder, 'chains.json'), JSON.stringify({ chains }));
  settings = {
    CHAINS_FILE: join(folder, 'chains.json'),
    MERCHANT_SIGN_IN_URL: 'https://shop.example/sign-in',
  };
  merchant = await Merchant.start({ clock, settings });
});
afterAll(async () => {
  await merchant?.close();
  await anvil?.stop();
  rmSync(folder, { recursive: true });
});

const challengeOf = (wallet: string, chainId?: number): Promise<ChallengeReply> =>
  merchant.call(createChallenge, { wallet, ...(chainId !== undefined && { chainId }) });
const verify = (request: VerifyRequest): Promise<VerifyReply> =>
  merchant.callFrom(caller, verifyChallenge, request);
const reasonOf = (request: VerifyRequest): Promise<string> =>
  verify(request).then(
    () => 'accepted',
    (error: DomainError) =>
      error.code === 'UNAUTHORIZED' ? (error.details as { reason: string }).reason : error.code,
  );
const fieldsOf = (details: unknown): string[] => (details as FieldError[]).map(({ field }) => field);

/** Requests a challenge, and returns it with the signature of the wallet. */
async function signed(wallet: Wallet | HDNodeWallet, chainId?: number): Promise<VerifyRequest> {
  const { nonce, message } = await challengeOf(wallet.address, chainId);
  return { wallet: wallet.address, nonce, message: message!, signature: await wallet.signMessage(message!) };
}

const signIn = async (wallet: Wallet | HDNodeWallet = Wallet.createRandom()): Promise<VerifyReply> =>
  verify(await signed(wallet));

const solanaKey = nacl.sign.keyPair.fromSeed(new Uint8Array(32).fill(7));
const solanaWallet = base58.encode(solanaKey.publicKey);
const solanaSign = (message: string, key = solanaKey) =>
  base58.encode(nacl.sign.detached(Buffer.from(message), key.secretKey));

const tonProof = (
  payload: string,
  { domain = 'shop.example', timestamp = Math.floor(clock.now() / 1000) } = {},
) => proofAt(payload, timestamp, domain);

const authenticateToken = (token: string): Promise<unknown> =>
  merchant
    .call(authenticate, { digest: digestOfKey(token) })
    .catch((error: DomainError) => (error.details as { reason: string }).reason);

it('covers each declared error', () => {
  expect(missingCases(Object.values(authApi.operations), readFileSync(__filename, 'utf8'))).toEqual([]);
});

describe('POST /api/auth/challenge', () => {
  it('200: returns to an EVM wallet the canonical EIP-4361 message for its chain', async () => {
    const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
    clock.set(Date.parse('2026-11-20T12:00:00.900Z'));
    const reply = await challengeOf(wallet.toLowerCase(), 8453);
    const { nonce } = reply;
    expect(reply).toEqual({
      wallet,
      scheme: 'eip4361',
      nonce: expect.stringMatching(/^[0-9a-f]{64}$/),
      message: [
        'shop.example wants you to sign in with your Ethereum account:',
        wallet,
        '',
        'Sign in to Tollbridge. This costs nothing and moves no money.',
        '',
        'URI: https://shop.example',
        'Version: 1',
        'Chain ID: 8453',
        `Nonce: ${nonce}`,
        'Issued At: 2026-11-20T12:00:00.000Z',
        'Expiration Time: 2026-11-20T12:05:00.000Z',
      ].join('\n'),
      domain: 'shop.example',
      chainId: 8453,
      issuedAt: '2026-11-20T12:00:00.000Z',
      expiresAt: '2026-11-20T12:05:00.000Z',
    });
    expect(await challengeOf(wallet)).toMatchObject({ chainId: 1 });
  });

  it('200: returns to a Solana wallet a sign-in message, and to a TON wallet the payload of ton_proof', async () => {
    const solana = await challengeOf(solanaWallet);
    expect(solana.message!.split('\n')[0]).toBe(
      'shop.example wants you to sign in with your Solana account:',
    );
    expect(solana.message).toContain('\nChain ID: mainnet\n');
    expect(solana).not.toHaveProperty('chainId');
    const raw = tonContract.address.toRawString();
    for (const spelling of [tonWallet, raw, tonContract.address.toString()]) {
      const ton = await challengeOf(spelling);
      expect(ton).toMatchObject({
        wallet: tonWallet,
        scheme: 'ton_proof',
        payload: ton.nonce,
        domain: 'shop.example',
      });
      expect(ton).not.toHaveProperty('message');
    }
  });

  it('200: stores no challenge, and every unused challenge stays valid', async () => {
    const wallet = Wallet.createRandom();
    const first = await signed(wallet);
    await Promise.all(Array.from({ length: 300 }, () => challengeOf(wallet.address)));
    expect(await merchant.database.query('SELECT nonce FROM spent_nonces')).toEqual([]);
    expect(await reasonOf(first)).toBe('accepted');
  });

  it.each([
    [{}, ['wallet']],
    [{ wallet: '' }, ['wallet']],
    [{ wallet: 'alice.near' }, ['wallet']],
    [{ wallet: '0x70997970c51812dc3A010C7d01b50e0d17dc79C8' }, ['wallet']],
    [{ wallet: '0x70997970\u04211812dc3A010C7d01b50e0d17dc79C8' }, ['wallet']],
    [{ wallet: '0x0000000000000000000000000000000000000004' }, ['wallet']],
    [{ wallet: ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8'] }, ['wallet']],
    [{ wallet: '1'.repeat(200) }, ['wallet']],
    [{ wallet: solanaWallet, chainId: 1 }, ['chainId']],
    [{ wallet: 'x', chainId: 0 }, ['chainId', 'wallet']],
    [{ wallet: solanaWallet, chainId: 2 ** 32 }, ['chainId']],
    [{ wallet: solanaWallet, domain: 'evil.example' }, ['domain']],
  ])('400 VALIDATION_ERROR: rejects %j', async (input, fields) => {
    const error = (await merchant
      .call(createChallenge, input as never)
      .catch((cause: unknown) => cause)) as DomainError;
    expect([error.code, fieldsOf(error.details).sort()]).toEqual(['VALIDATION_ERROR', fields]);
  });
});

describe('POST /api/auth/verify', () => {
  it('200: returns to an EVM wallet a token that authenticates for seven days', async () => {
    const wallet = Wallet.createRandom();
    const { token, sessionId, ...reply } = await signIn(wallet);
    const expiresAt = new Date(clock.now() + 7 * 86_400_000).toISOString();
    expect(reply).toEqual({ wallet: wallet.address, expiresAt });
    expect(readKeyText(token)).toEqual({ mode: 'test', kind: 'session' });
    expect(await authenticateToken(token)).toEqual({ sessionId, wallet: wallet.address });
  });

  it('200: signs in a Solana wallet', async () => {
    const { nonce, message } = await challengeOf(solanaWallet);
    const request = { wallet: solanaWallet, nonce, message: message!, signature: solanaSign(message!) };
    expect(await verify(request)).toMatchObject({ wallet: solanaWallet });
  });

  it('200: signs in a TON wallet for both spellings of its address', async () => {
    for (const spelling of [tonWallet, tonContract.address.toRawString()]) {
      const { nonce } = await challengeOf(spelling);
      expect(await verify({ wallet: spelling, nonce, proof: tonProof(nonce) })).toMatchObject({
        wallet: tonWallet,
      });
    }
  });

  it('200: signs in a contract wallet, deployed or not, without changing the chain', async () => {
    const owner = anvil.wallet(1);
    const deployed = await (await deploySandboxWallet(anvil.wallet(0), owner.address)).getAddress();
    const planned = await sandboxWalletCreation(owner.address);
    const before = await anvil.send('anvil_dumpState');
    for (const address of [deployed, planned.address]) {
      const { nonce, message } = await challengeOf(address, 8453);
      const own = (await owner.signMessage(message!)) as Hex;
      const [factory, data] = [planned.factory as Hex, planned.factoryCall as Hex];
      const signature =
        address === deployed ? own : serializeErc6492Signature({ address: factory, data, signature: own });
      expect(await verify({ wallet: address, nonce, message: message!, signature })).toMatchObject({
        wallet: address,
      });
    }
    expect(await anvil.send('anvil_dumpState')).toEqual(before);
    expect(await anvil.provider.getCode(planned.address)).toBe('0x');
  });

  it('200: accepts only one of fifty concurrent calls with the same nonce', async () => {
    const wallet = Wallet.createRandom();
    const request = await signed(wallet);
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => reasonOf(request)));
    expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'nonce_used')).toHaveLength(49);
    const rows = await merchant.database.query('SELECT id FROM wallet_sessions WHERE wallet = $1', [
      wallet.address,
    ]);
    expect(rows).toHaveLength(1);
  });

  it('200: replays the same token for an idempotency key, and stores the token only in encrypted form', async () => {
    const request = await signed(Wallet.createRandom());
    const idempotencyKey = idempotencyKeyOf('address:192.0.2.1', 'a-key');
    const call = () => merchant.callWith({ ...callContext(), idempotencyKey }, verifyChallenge, request);
    const first = await call();
    expect(await call()).toEqual(first);
    const stored = await merchant.database.query<{ reply: Buffer }>(
      'SELECT reply, is_sealed FROM idempotency_keys WHERE reply IS NOT NULL',
    );
    expect(stored).toHaveLength(1);
    expect(stored[0]).toMatchObject({ is_sealed: true });
    expect(stored[0]!.reply.toString('latin1')).not.toContain(first.token.slice(11));
  });

  it('200: revokes the oldest session of a wallet that has a hundred sessions', async () => {
    const wallet = Wallet.createRandom();
    const oldest = await signIn(wallet);
    for (let made = 1; made < 100; made++) {
      clock.advance(1_000);
      await signIn(wallet);
    }
    const principal = walletPrincipal(wallet.address);
    expect((await merchant.call(listSessions, {}, principal)).sessions).toHaveLength(100);
    expect(await authenticateToken(oldest.token)).toMatchObject({ sessionId: oldest.sessionId });
    clock.advance(1_000);
    await Promise.all(Array.from({ length: 8 }, () => signIn(wallet)));
    const [row] = await merchant.database.query<{ count: string }>(
      'SELECT count(*) FROM wallet_sessions WHERE wallet = $1 AND revoked_at IS NULL',
      [wallet.address],
    );
    expect(row!.count).toBe('100');
    expect(await authenticateToken(oldest.token)).toBe('session_revoked');
  });

  it.each([
    ['a request without fields', {}, ['wallet', 'nonce']],
    [
      'an EVM wallet without a signature',
      { wallet: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', nonce: '0'.repeat(64) },
      ['message', 'signature'],
    ],
    [
      'a Solana wallet with a TON proof',
      { wallet: solanaWallet, nonce: '0'.repeat(64), proof: tonProof('x') },
      ['message', 'signature', 'proof'],
    ],
    [
      'a TON wallet with a signed message',
      { wallet: tonWallet, nonce: '0'.repeat(64), message: 'x', signature: '0x' },
      ['message', 'signature', 'proof'],
    ],
    [
      'a signature with an odd number of digits',
      {
        wallet: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
        nonce: '0'.repeat(64),
        message: 'x',
        signature: '0x123',
      },
      ['signature'],
    ],
    [
      'a signature that is too long',
      {
        wallet: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
        nonce: '0'.repeat(64),
        message: 'x',
        signature: `0x${'0'.repeat(16_386)}`,
      },
      ['signature'],
    ],
    [
      'a signature that is not base58',
      { wallet: solanaWallet, nonce: '0'.repeat(64), message: 'x', signature: '0'.repeat(64) },
      ['signature'],
    ],
    [
      'a nonce and a message with control characters',
      { wallet: solanaWallet, nonce: 'x', message: 'a\u0000b\r', signature: solanaSign('x') },
      ['nonce', 'message'],
    ],
    [
      'a proof with invalid parts',
      {
        wallet: tonWallet,
        nonce: '0'.repeat(64),
        proof: { ...tonProof('x'), timestamp: -1, signature: 'x', domain: {} },
      },
      ['proof.timestamp', 'proof.domain.lengthBytes', 'proof.domain.value', 'proof.signature'],
    ],
    [
      'an unknown field',
      { wallet: tonWallet, nonce: '0'.repeat(64), proof: tonProof('x'), network: '-3' },
      ['network'],
    ],
  ])('400 VALIDATION_ERROR: rejects %s', async (_title, input, fields) => {
    const error = (await merchant
      .call(verifyChallenge, input as never)
      .catch((cause: unknown) => cause)) as DomainError;
    expect([error.code, fieldsOf(error.details).sort()]).toEqual(['VALIDATION_ERROR', [...fields].sort()]);
  });

  describe('401 UNAUTHORIZED: K41', () => {
    const wallet = Wallet.createRandom();
    const other = Wallet.createRandom();

    it('401 UNAUTHORIZED: rejects a replayed message', async () => {
      const request = await signed(wallet);
      expect(await reasonOf(request)).toBe('accepted');
      expect(await reasonOf(request)).toBe('nonce_used');
      const compact = Signature.from(request.signature!).compactSerialized;
      expect(await reasonOf({ ...request, signature: compact })).toBe('nonce_used');
    });

    it('401 UNAUTHORIZED: rejects a message after a change of its domain, URI, chain, wallet, nonce or any other part', async () => {
      const { nonce, message } = await challengeOf(wallet.address);
      for (const [reason, part, changed] of [
        ['wrong_domain', 'shop.example wants', 'evil.example wants'],
        ['wrong_domain', 'shop.example wants', 'sh\u043ep.example wants'],
        ['wrong_wallet', wallet.address, other.address],
        ['wrong_wallet', wallet.address, wallet.address.toLowerCase()],
        ['wrong_uri', 'URI: https:', 'URI: http:'],
        ['wrong_chain', 'Chain ID: 1', 'Chain ID: 10'],
        ['wrong_nonce', nonce, nonce.replace(/.$/, 'x')],
        ['message_changed', 'Issued At: 2026', 'Issued At: 2025'],
        ['message_changed', 'no money', 'no  money'],
        ['message_changed', 'Version: 1', 'Version: 1\nNot Before: 2026-01-01T00:00:00Z'],
      ] as const) {
        const text = message!.replaceAll(part, changed);
        const request = {
          wallet: wallet.address,
          nonce,
          message: text,
          signature: await wallet.signMessage(text),
        };
        expect(text).not.toBe(message);
        expect([text, await reasonOf(request)]).toEqual([text, reason]);
      }
    });

    it('401 UNAUTHORIZED: rejects a challenge that has expired or is not yet valid', async () => {
      const request = await signed(wallet);
      const startMs = clock.now();
      clock.set(startMs - 120_000);
      expect(await reasonOf(request)).toBe('challenge_not_yet_valid');
      clock.set(Math.floor(startMs / 1000) * 1000 + 300_000);
      expect(await reasonOf(request)).toBe('challenge_expired');
      clock.advance(-1);
      expect(await reasonOf(request)).toBe('accepted');
    });

    it('401 UNAUTHORIZED: rejects a nonce of another wallet and an invented nonce', async () => {
      const request = await signed(wallet);
      const others = await challengeOf(other.address);
      expect(await reasonOf({ ...request, nonce: others.nonce })).toBe('nonce_unknown');
      expect(await reasonOf({ ...request, nonce: '0'.repeat(64) })).toBe('nonce_unknown');
      expect(await reasonOf({ ...request, wallet: other.address })).toBe('nonce_unknown');
    });

    it('401 UNAUTHORIZED: rejects the signature of another wallet, for each kind of wallet', async () => {
      const request = await signed(wallet, 8453);
      const signature = await other.signMessage(request.message!);
      expect(await reasonOf({ ...request, signature })).toBe('wrong_signature');
      const unasked = await signed(wallet);
      expect(await reasonOf({ ...unasked, signature })).toBe('chain_without_node');
      const { nonce, message } = await challengeOf(solanaWallet);
      const by = solanaSign(message!, nacl.sign.keyPair.fromSeed(new Uint8Array(32).fill(8)));
      expect(await reasonOf({ wallet: solanaWallet, nonce, message: message!, signature: by })).toBe(
        'wrong_signature',
      );
    });

    it('401 UNAUTHORIZED: rejects a verification by a contract wallet that has side effects, also through ERC-6492', async () => {
      const owner = anvil.wallet(1);
      const deployed = await deploySandboxWallet(anvil.wallet(0), owner.address, 'writes');
      const planned = await sandboxWalletCreation(owner.address, 'writes');
      const touch = deployed.interface.encodeFunctionData('touch');
      const before = await anvil.send('anvil_dumpState');
      for (const [address, factory, data] of [
        [await deployed.getAddress(), undefined, undefined],
        [await deployed.getAddress(), await deployed.getAddress(), touch],
        [planned.address, planned.factory, planned.factoryCall],
        [planned.address, await deployed.getAddress(), touch],
      ] as const) {
        const { nonce, message } = await challengeOf(address, 8453);
        const own = (await owner.signMessage(message!)) as Hex;
        const wrapped = factory && { address: factory as Hex, data: data as Hex, signature: own };
        const signature = wrapped ? serializeErc6492Signature(wrapped) : own;
        expect(await reasonOf({ wallet: address, nonce, message: message!, signature })).toBe(
          'wrong_signature',
        );
      }
      expect(await anvil.send('anvil_dumpState')).toEqual(before);
    });

    it('401 UNAUTHORIZED: rejects a contract wallet on a chain that differs from the chain of its first sign-in', async () => {
      const owner = anvil.wallet(1);
      const address = await (await deploySandboxWallet(anvil.wallet(0), owner.address)).getAddress();
      const request = async () => {
        const { nonce, message } = await challengeOf(address, 8453);
        return { wallet: address, nonce, message: message!, signature: await owner.signMessage(message!) };
      };
      expect(await reasonOf(await request())).toBe('accepted');
      await merchant.database.query('UPDATE contract_wallets SET chain_id = 10 WHERE wallet = $1', [address]);
      const moved = await request();
      expect(await reasonOf(moved)).toBe('other_chain');
      await merchant.database.query('UPDATE contract_wallets SET chain_id = 8453 WHERE wallet = $1', [
        address,
      ]);
      // The rejected call did not use up the nonce.
      expect(await reasonOf(moved)).toBe('accepted');
    });

    it('401 UNAUTHORIZED: rejects a TON proof for another address, domain, nonce or time', async () => {
      const stranger = WalletContractV4.create({ workchain: 0, publicKey: Buffer.from(solanaKey.publicKey) });
      const strangers = stranger.address.toString({ bounceable: false });
      const { nonce } = await challengeOf(tonWallet);
      const { nonce: nonceOfStranger } = await challengeOf(strangers);
      const late = Math.floor(clock.now() / 1000) - 302;
      for (const [reason, proof] of [
        ['wrong_domain', tonProof(nonce, { domain: 'evil.example' })],
        ['wrong_nonce', tonProof(nonceOfStranger)],
        ['wrong_time', tonProof(nonce, { timestamp: late })],
        ['wrong_signature', { ...tonProof(nonce), timestamp: Math.floor(clock.now() / 1000) - 5 }],
        ['wrong_state_init', { ...tonProof(nonce), stateInit: 'te6cckEBAQEAAgAAAEysuc0=' }],
      ] as const)
        expect([reason, await reasonOf({ wallet: tonWallet, nonce, proof })]).toEqual([reason, reason]);
      expect(
        await reasonOf({ wallet: strangers, nonce: nonceOfStranger, proof: tonProof(nonceOfStranger) }),
      ).toBe('wrong_state_init');
      const odd = { code: beginCell().storeUint(7, 32).endCell(), data: tonContract.init.data };
      const cell = beginCell().store(storeStateInit(odd)).endCell();
      const account = `0:${cell.hash().toString('hex')}`;
      const unknown = await challengeOf(account);
      const proof = { ...tonProof(unknown.nonce), stateInit: cell.toBoc().toString('base64') };
      expect(await reasonOf({ wallet: account, nonce: unknown.nonce, proof })).toBe(
        'unknown_wallet_contract',
      );
    });

    it('401 UNAUTHORIZED: counts rejections for unknown nonces of all wallets in one row', async () => {
      const counted = async () => {
        const rows = await merchant.database.query<{ count: number }>(
          "SELECT count FROM sign_in_records WHERE wallet = '' AND reason = 'nonce_unknown'",
        );
        return rows.map(({ count }) => count);
      };
      const [before = 0] = await counted();
      const strangers = await Promise.all(Array.from({ length: 5 }, () => signed(Wallet.createRandom())));
      await Promise.all(strangers.map((request) => reasonOf({ ...request, nonce: '0'.repeat(64) })));
      expect(await counted()).toEqual([before + 5]);
    });

    it('401 UNAUTHORIZED: counts identical rejections in one row, and stores no signed content', async () => {
      const subject = Wallet.createRandom();
      const request = await signed(subject);
      const bad = { ...request, message: request.message!.replace('shop', 'evil') };
      const { token } = await verify(request);
      await Promise.all(Array.from({ length: 20 }, () => reasonOf(bad)));
      await reasonOf({ ...request, nonce: '0'.repeat(64) });
      const records = await merchant.database.query(
        'SELECT scheme, outcome, reason, caller, count FROM sign_in_records WHERE wallet = $1 ORDER BY reason',
        [subject.address],
      );
      const alike = { scheme: 'eip4361', caller };
      expect(records).toEqual([
        { ...alike, outcome: 'signed_in', reason: '', count: 1 },
        { ...alike, outcome: 'refused', reason: 'nonce_unknown', count: 1 },
        { ...alike, outcome: 'refused', reason: 'wrong_domain', count: 20 },
      ]);
      for (const table of [
        'sign_in_records',
        'wallet_sessions',
        'spent_nonces',
        'contract_wallets',
        'outbox',
      ]) {
        const [row] = await merchant.database.query<{ text: string }>(
          `SELECT coalesce(string_agg(t::text, ' '), '') AS text FROM ${table} t`,
        );
        for (const secret of [
          token,
          token.slice(11),
          digestOfKey(token),
          request.signature!.slice(2),
          'wants you to',
        ])
          expect(row!.text).not.toContain(secret);
      }
    });
  });

  it('502 UPSTREAM_UNAVAILABLE: records no rejection when the chain does not answer, and the nonce stays valid', async () => {
    const owner = anvil.wallet(1);
    const address = await (await deploySandboxWallet(anvil.wallet(0), owner.address)).getAddress();
    const { nonce, message } = await challengeOf(address, 10);
    const signature = await owner.signMessage(message!);
    const request = { wallet: address, nonce, message: message!, signature };
    expect(await reasonOf(request)).toBe('UPSTREAM_UNAVAILABLE');
    const rows = await merchant.database.query('SELECT id FROM sign_in_records WHERE wallet = $1', [address]);
    expect(rows).toEqual([]);
    // The verification of an externally owned account needs no node.
    expect(await reasonOf(await signed(Wallet.createRandom(), 10))).toBe('accepted');
  });
});

describe('GET /api/auth/sessions', () => {
  it('200: returns the sessions of the wallet without tokens, newest first', async () => {
    const wallet = Wallet.createRandom();
    const first = await signIn(wallet);
    clock.advance(1_000);
    const second = await signIn(wallet);
    await signIn();
    const { sessions } = await merchant.call(listSessions, {}, walletPrincipal(wallet.address));
    expect(sessions.map(({ id }) => id)).toEqual([second.sessionId, first.sessionId]);
    expect(sessions[0]).toEqual({
      id: second.sessionId,
      scheme: 'eip4361',
      chainId: 1,
      createdAt: new Date(clock.now()).toISOString(),
      expiresAt: second.expiresAt,
    });
    clock.set(Date.parse(first.expiresAt));
    const left = await merchant.call(listSessions, {}, walletPrincipal(wallet.address));
    expect(left.sessions.map(({ id }) => id)).toEqual([second.sessionId]);
    expect(await authenticateToken(first.token)).toBe('session_expired');
  });

  it('400 VALIDATION_ERROR: rejects an unknown field', async () => {
    const asked = merchant.call(listSessions, { limit: 1 } as never, walletPrincipal(tonWallet));
    await expect(asked).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});

describe('DELETE /api/auth/sessions/{id}', () => {
  it('200: revokes the session, and publishes one event without any secret', async () => {
    const events = await merchant.recordEvents();
    try {
      const wallet = Wallet.createRandom();
      const [open, { sessionId: id, token }] = [await signIn(wallet), await signIn(wallet)];
      const principal = walletPrincipal(wallet.address);
      const calls = Array.from({ length: 10 }, () =>
        merchant.call(revokeSession, { id }, principal).catch((error: DomainError) => error.code),
      );
      const outcomes = await Promise.all(calls);
      expect(outcomes.filter((outcome) => outcome !== 'NOT_FOUND')).toEqual([{ ok: true }]);
      expect(await authenticateToken(token)).toBe('session_revoked');
      expect(await authenticateToken(open.token)).toMatchObject({ sessionId: open.sessionId });
      await eventually(() => expect(events.of(id)).toHaveLength(1));
      const [{ subject, envelope }] = events.of(id) as [ReturnType<typeof events.of>[0]];
      expect(subject).toBe(sessionEvents['session-revoked'].subject);
      expect(decode(SessionRevoked, envelope.data)).toMatchObject({ ok: true });
      expect(envelope.data).toMatchObject({ id, wallet: wallet.address });
      expect(JSON.stringify(envelope)).not.toContain(token.slice(11));
    } finally {
      await events.stop();
    }
  });

  it('404 NOT_FOUND: returns the same error for a missing session, a revoked session and a session of another wallet', async () => {
    const wallet = Wallet.createRandom();
    const principal = walletPrincipal(wallet.address);
    const [own, others] = [await signIn(wallet), await signIn()];
    await merchant.call(revokeSession, { id: own.sessionId }, principal);
    const answers = [];
    for (const id of [own.sessionId, others.sessionId, '01a1faec-0000-7000-8000-000000000000'])
      answers.push(
        await merchant.call(revokeSession, { id }, principal).catch((error: DomainError) => error),
      );
    for (const error of answers as DomainError[])
      expect([error.code, error.message, error.details]).toEqual([
        'NOT_FOUND',
        'The session does not exist. Read GET /api/auth/sessions for its id.',
        undefined,
      ]);
    expect(await authenticateToken(others.token)).toMatchObject({ sessionId: others.sessionId });
  });

  it('400 VALIDATION_ERROR: rejects an invalid id', async () => {
    const asked = merchant.call(revokeSession, { id: 'all' }, walletPrincipal(tonWallet));
    await expect(asked).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});

describe('DELETE /api/auth/sessions', () => {
  it('200: revokes all sessions of this wallet only, and publishes one event for each', async () => {
    const events = await merchant.recordEvents();
    try {
      const wallet = Wallet.createRandom();
      const own = [await signIn(wallet), await signIn(wallet), await signIn(wallet)];
      const others = await signIn();
      const principal = walletPrincipal(wallet.address);
      for (let times = 0; times < 2; times++)
        expect(await merchant.call(revokeSessions, {}, principal)).toEqual({ ok: true });
      for (const { token } of own) expect(await authenticateToken(token)).toBe('session_revoked');
      expect(await authenticateToken(others.token)).toMatchObject({ sessionId: others.sessionId });
      for (const { sessionId } of own) await eventually(() => expect(events.of(sessionId)).toHaveLength(1));
      expect((await merchant.call(listSessions, {}, principal)).sessions).toEqual([]);
    } finally {
      await events.stop();
    }
  });

  it('400 VALIDATION_ERROR: rejects an unknown field', async () => {
    const asked = merchant.call(revokeSessions, { all: true } as never, walletPrincipal(tonWallet));
    await expect(asked).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});

describe('sign-in data', () => {
  it('expires at the end of its retention period, and not before', async () => {
    const wallet = Wallet.createRandom();
    const { token } = await signIn(wallet);
    await reasonOf({ ...(await signed(wallet)), nonce: '0'.repeat(64) });
    const startMs = clock.now();
    const repository = merchant.apps[0]!.context.get(AuthRepository, { strict: false });
    const left = async () => {
      const counts = ['spent_nonces', 'wallet_sessions', 'sign_in_records'].map(async (table) => {
        const [row] = await merchant.database.query<{ count: string }>(`SELECT count(*) FROM ${table}`);
        return Number(row!.count);
      });
      return Promise.all(counts);
    };
    const sweptAfter = async (days: number) => {
      while (await repository.sweep(startMs + days * 86_400_000, 7));
      return (await left()).map((count) => count > 0);
    };
    expect(await sweptAfter(0)).toEqual([true, true, true]);
    expect(await sweptAfter(1)).toEqual([false, true, true]);
    expect(await sweptAfter(36.9)).toEqual([false, true, true]);
    expect(await sweptAfter(37.1)).toEqual([false, false, true]);
    expect(await authenticateToken(token)).toBe('session_unknown');
    expect(await sweptAfter(91)).toEqual([false, false, false]);
  });

  it('retains the chain of a contract wallet for as long as the wallet has an API key or a PayLink', async () => {
    const [withKey, withLink, idle] = [1, 2, 3].map(() => Wallet.createRandom().address) as [
      string,
      string,
      string,
    ];
    const { database } = merchant;
    for (const wallet of [withKey, withLink, idle])
      await database.query('INSERT INTO contract_wallets VALUES ($1, 8453, $2)', [
        wallet,
        new Date(clock.now()),
      ]);
    const key = { label: 'shop', permissions: ['read' as const] };
    await merchant.call(apiKeysApi.operations.createKey, key, walletPrincipal(withKey));
    await database.query(
      `INSERT INTO paylinks (id, wallet, name, description, amount, chain, token, decimals, receive_address, created_at, updated_at)
       VALUES (gen_random_uuid(), $1, 'Espresso', '', 1, 'eip155:10', 'ETH', 18, $1, now(), now())`,
      [withLink],
    );
    const repository = merchant.apps[0]!.context.get(AuthRepository, { strict: false });
    while (await repository.sweep(clock.now() + 366 * 86_400_000, 7));
    const rows = await database.query<{ wallet: string }>(
      'SELECT wallet FROM contract_wallets WHERE wallet = ANY($1)',
      [[withKey, withLink, idle]],
    );
    expect(rows.map(({ wallet }) => wallet).sort()).toEqual([withKey, withLink].sort());
  });

  it('does not verify in an app with another domain or another pepper', async () => {
    const wallet = Wallet.createRandom();
    const request = await signed(wallet);
    const { token } = await signIn(wallet);
    const [first] = merchant.apps.splice(0);
    await first!.close();
    for (const changes of [
      { MERCHANT_KEY_PEPPER: 'another-pepper-of-the-tests-0123456789' },
      { MERCHANT_SIGN_IN_URL: 'https://other.example' },
    ]) {
      const app = await merchant.startApp({ ...settings, ...changes });
      expect(await reasonOf(request)).toBe('nonce_unknown');
      const known = 'MERCHANT_SIGN_IN_URL' in changes;
      expect(await authenticateToken(token)).toEqual(known ? expect.anything() : 'session_unknown');
      await app.close();
      merchant.apps.splice(0);
    }
    await merchant.startApp(settings);
    expect(await reasonOf(request)).toBe('accepted');
  });
});

describe('the examples of docs/sign-in.md', () => {
  const page = readFileSync(join(__dirname, '../../../../docs/sign-in.md'), 'utf8');
  const blocks = (language: string) =>
    [...page.matchAll(new RegExp(`\\x60{3}${language}\\n([^]*?)\\n\\x60{3}`, 'g'))].map((match) => match[1]!);
  const requests = blocks('json').map((text) => JSON.parse(text) as VerifyRequest);

  it('include every scheme and quote the signed message', () => {
    const schemes = requests.map(({ wallet }) => readWallet(wallet, 'sandbox')!.scheme);
    expect(schemes).toEqual(['eip4361', 'solana', 'ton_proof']);
    const texts = blocks('text');
    for (const { message } of requests) if (message !== undefined) expect(texts).toContain(message);
    for (const reason of ['MERCHANT_SIGN_IN_URL', 'MERCHANT_SESSION_DAYS', 'CHAINS_FILE'])
      expect(page).toContain(reason);
  });

  it('each sign in successfully', async () => {
    const [first] = merchant.apps.splice(0);
    await first!.close();
    const pepper = { MERCHANT_KEY_PEPPER: 'an-example-pepper-for-the-docs-0123456789' };
    // Set the clock before the start: a sweep that uses a later clock would delete the sessions.
    clock.set(Date.parse('2026-11-20T12:00:30Z'));
    await merchant.startApp({ ...settings, ...pepper });
    for (const request of requests) {
      expect(await reasonOf(request)).toBe('accepted');
      expect(await reasonOf(request)).toBe('nonce_used');
    }
  });
});
