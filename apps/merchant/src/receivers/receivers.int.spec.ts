import { base58 } from '@scure/base';
import { authApi, receiversApi, type Receiver, type ReceiverChallengeReply } from '@tollbridge/contracts';
import { callContext, walletPrincipal, type DomainError, type FieldError } from '@tollbridge/rpc';
import { deploySandboxWallet } from '@tollbridge/onchain';
import { closedUrl, ManualClock, missingCases, startAnvil, type Anvil } from '@tollbridge/testing';
import { Wallet, type HDNodeWallet } from 'ethers';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import nacl from 'tweetnacl';
import { Merchant } from '../testing/merchant';
import { tonAddress, tonContract, tonProof } from '../testing/ton-wallet';

const { createReceiverChallenge, verifyReceiver, listReceivers, deleteReceiver } = receiversApi.operations;
const folder = mkdtempSync(join(tmpdir(), 'tollbridge-receivers-'));
const clock = new ManualClock();
let anvil: Anvil;
let merchant: Merchant;

beforeAll(async () => {
  anvil = await startAnvil({ chainId: 8453 });
  const chains = [
    { chain: 'eip155:8453', rpcUrls: [anvil.url] },
    { chain: 'eip155:10', rpcUrls: [await closedUrl()] },
  ];
  writeFileSync(join(folder, 'chains.json'), JSON.stringify({ chains }));
  const settings = {
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

type Key = Wallet | HDNodeWallet;
const newKey = (): Key => Wallet.createRandom();
const newWallet = (): string => newKey().address;

const challenge = (wallet: string, address: string, chainId?: number): Promise<ReceiverChallengeReply> =>
  merchant.call(
    createReceiverChallenge,
    { address, ...(chainId !== undefined && { chainId }) },
    walletPrincipal(wallet),
  );
const verify = (wallet: string, request: object): Promise<Receiver> =>
  merchant.call(verifyReceiver, request as never, walletPrincipal(wallet));
const list = (wallet: string): Promise<Receiver[]> =>
  merchant.call(listReceivers, {}, walletPrincipal(wallet));

/** Requests a challenge for this wallet, and signs it with the key of the address. */
async function signed(wallet: string, key: Key, chainId?: number) {
  const { nonce, message } = await challenge(wallet, key.address, chainId);
  return { address: key.address, nonce, message: message!, signature: await key.signMessage(message!) };
}
const prove = async (wallet: string, key: Key) => verify(wallet, await signed(wallet, key));

const failureOf = (calling: Promise<unknown>): Promise<DomainError> =>
  calling.then(
    (answer) => Promise.reject(new Error(`answered ${JSON.stringify(answer)}`)),
    (error: DomainError) => error,
  );
const reasonOf = async (calling: Promise<unknown>): Promise<unknown> => {
  const { code, details } = await failureOf(calling);
  expect(code).toBe('INVALID_SIGNATURE');
  return (details as { reason: string }).reason;
};
const fieldsOf = async (calling: Promise<unknown>): Promise<string[]> => {
  const { code, details } = await failureOf(calling);
  expect(code).toBe('VALIDATION_ERROR');
  return (details as FieldError[]).map(({ field }) => field).sort();
};

const solanaKey = nacl.sign.keyPair.fromSeed(new Uint8Array(32).fill(7));
const solanaAddress = base58.encode(solanaKey.publicKey);

it('covers each declared error', () => {
  expect(missingCases(Object.values(receiversApi.operations), readFileSync(__filename, 'utf8'))).toEqual([]);
});

describe('POST /api/receivers/challenge', () => {
  it('200: returns a message that contains the address, the merchant and the purpose', async () => {
    clock.set(Date.parse('2026-11-20T12:00:00.900Z'));
    const [wallet, address] = [newWallet(), newWallet()];
    const reply = await challenge(wallet, address.toLowerCase(), 8453);
    expect(reply).toMatchObject({
      address,
      wallet,
      scheme: 'eip4361',
      chainId: 8453,
      domain: 'shop.example',
    });
    expect(reply.message!.split('\n')).toEqual([
      'shop.example wants you to sign in with your Ethereum account:',
      address,
      '',
      `Prove that this address receives payments of the Tollbridge merchant ${wallet}. This costs nothing and moves no money.`,
      '',
      'URI: https://shop.example',
      'Version: 1',
      'Chain ID: 8453',
      `Nonce: ${reply.nonce}`,
      'Issued At: 2026-11-20T12:00:00.000Z',
      'Expiration Time: 2026-11-20T12:05:00.000Z',
    ]);
  });

  it('200: returns the payload of ton_proof for TON, and a message for Solana', async () => {
    const wallet = newWallet();
    const ton = await challenge(wallet, tonContract.address.toRawString());
    expect(ton).toMatchObject({ address: tonAddress, scheme: 'ton_proof', payload: ton.nonce });
    expect(await challenge(wallet, solanaAddress)).toMatchObject({
      address: solanaAddress,
      scheme: 'solana',
      message: expect.stringContaining(wallet),
    });
  });

  it.each([
    [{}, ['address']],
    [{ address: 'alice.near' }, ['address']],
    [{ address: '0x0000000000000000000000000000000000000000' }, ['address']],
    [{ address: solanaAddress, chainId: 1 }, ['chainId']],
    [{ address: 'x', wallet: 'y' }, ['address', 'wallet']],
  ])('400 VALIDATION_ERROR: rejects %j', async (input, fields) => {
    const calling = merchant.call(createReceiverChallenge, input as never, walletPrincipal(newWallet()));
    expect(await fieldsOf(calling)).toEqual(fields);
  });
});

describe('POST /api/receivers/verify', () => {
  it('200: stores an EVM address for all EVM chains, for this wallet only', async () => {
    const [wallet, other, key] = [newWallet(), newWallet(), newKey()];
    const verifiedAt = new Date(clock.now()).toISOString();
    const receiver = { address: key.address, scheme: 'eip4361', chainId: null, verifiedAt };
    expect(await prove(wallet, key)).toEqual(receiver);
    expect(await list(wallet)).toEqual([receiver]);
    expect(await list(other)).toEqual([]);
    await prove(other, key);
    expect(await list(other)).toEqual([receiver]);
    await prove(wallet, key);
    expect(await list(wallet)).toHaveLength(1);
  });

  it('200: stores a Solana and a TON address', async () => {
    const wallet = newWallet();
    const solana = await challenge(wallet, solanaAddress);
    const signature = base58.encode(nacl.sign.detached(Buffer.from(solana.message!), solanaKey.secretKey));
    const ofSolana = { address: solanaAddress, nonce: solana.nonce, message: solana.message, signature };
    expect(await verify(wallet, ofSolana)).toMatchObject({ address: solanaAddress, chainId: null });
    const { nonce } = await challenge(wallet, tonAddress);
    const ofTon = {
      address: tonContract.address.toRawString(),
      nonce,
      proof: tonProof(nonce, Math.floor(clock.now() / 1000)),
    };
    expect(await verify(wallet, ofTon)).toMatchObject({ address: tonAddress, scheme: 'ton_proof' });
  });

  it('200: stores a contract for the chain where it signed', async () => {
    const [wallet, owner] = [newWallet(), anvil.wallet(1)];
    const address = await (await deploySandboxWallet(anvil.wallet(0), owner.address)).getAddress();
    const { nonce, message } = await challenge(wallet, address, 8453);
    const request = { address, nonce, message, signature: await owner.signMessage(message!) };
    expect(await verify(wallet, request)).toMatchObject({ address, chainId: 8453 });
  });

  it('200: accepts only one of twenty concurrent calls with the same nonce', async () => {
    const [wallet, key] = [newWallet(), newKey()];
    const request = await signed(wallet, key);
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => verify(wallet, request)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await reasonOf(verify(wallet, request))).toBe('nonce_used');
  });

  it('400 INVALID_SIGNATURE: rejects a signature for another merchant, of another key, for a sign-in, or after the expiry', async () => {
    const [wallet, other, key] = [newWallet(), newWallet(), newKey()];
    const request = await signed(wallet, key, 8453);
    expect(await reasonOf(verify(other, request))).toBe('nonce_unknown');
    const { nonce } = await challenge(other, key.address, 8453);
    expect(await reasonOf(verify(other, { ...request, nonce }))).toBe('message_changed');
    const foreign = await newKey().signMessage(request.message);
    expect(await reasonOf(verify(wallet, { ...request, signature: foreign }))).toBe('wrong_signature');

    const signIn = await merchant.call(authApi.operations.createChallenge, { wallet: key.address });
    const signature = await key.signMessage(signIn.message!);
    const ofSignIn = { address: key.address, nonce: signIn.nonce, message: signIn.message, signature };
    expect(await reasonOf(verify(wallet, ofSignIn))).toBe('nonce_unknown');
    const proofAsSignIn = { wallet: key.address, ...request, address: undefined };
    const { code, details } = await failureOf(
      merchant.call(authApi.operations.verifyChallenge, proofAsSignIn as never),
    );
    expect([code, details]).toEqual(['UNAUTHORIZED', { reason: 'nonce_unknown' }]);

    clock.set(clock.now() + 5 * 60_000);
    expect(await reasonOf(verify(wallet, request))).toBe('challenge_expired');
    expect(await list(wallet)).toEqual([]);
  });

  it('502 UPSTREAM_UNAVAILABLE: keeps the nonce valid when the chain of a contract does not answer', async () => {
    const [wallet, owner] = [newWallet(), anvil.wallet(1)];
    const address = await (await deploySandboxWallet(anvil.wallet(0), owner.address)).getAddress();
    const { nonce, message } = await challenge(wallet, address, 10);
    const request = { address, nonce, message, signature: await owner.signMessage(message!) };
    // The call must return within the time-out of the operation.
    const call = merchant.callWith(
      callContext({ principal: walletPrincipal(wallet) }),
      verifyReceiver,
      request as never,
    );
    expect(await failureOf(call)).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
  });

  it('409 CONFLICT: rejects the 101st address, also when addresses are proven concurrently', async () => {
    const wallet = newWallet();
    await merchant.database.query(
      `INSERT INTO proven_receivers SELECT $1, 'a' || n, 'eip4361', 0, now() FROM generate_series(1, 98) n`,
      [wallet],
    );
    const requests = await Promise.all(Array.from({ length: 5 }, () => signed(wallet, newKey())));
    const outcomes = await Promise.allSettled(requests.map((request) => verify(wallet, request)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    const rejected = outcomes.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
    expect(rejected.reason).toMatchObject({ code: 'CONFLICT' });
    expect(await list(wallet)).toHaveLength(100);
  });

  it('400 VALIDATION_ERROR: rejects a missing proof and a proof of another scheme', async () => {
    const wallet = newWallet();
    const { address, nonce } = await signed(wallet, newKey());
    expect(await fieldsOf(verify(wallet, { address, nonce }))).toEqual(['message', 'signature']);
    const ton = { address: tonAddress, nonce, message: 'x', signature: '0x' };
    expect(await fieldsOf(verify(wallet, ton))).toEqual(['message', 'proof', 'signature']);
  });
});

describe('GET /api/receivers', () => {
  it('200: returns the proven addresses, newest first', async () => {
    const wallet = newWallet();
    expect(await list(wallet)).toEqual([]);
    const keys = [newKey(), newKey()];
    for (const key of keys) {
      await prove(wallet, key);
      clock.set(clock.now() + 1_000);
    }
    expect((await list(wallet)).map(({ address }) => address)).toEqual(
      keys.map(({ address }) => address).reverse(),
    );
  });

  it('400 VALIDATION_ERROR: rejects an unknown field', async () => {
    const calling = merchant.call(listReceivers, { wallet: 'x' } as never, walletPrincipal(newWallet()));
    expect(await fieldsOf(calling)).toEqual(['wallet']);
  });
});

describe('DELETE /api/receivers/{address}', () => {
  const remove = (wallet: string, address: string) =>
    merchant.call(deleteReceiver, { address }, walletPrincipal(wallet));

  it('200: deletes the proof of this wallet, for any spelling of the address', async () => {
    const [wallet, other, key] = [newWallet(), newWallet(), newKey()];
    await prove(wallet, key);
    await prove(other, key);
    expect(await remove(wallet, key.address.toLowerCase())).toEqual({ ok: true });
    expect(await list(wallet)).toEqual([]);
    expect(await list(other)).toHaveLength(1);
  });

  it('404 NOT_FOUND: rejects a proof of another wallet and a missing proof', async () => {
    const [wallet, key] = [newWallet(), newKey()];
    await prove(wallet, key);
    for (const address of [key.address, newWallet(), 'x'])
      expect(await failureOf(remove(newWallet(), address))).toMatchObject({ code: 'NOT_FOUND' });
    expect(await list(wallet)).toHaveLength(1);
  });

  it('400 VALIDATION_ERROR: rejects an unknown field', async () => {
    const given = { address: newWallet(), wallet: 'x' } as never;
    expect(await fieldsOf(merchant.call(deleteReceiver, given, walletPrincipal(newWallet())))).toEqual([
      'wallet',
    ]);
  });
});
