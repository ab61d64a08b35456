import { Balances } from '@tollbridge/balances';
import { findChain } from '@tollbridge/chains';
import { systemClock } from '@tollbridge/database';
import {
  compileMessage,
  createTokenAccountInstruction,
  deploySolanaPay,
  nativeCoin,
  payInstruction,
  recordAddress,
  SolanaNode,
  splTokenProgram,
  tokenAccountAddress,
  unsignedTransaction,
  type SolanaPaymentOrder,
} from '@tollbridge/onchain/solana';
import {
  address,
  appendTransactionMessageInstructions,
  createKeyPairSignerFromBytes,
  createKeyPairSignerFromPrivateKeyBytes,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  lamports,
  pipe,
  sendAndConfirmTransactionFactory,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  type KeyPairSigner,
} from '@solana/kit';
import {
  Connection,
  Keypair,
  PublicKey,
  sendAndConfirmTransaction,
  SystemProgram,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { base58 } from '@scure/base';
import { randomUUID } from 'node:crypto';
import { payProgram, sandboxSolanaKey } from './genesis';
import { localSolana } from './local-solana';
import { openSolanaHarness, type SolanaHarness } from './testing/open-solana-harness';

const usdc = findChain('solana')!.tokens.find(({ symbol }) => symbol === 'USDC')!.address!;
const payer = sandboxSolanaKey('payer');
const wallet = Keypair.fromSeed(payer.secretKey);

let harness: SolanaHarness;
let connection: Connection;
beforeAll(async () => {
  harness = await openSolanaHarness(systemClock);
  connection = connect();
});
afterAll(() => harness?.close());
afterEach(() => expect(harness.problems.splice(0)).toEqual([]));

const connect = () =>
  new Connection(harness.rpcUrl, { wsEndpoint: harness.webSocketUrl, commitment: 'confirmed' });
const stranger = () => Keypair.generate().publicKey;
const transfer = (to: PublicKey, amount: number) =>
  SystemProgram.transfer({ fromPubkey: wallet.publicKey, toPubkey: to, lamports: amount });

function usdcOrder(): SolanaPaymentOrder {
  return {
    order_id: randomUUID(),
    token_in: 'USDC',
    token_out: 'USDC',
    amount_in: 25_000_000n,
    token_in_address: usdc,
    merchant: stranger().toBase58(),
    merchant_amount: 24_000_000n,
    fee_receiver: stranger().toBase58(),
    fee_amount: 1_000_000n,
    deadline: BigInt(Math.floor(Date.now() / 1_000) + 600),
  };
}

describe('@solana/web3.js Connection against the local network', () => {
  it('sends a transfer, waits for it by a subscription, and reads it', async () => {
    const to = stranger();
    const signature = await sendAndConfirmTransaction(
      connection,
      new Transaction().add(transfer(to, 5_000_000)),
      [wallet],
      { commitment: 'confirmed' },
    );
    expect(await connection.getBalance(to)).toBe(5_000_000);
    const read = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
    expect(read).toMatchObject({ transaction: { signatures: [signature] }, meta: { err: null, fee: 5_000 } });
    const parsed = await connection.getParsedTransaction(signature, { maxSupportedTransactionVersion: 0 });
    expect(parsed!.transaction.message.accountKeys[0]).toMatchObject({ signer: true, writable: true });
    const [listed] = await connection.getSignaturesForAddress(to);
    expect(listed).toMatchObject({ signature, slot: read!.slot, err: null });
    const block = await connection.getBlock(read!.slot, { maxSupportedTransactionVersion: 0 });
    expect(block!.transactions.map((it) => it.transaction.signatures[0])).toContain(signature);
    expect(block).toMatchObject({ blockTime: read!.blockTime, parentSlot: expect.any(Number) });
  });

  it('sends a versioned transaction, and rejects a second submission of it', async () => {
    const { blockhash } = await connection.getLatestBlockhash();
    const message = new TransactionMessage({
      payerKey: wallet.publicKey,
      recentBlockhash: blockhash,
      instructions: [transfer(stranger(), 1_000_000)],
    }).compileToV0Message();
    const transaction = new VersionedTransaction(message);
    transaction.sign([wallet]);
    expect((await connection.getFeeForMessage(message)).value).toBe(5_000);
    expect((await connection.simulateTransaction(transaction)).value).toMatchObject({ err: null });
    await connection.sendTransaction(transaction);
    await expect(connection.sendTransaction(transaction)).rejects.toThrow('AlreadyProcessed');
  });

  it('rejects a transaction without the signature, without funds, and with an old blockhash', async () => {
    const { blockhash } = await connection.getLatestBlockhash();
    const signed = (recentBlockhash: string, amount = 1_000_000) => {
      const transaction = new Transaction({ recentBlockhash, feePayer: wallet.publicKey });
      transaction.add(transfer(stranger(), amount)).sign(wallet);
      return transaction;
    };
    const wire = signed(blockhash).serialize();
    wire[5]! ^= 1;
    await expect(connection.sendRawTransaction(wire)).rejects.toThrow('signature verification failure');
    await expect(connection.sendRawTransaction(wire.subarray(0, 100))).rejects.toThrow(
      'failed to deserialize',
    );
    const rich = signed(blockhash, 9_000_000_000_000_000).serialize();
    await expect(connection.sendRawTransaction(rich)).rejects.toThrow('"InstructionError":[0,{"Custom":1}]');
    const old = signed(stranger().toBase58()).serialize();
    await expect(connection.sendRawTransaction(old)).rejects.toThrow('BlockhashNotFound');
  });

  it('charges the fee for a transaction that fails without preflight', async () => {
    const before = await connection.getBalance(wallet.publicKey);
    const transaction = new Transaction().add(transfer(stranger(), 9_000_000_000_000_000));
    const sent = sendAndConfirmTransaction(connection, transaction, [wallet], {
      skipPreflight: true,
      commitment: 'confirmed',
    });
    // Either an error of the client, or the runtime's error if the client finds the transaction before the
    // notification.
    const failure: unknown = await sent.then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(`${String(failure)} ${JSON.stringify(failure)}`).toContain('Custom');
    expect(await connection.getBalance(wallet.publicKey)).toBe(before - 5_000);
  });

  it('creates coins by an airdrop', async () => {
    const to = stranger();
    const signature = await connection.requestAirdrop(to, 2_000_000_000);
    const latest = await connection.getLatestBlockhash();
    await connection.confirmTransaction({ signature, ...latest }, 'confirmed');
    expect(await connection.getBalance(to)).toBe(2_000_000_000);
  });
});

describe('@solana/kit against the local network', () => {
  const rpc = () => createSolanaRpc(harness.rpcUrl);
  const confirm = () =>
    sendAndConfirmTransactionFactory({
      rpc: rpc(),
      rpcSubscriptions: createSolanaRpcSubscriptions(harness.webSocketUrl),
    });

  async function signedBy(signer: KeyPairSigner, instructions: Parameters<typeof toKit>[0][]) {
    const { value: latest } = await rpc().getLatestBlockhash().send();
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (it) => setTransactionMessageFeePayerSigner(signer, it),
      (it) => setTransactionMessageLifetimeUsingBlockhash(latest, it),
      (it) => appendTransactionMessageInstructions(instructions.map(toKit), it),
    );
    return signTransactionMessageWithSigners(message);
  }

  function toKit({ programId, accounts, data }: ReturnType<typeof payInstruction>) {
    return {
      programAddress: address(programId),
      accounts: accounts.map(({ address: it, isSigner, isWritable }) => ({
        address: address(it),
        role: (isSigner ? 2 : 0) + (isWritable ? 1 : 0),
      })),
      data,
    };
  }

  it('pays an order in USDC to receivers without a token account', async () => {
    const order = usdcOrder();
    const signer = await createKeyPairSignerFromPrivateKeyBytes(payer.secretKey);
    const create = [order.merchant, order.fee_receiver].map((it) =>
      createTokenAccountInstruction(payer.address, it, usdc),
    );
    const pay = payInstruction(payProgram.address, order, payer.address);
    const transaction = await signedBy(signer, [...create, pay]);
    await confirm()(transaction as Parameters<ReturnType<typeof confirm>>[0], { commitment: 'confirmed' });
    const account = address(tokenAccountAddress(order.merchant, usdc, splTokenProgram));
    const { value } = await rpc().getTokenAccountBalance(account).send();
    expect(value).toMatchObject({ amount: '24000000', decimals: 6, uiAmountString: '24' });
    const record = address(recordAddress(payProgram.address, order));
    const info = await rpc().getAccountInfo(record, { encoding: 'base64' }).send();
    expect(info.value).toMatchObject({ owner: payProgram.address, space: 56n });
    const read = await rpc()
      .getTransaction(getSignatureFromTransaction(transaction), {
        encoding: 'json',
        maxSupportedTransactionVersion: 0,
      })
      .send();
    expect(read!.meta!.postTokenBalances).toContainEqual(
      expect.objectContaining({ owner: order.merchant, mint: usdc }),
    );
    expect(read!.meta!.innerInstructions!.length).toBeGreaterThan(0);
    const twice = await signedBy(signer, [pay]);
    const sent = rpc().sendTransaction(getBase64EncodedWireTransaction(twice), { encoding: 'base64' }).send();
    await expect(sent).rejects.toMatchObject({ context: { unitsConsumed: expect.anything() } });
  });

  it('reads accounts, slots and rent', async () => {
    const { value } = await rpc().getBalance(address(payer.address)).send();
    expect(value).toBeGreaterThan(lamports(9_000_000_000_000n));
    const owned = await rpc()
      .getTokenAccountsByOwner(address(payer.address), { mint: address(usdc) }, { encoding: 'jsonParsed' })
      .send();
    expect(owned.value).toHaveLength(1);
    expect(await rpc().getMinimumBalanceForRentExemption(165n).send()).toBe(2_039_280n);
    const slot = await rpc().getSlot({ commitment: 'confirmed' }).send();
    const { absoluteSlot, blockHeight } = await rpc().getEpochInfo({ commitment: 'confirmed' }).send();
    expect(absoluteSlot).toBeGreaterThanOrEqual(slot);
    expect(blockHeight).toBeLessThanOrEqual(absoluteSlot);
    const [system, none] = (
      await rpc()
        .getMultipleAccounts([address(nativeCoin), address(stranger().toBase58())])
        .send()
    ).value;
    expect(system).toMatchObject({ executable: true });
    expect(none).toBeNull();
    const missing = rpc()
      .getAccountInfo('x' as never)
      .send();
    await expect(missing).rejects.toThrow();
  });

  it('imports the keys of the sandbox as wallets do', async () => {
    for (const { address: expected, privateKey, role } of await localSolana.accounts()) {
      const bytes = base58.decode(privateKey);
      expect((await createKeyPairSignerFromBytes(bytes)).address).toBe(expected);
      expect(await connection.getBalance(new PublicKey(expected))).toBeGreaterThan(
        role === 'payer' ? 1e12 : 1e9,
      );
    }
  });
});

