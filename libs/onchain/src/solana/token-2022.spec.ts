import { concatBytes } from '@noble/hashes/utils';
import { payInstruction } from './instructions';
import { addressToBytes, token2022Program } from './keys';
import { u64ToBytes } from './order';
import { tokenAccountAddress } from './program-address';
import { addressOf, keyOf, programAddress } from './testing/local-cluster';
import {
  extension,
  feeReceiver,
  merchantAddress,
  payerAddress,
  PaymentCluster,
  tokenOrder,
  heldTokens,
} from './testing/payments';

const mintAddress = addressOf('mint of Token-2022');
const order = tokenOrder({ token_in_address: mintAddress });
const tokenProgram = token2022Program;

/** A cluster with a mint of Token-2022 with these extensions, and with a token account of each party. */
function clusterWith(...extensions: readonly Uint8Array[]): PaymentCluster {
  const cluster = PaymentCluster.create();
  cluster.createMint(mintAddress, tokenProgram, concatBytes(...extensions));
  for (const owner of [payerAddress, merchantAddress, feeReceiver])
    cluster.createTokenAccount(owner, mintAddress, tokenProgram);
  cluster.setTokens(payerAddress, heldTokens, mintAddress, tokenProgram);
  return cluster;
}
const pay = (cluster: PaymentCluster) => cluster.pay(order, { tokenProgram });
const balances = (cluster: PaymentCluster) =>
  [payerAddress, merchantAddress, feeReceiver].map((it) => cluster.tokens(it, mintAddress, tokenProgram));
const unmoved = [heldTokens, 0n, 0n];
const paid = [heldTokens - 100_000_000n, 97_000_000n, 3_000_000n];

/**
 * The transfer fee extension: authorities, withheld amount, then the older and the newer fee with epoch, maximum and
 * basis points.
 */
function transferFee(older: [bigint, number], newer: [bigint, number], newerEpoch = 0n): Uint8Array {
  const fee = (epoch: bigint, [maximum, basisPoints]: [bigint, number]) =>
    concatBytes(u64ToBytes(epoch), u64ToBytes(maximum), u64ToBytes(BigInt(basisPoints)).slice(0, 2));
  return extension(1, concatBytes(new Uint8Array(72), fee(0n, older), fee(newerEpoch, newer)));
}
const transferHook = (program: string) =>
  extension(14, concatBytes(new Uint8Array(32), addressToBytes(program)));
const noHook = extension(14, new Uint8Array(64));
const metadataPointer = extension(18, new Uint8Array(64));
const largest = 2n ** 64n - 1n;

describe('A payment in a token of Token-2022', () => {
  it('transfers the exact amounts of a token without extensions', () => {
    const cluster = PaymentCluster.create();
    cluster.createMint(mintAddress, tokenProgram);
    for (const owner of [payerAddress, merchantAddress, feeReceiver])
      cluster.createTokenAccount(owner, mintAddress, tokenProgram);
    cluster.setTokens(payerAddress, heldTokens, mintAddress, tokenProgram);
    expect(pay(cluster).error).toBeUndefined();
    expect(balances(cluster)).toEqual(paid);
  });

  it('transfers the exact amounts of a token like PayPal USD: a fee of zero, a hook without a program', () => {
    const cluster = clusterWith(
      extension(3, new Uint8Array(32)), // mint close authority
      extension(12, addressToBytes(addressOf('issuer'))), // permanent delegate
      transferFee([0n, 0], [0n, 0]),
      noHook,
      metadataPointer,
      extension(19, new Uint8Array(120)), // metadata
    );
    expect(pay(cluster).error).toBeUndefined();
    expect(balances(cluster)).toEqual(paid);
  });

  it.each<[string, Uint8Array]>([
    ['100 basis points', transferFee([largest, 100], [largest, 100])],
    ['one basis point', transferFee([largest, 1], [largest, 1])],
    ['100 %, at most one unit', transferFee([1n, 10_000], [1n, 10_000])],
    ['100 basis points that ends in a later epoch', transferFee([largest, 100], [largest, 0], 1_000_000n)],
    ['100 basis points that was zero in an earlier epoch', transferFee([largest, 0], [largest, 100], 0n)],
  ])('rejects a transfer fee of %s', (_name, fee) => {
    const cluster = clusterWith(fee);
    expect(pay(cluster).error).toBe('INEXACT_TRANSFER');
    expect(balances(cluster)).toEqual(unmoved);
    expect(cluster.isPaid(order)).toBe(false);
  });

  it("rejects a fee that reduces only the fee receiver's amount", () => {
    // The fee of one basis point is rounded up, so it reduces each transfer. Checking merchant_amount alone would be
    // too late here.
    const cluster = clusterWith(transferFee([1n, 1], [1n, 1]));
    const small = tokenOrder({
      token_in_address: mintAddress,
      amount_in: 2n,
      merchant_amount: 1n,
      fee_amount: 1n,
    });
    expect(cluster.pay(small, { tokenProgram }).error).toBe('INEXACT_TRANSFER');
    expect(balances(cluster)).toEqual(unmoved);
  });

  it.each([addressOf('hook program'), programAddress, token2022Program])(
    'rejects a transfer hook of the program %s',
    (hook) => {
      const cluster = clusterWith(metadataPointer, transferHook(hook));
      expect(pay(cluster).error).toBe('UNSUPPORTED_TOKEN');
      expect(balances(cluster)).toEqual(unmoved);
    },
  );

  it.each([
    ['non-transferable', 9, 0],
    ['interest-bearing', 10, 52],
    ['scaled amounts', 25, 56],
    ['confidential mint and burn', 24, 196],
    ['permissioned burn', 28, 32],
    ['an unknown number', 63, 8],
    ['an unknown number', 64, 8],
    ['an unknown number', 1_000, 0],
    ['an unknown number', 65_535, 8],
    ['an extension of token accounts', 7, 0],
  ])('rejects the extension type %s (%d)', (_name, type, size) => {
    const cluster = PaymentCluster.create();
    cluster.createMint(
      mintAddress,
      tokenProgram,
      concatBytes(metadataPointer, extension(type, new Uint8Array(size))),
    );
    expectUnsupported(cluster);
  });

  it.each<[string, Uint8Array]>([
    ['one byte after the account type', Uint8Array.of(1, 0, 0)],
    ['a length beyond the account', Uint8Array.of(18, 0, 64, 0, 0)],
    ['a length that ends one byte beyond the account', extension(18, new Uint8Array(64)).slice(0, -1)],
    ['a hook of another length', extension(14, new Uint8Array(63))],
    ['a hook without content', extension(14, new Uint8Array(0))],
  ])('rejects an extension of %s', (_name, bytes) => {
    const cluster = PaymentCluster.create();
    cluster.createMint(mintAddress, tokenProgram, bytes);
    const { error } = cluster.pay(order, { tokenProgram });
    expect(['UNSUPPORTED_TOKEN', 'WRONG_TOKEN_ACCOUNT']).toContain(error);
    expect(cluster.isPaid(order)).toBe(false);
  });

  it('rejects a mint that is a token account with extensions', () => {
    const cluster = PaymentCluster.create();
    cluster.createMint(mintAddress, tokenProgram, metadataPointer);
    cluster.changeData(mintAddress, 165, Uint8Array.of(2));
    expectUnsupported(cluster);
  });

  it('fails while the token is paused', () => {
    const isPaused = concatBytes(new Uint8Array(32), Uint8Array.of(1));
    const cluster = PaymentCluster.create();
    cluster.createMint(mintAddress, tokenProgram, extension(26, new Uint8Array(33)));
    for (const owner of [payerAddress, merchantAddress, feeReceiver])
      cluster.createTokenAccount(owner, mintAddress, tokenProgram);
    cluster.setTokens(payerAddress, heldTokens, mintAddress, tokenProgram);
    cluster.createMint(mintAddress, tokenProgram, extension(26, isPaused));
    expect(pay(cluster).error).toBe('program 67'); // Token-2022: minting, burning and transferring is paused
    expect(balances(cluster)).toEqual(unmoved);
    cluster.createMint(mintAddress, tokenProgram, extension(26, new Uint8Array(33)));
    expect(pay(cluster).error).toBeUndefined();
  });

  it.each([
    ['receiver wants a memo', merchantAddress, 8, 'program 36'], // Token-2022: no memo before the transfer
    ['payer has the CPI guard', payerAddress, 11, 'program 42'], // Token-2022: a program transfers for a guarded owner
  ])('fails while the %s', (_name, owner, type, error) => {
    const cluster = clusterWith(metadataPointer);
    const address = tokenAccountAddress(owner, mintAddress, tokenProgram);
    const { data, ...account } = cluster.account(address)!;
    const switched = (isOn: number) =>
      cluster.setAccount(address, {
        owner: account.owner,
        data: concatBytes(data.slice(0, 165), Uint8Array.of(2), extension(type, Uint8Array.of(isOn))),
      });
    switched(1);
    expect(pay(cluster).error).toBe(error);
    expect(balances(cluster)).toEqual(unmoved);
    switched(0);
    expect(pay(cluster).error).toBeUndefined();
    expect(balances(cluster)).toEqual(paid);
  });

  it('fails under SPL Token, where the same mint address does not exist', () => {
    const cluster = clusterWith(metadataPointer);
    const { error } = cluster.send([payInstruction(programAddress, order, payerAddress)], keyOf('payer'));
    expect(error).toBe('UNSUPPORTED_TOKEN');
  });
});

function expectUnsupported(cluster: PaymentCluster): void {
  expect(pay(cluster).error).toBe('UNSUPPORTED_TOKEN');
  expect(cluster.isPaid(order)).toBe(false);
}