describe('The local Solana network', () => {
  it('returns its balances to the balance reader', async () => {
    const chain = findChain('solana')!;
    const balances = new Balances([{ chain: 'solana', urls: [harness.rpcUrl] }]);
    const { found } = await balances.read([{ chain, address: sandboxSolanaKey('second_payer').address }]);
    expect(found[0]!.holdings.map(({ token, amountAtomic }) => [token.symbol, amountAtomic])).toEqual([
      ['SOL', 10_000_000_000_000n],
      ['USDC', 1_000_000_000_000n],
      ['USDT', 1_000_000_000_000n],
    ]);
  });

  it('drops a transaction that could not be stored', async () => {
    const to = stranger();
    const { chain } = harness.simulator;
    jest.spyOn(chain.stored, 'commit').mockRejectedValueOnce(new Error('the connection was lost'));
    await expect(connection.requestAirdrop(to, 1_000_000_000)).rejects.toThrow('Internal error');
    expect(harness.problems.splice(0)).toHaveLength(1);
    expect(await connection.getBalance(to)).toBe(0);
    expect(await chain.account(to.toBase58())).toBeUndefined();
  });

  it('accepts the deployment command of the payment program', async () => {
    const node = new SolanaNode(harness.rpcUrl, 50);
    const { secretKey } = sandboxSolanaKey('merchant');
    const { address: deployed } = await deploySolanaPay(node, secretKey);
    expect(await deploySolanaPay(node, secretKey)).toEqual({ address: deployed, deployed: false });
    const order = usdcOrder();
    const { blockhash } = await connection.getLatestBlockhash();
    const create = [order.merchant, order.fee_receiver].map((it) =>
      createTokenAccountInstruction(payer.address, it, usdc),
    );
    const message = compileMessage(
      payer.address,
      [...create, payInstruction(deployed, order, payer.address)],
      blockhash,
    );
    const transaction = VersionedTransaction.deserialize(unsignedTransaction(message));
    transaction.sign([wallet]);
    await connection.sendTransaction(transaction);
    await harness.restart();
    connection = connect();
    const record = await connection.getAccountInfo(new PublicKey(recordAddress(deployed, order)));
    expect(record!.owner.toBase58()).toBe(deployed);
    expect(await deploySolanaPay(new SolanaNode(harness.rpcUrl, 50), secretKey)).toMatchObject({
      deployed: false,
    });
  });
});
