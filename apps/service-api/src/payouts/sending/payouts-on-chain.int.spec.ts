import { payoutsApi, type PayoutRecord } from '@tollbridge/contracts';
import { deploySandboxWallet, permit2Address } from '@tollbridge/onchain';
import { eventually, startHttpServer, testIdentities } from '@tollbridge/testing';
import { Contract, getAddress, HDNodeWallet, hexlify, randomBytes, Transaction, type Wallet } from 'ethers';
import { v7 as uuid } from 'uuid';
import { lost, PayoutsHarness, type Asked } from '../testing/payouts-harness';
import { payoutsInterface } from './typed-data';

const { submitPayout, getPayout, listPayouts, approvePayout, rejectPayout } = payoutsApi.operations;
const usdc = 10n ** 6n;
const patience = { timeoutMs: 60_000, everyMs: 100 };
let harness: PayoutsHarness;

beforeAll(async () => {
  harness = await PayoutsHarness.start({ sends: true });
  await allow(harness.chain.payer, harness.chain.usdc.address);
});
afterAll(() => harness?.close());
beforeEach(() => {
  harness.reply = undefined;
  harness.instead = () => undefined;
  harness.isLost = () => false;
  harness.startBlocks();
});

type Signer = Pick<HDNodeWallet | Wallet, 'signTypedData'>;
type Recipient = { address: string; amount: number };

const randomAddress = (): string => getAddress(hexlify(randomBytes(20)));
const some = (count: number, amount = 10): Recipient[] =>
  Array.from({ length: count }, () => ({ address: randomAddress(), amount }));

async function allow(owner: HDNodeWallet, token: string): Promise<void> {
  const abi = ['function approve(address spender, uint256 amount) returns (bool)'];
  const approve = new Contract(token, abi, owner).getFunction('approve');
  const { hash } = await approve.send(permit2Address, 2n ** 256n - 1n);
  await harness.chain.mined(hash);
}

async function submit(recipients: readonly Recipient[], changes: object = {}, as?: string): Promise<string> {
  const wish = { wallet: as ?? harness.wallet, chain: 'base', token: 'USDC', recipients, ...changes };
  return (await harness.call(submitPayout, wish, as)).payoutId;
}

const read = (id: string, as?: string): Promise<PayoutRecord> => harness.call(getPayout, { id }, as);

/** Signs the typed data of each batch, as a wallet does. */
async function sign(id: string, signer: Signer = harness.chain.payer, as?: string): Promise<string[]> {
  const { batches } = await read(id, as);
  return Promise.all(
    batches.map(({ typedData }) => {
      const { domain, types, message } = typedData as any;
      const { EIP712Domain: _, ...own } = types;
      return signer.signTypedData(domain, own, message);
    }),
  );
}

const approve = (id: string, signatures: readonly string[], as?: string) =>
  harness.callWith(harness.secondKeyId, approvePayout, { id, signatures }, as);
const approvalError = (id: string, signatures: readonly string[], as?: string) =>
  harness.failureOf(approvePayout, { id, signatures }, as, harness.secondKeyId);

async function approved(recipients: readonly Recipient[]): Promise<string> {
  const id = await submit(recipients);
  await approve(id, await sign(id));
  return id;
}

const until = (id: string, state: string, as?: string): Promise<PayoutRecord> =>
  eventually(async () => {
    const record = await read(id, as);
    expect(record.state).toBe(state);
    return record;
  }, patience);

const held = (address: string): Promise<bigint> =>
  harness.chain.balanceOf(address, harness.chain.usdc.address);

/** Expects that each recipient got the exact amount once. */
async function expectPaid(recipients: readonly Recipient[]): Promise<void> {
  for (const { address, amount } of recipients) expect(await held(address)).toBe(BigInt(amount) * usdc);
}

const publishedStates = (id: string) =>
  harness.events.of(id).map(({ envelope: { data } }) => [data['status'], data['paid_count']]);

/** Makes all batches due now. */
const hurry = () =>
  harness.database.query('UPDATE service_api.payout_batches SET check_at = now() WHERE check_at IS NOT NULL');

describe('An on-chain payout', () => {
  it('pays in batches after approval by a second key, and publishes its states', async () => {
    const recipients = some(151, 2);
    const [ownBefore, feeBefore] = [await held(harness.wallet), await held(harness.feeRecipient)];
    const id = await submit(recipients);
    const waiting = await read(id);
    expect(waiting).toMatchObject({ state: 'awaiting_approval', status: 'pending', recipientCount: 151 });
    expect(waiting.message).toContain(`GET /payout/${id}`);
    expect(
      waiting.batches.map(({ firstRecipient, recipientCount, status }) => [
        firstRecipient,
        recipientCount,
        status,
      ]),
    ).toEqual([
      [0, 150, 'waiting'],
      [150, 1, 'waiting'],
    ]);
    expect(waiting.batches.reduce((sum, { feeAtomic }) => sum + BigInt(feeAtomic), 0n)).toBe(
      BigInt(waiting.feeAtomic),
    );
    expect(waiting.allowance).toMatchObject({ spender: permit2Address, transaction: null });
    expect(waiting.recipients[0]).toMatchObject({ status: 'pending', transactionHash: null });

    expect(await approve(id, await sign(id))).toEqual({ payoutId: id, state: 'sending' });
    const done = await until(id, 'completed');

    expect(done.message).toBe('All recipients were paid.');
    await expectPaid(recipients);
    expect(done.recipients.every(({ status, transactionHash }) => status === 'paid' && transactionHash)).toBe(
      true,
    );
    expect(new Set(done.recipients.map(({ transactionHash }) => transactionHash)).size).toBe(2);
    expect(done.batches.map(({ status, typedData }) => [status, typedData])).toEqual([
      ['paid', null],
      ['paid', null],
    ]);
    const fee = BigInt(done.feeAtomic);
    expect(await held(harness.feeRecipient)).toBe(feeBefore + fee);
    expect(await held(harness.wallet)).toBe(ownBefore - 302n * usdc - fee);
    expect(await held(harness.chain.payoutContract!)).toBe(0n);
    await eventually(() => expect(publishedStates(id).at(-1)).toEqual(['completed', 151]));
    expect(publishedStates(id).slice(0, 2)).toEqual([
      ['awaiting_approval', 0],
      ['sending', 0],
    ]);
    expect(
      harness.budgets.calls
        .filter(({ input }) => input['reference'] === id)
        .map(({ input }) => input['kind']),
    ).toEqual(['payout']);
  });

  it('returns the transaction that grants its allowance', async () => {
    const owner = harness.chain.anvil.wallet(6);
    await harness.chain.usdc.mint(owner.address, 100n * usdc);
    const id = await submit(some(1), {}, owner.address);
    const { allowance } = await read(id, owner.address);
    expect(allowance).toMatchObject({ allowedAtomic: '0', neededAtomic: '10050000' });
    const signatures = await sign(id, owner, owner.address);
    expect(await approvalError(id, signatures, owner.address)).toMatchObject({
      code: 'INSUFFICIENT_ALLOWANCE',
    });

    const { hash } = await owner.sendTransaction(allowance!.transaction!);
    await harness.chain.mined(hash);
    await approve(id, signatures, owner.address);
    await until(id, 'completed', owner.address);
  });

  it('pays the others and refunds the amount when a recipient is blocked', async () => {
    const recipients = some(3);
    const blacklister = harness.chain.anvil.wallet(0);
    const contract = new Contract(
      harness.chain.usdc.address,
      ['function blacklist(address account)'],
      blacklister,
    );
    const { hash } = await contract.getFunction('blacklist').send(recipients[1]!.address);
    await harness.chain.mined(hash);
    const [ownBefore, feeBefore] = [await held(harness.wallet), await held(harness.feeRecipient)];

    const id = await approved(recipients);
    const done = await until(id, 'partly_paid');

    expect(done.recipients.map(({ status }) => status)).toEqual(['paid', 'refused', 'paid']);
    await expectPaid([recipients[0]!, recipients[2]!]);
    expect(await held(recipients[1]!.address)).toBe(0n);
    // The blocked recipient's part of the fee of 0.15 is a third.
    expect((await held(harness.feeRecipient)) - feeBefore).toBe(usdc / 10n);
    expect(ownBefore - (await held(harness.wallet))).toBe(20n * usdc + usdc / 10n);
    await eventually(() => expect(publishedStates(id).at(-1)).toEqual(['partly_paid', 2]));
  });

  it('accepts the signature of a contract wallet', async () => {
    const { anvil } = harness.chain;
    const signer = HDNodeWallet.createRandom();
    const wallet = await (await deploySandboxWallet(anvil.wallet(0), signer.address)).getAddress();
    await harness.chain.usdc.mint(wallet, 100n * usdc);
    const recipients = some(2);
    const id = await submit(recipients, {}, wallet);
    const { allowance } = await read(id, wallet);
    await anvil.send('anvil_setBalance', [wallet, '0xde0b6b3a7640000']);
    await anvil.send('anvil_impersonateAccount', [wallet]);
    const { to, data } = allowance!.transaction!;
    await harness.chain.mined(String(await anvil.send('eth_sendTransaction', [{ from: wallet, to, data }])));

    const foreign = await sign(id, HDNodeWallet.createRandom(), wallet);
    expect(await approvalError(id, foreign, wallet)).toMatchObject({ code: 'INVALID_SIGNATURE' });
    await approve(id, await sign(id, signer, wallet), wallet);
    await until(id, 'completed', wallet);
    await expectPaid(recipients);
  });

  it('accepts one rejection before it is signed', async () => {
    const id = await submit(some(1));
    expect(await harness.call(rejectPayout, { id })).toEqual({ payoutId: id, state: 'rejected' });
    const record = await read(id);
    expect([record.state, record.recipients[0]!.status, record.approveBefore]).toEqual([
      'rejected',
      'failed',
      null,
    ]);
    expect(await harness.failureOf(rejectPayout, { id })).toMatchObject({ code: 'CONFLICT' });
    await eventually(() => expect(publishedStates(id).at(-1)).toEqual(['rejected', 0]));
  });

  it('expires without approval', async () => {
    const id = await submit(some(1));
    const signatures = await sign(id);
    await harness.database.query(`UPDATE service_api.payouts SET approve_until = now() WHERE id = '${id}'`);
    const { message } = await until(id, 'expired');
    expect(message).toContain('nothing was sent or charged');
    expect(await approvalError(id, signatures)).toMatchObject({ code: 'CONFLICT' });
    await eventually(() => expect(publishedStates(id).at(-1)).toEqual(['expired', 0]));
  });

  it('stores a payout of native coins as pending only', async () => {
    const id = await submit(some(1, 1), { token: 'ETH' });
    expect(await read(id)).toMatchObject({ state: null, batches: [], allowance: null, status: 'pending' });
    expect(await approvalError(id, [])).toMatchObject({ code: 'CONFLICT' });
    expect(harness.budgets.calls.some(({ input }) => input['reference'] === id)).toBe(false);
  });
});

describe('Approval', () => {
  it('requires a key that did not submit the payout', async () => {
    const id = await submit(some(1));
    const signatures = await sign(id);
    const failure = await harness.failureOf(approvePayout, { id, signatures });
    expect(failure).toMatchObject({ code: 'SECOND_KEY_REQUIRED' });
    expect((await read(id)).state).toBe('awaiting_approval');
  });

  it('accepts a decision of the wallet itself, and records no key as the approver', async () => {
    const [id, other] = [await submit(some(1)), await submit(some(1))];
    const listed = await harness.callAsWallet(listPayouts, { state: 'awaiting_approval' });
    expect(listed.payouts.slice(0, 2)).toMatchObject([{ payoutId: other }, { payoutId: id }]);
    expect(listed.payouts[0]!.approveBefore).toBe((await read(other)).approveBefore);
    const signatures = await sign(id);
    const stranger = harness.chain.stranger.address;
    await expect(harness.callAsWallet(approvePayout, { id, signatures }, stranger)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(await harness.callAsWallet(approvePayout, { id, signatures })).toEqual({
      payoutId: id,
      state: 'sending',
    });
    expect(await harness.callAsWallet(rejectPayout, { id: other })).toMatchObject({ state: 'rejected' });
    const [row] = await harness.database.query('SELECT approved_by FROM service_api.payouts WHERE id = $1', [
      id,
    ]);
    expect(row).toEqual({ approved_by: null });
    await eventually(async () => expect((await read(id)).state).toBe('completed'));
  });

  it('returns 404 for another wallet', async () => {
    const id = await submit(some(1));
    const { address } = harness.chain.stranger;
    for (const operation of [getPayout, approvePayout, rejectPayout]) {
      const failures = await Promise.all(
        [id, uuid(), 'x'].map((each) => {
          const rest = operation === approvePayout ? { signatures: [] } : {};
          return harness.failureOf(operation, { id: each, ...rest }, address);
        }),
      );
      expect(new Set(failures.map(({ code, message }) => `${code} ${message}`)).size).toBe(1);
      expect(failures[0]!.code).toBe('NOT_FOUND');
    }
  });

  it('rejects foreign signatures and stores nothing', async () => {
    const [id, other] = [await submit(some(2)), await submit(some(2))];
    const [own, foreign] = [await sign(id), await sign(other)];
    expect(await approvalError(id, foreign)).toMatchObject({
      code: 'INVALID_SIGNATURE',
      details: [{ field: 'signatures[0]' }],
    });
    expect(await approvalError(id, [])).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await approvalError(id, [...own, ...own])).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await approvalError(id, ['me'])).toMatchObject({ code: 'VALIDATION_ERROR' });
    const { batches } = await read(id);
    const { domain, types, message } = batches[0]!.typedData as any;
    const { EIP712Domain: _, ...signedTypes } = types;
    message.witness.recipients[0].account = harness.chain.stranger.address;
    const tampered = await harness.chain.payer.signTypedData(domain, signedTypes, message);
    expect(await approvalError(id, [tampered])).toMatchObject({ code: 'INVALID_SIGNATURE' });
    expect((await read(id)).state).toBe('awaiting_approval');
  });

  it('rejects a payout above the balance of the wallet', async () => {
    const owner = harness.chain.anvil.wallet(7);
    const id = await submit(some(1), {}, owner.address);
    const signatures = await sign(id, owner, owner.address);
    expect(await approvalError(id, signatures, owner.address)).toMatchObject({
      code: 'INSUFFICIENT_BALANCE',
    });
  });

  it('rejects with the reason while the token is paused', async () => {
    const id = await submit(some(1));
    const signatures = await sign(id);
    const pause = async (name: string) => {
      const abi = ['function pause()', 'function unpause()'];
      const { hash } = await new Contract(harness.chain.usdc.address, abi, harness.chain.anvil.wallet(0))
        .getFunction(name)
        .send();
      await harness.chain.mined(hash);
    };
    await pause('pause');
    expect(await approvalError(id, signatures)).toMatchObject({
      code: 'TRANSACTION_FAILED',
      details: { batch: 0 },
    });
    await pause('unpause');
    await approve(id, signatures);
    await until(id, 'completed');
  });

  it('rejects while the chain does not answer', async () => {
    const id = await submit(some(1));
    const signatures = await sign(id);
    harness.reply = { status: 503 };
    expect(await approvalError(id, signatures)).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    expect(await read(id)).toMatchObject({ allowance: null, state: 'awaiting_approval' });
    harness.reply = undefined;
    await eventually(() => approve(id, signatures), patience);
    await until(id, 'completed');
  });

  it('accepts one of ten concurrent calls', async () => {
    const recipients = some(3);
    const id = await submit(recipients);
    const signatures = await sign(id);
    // Ten calls, because each calls the chain, with a time-out of 3 s.
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => approve(id, signatures)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await until(id, 'completed');
    await expectPaid(recipients);
  });
});

/** Counts successful transactions that paid batches, of any sender. */
async function paidBatches(id: string): Promise<number> {
  const topic = payoutsInterface.getEvent('BatchPaid')!.topicHash;
  const payout = `0x${id.replaceAll('-', '').padStart(64, '0')}`;
  const logs = await harness.chain.anvil.provider.getLogs({
    address: harness.chain.payoutContract!,
    topics: [topic, payout],
    fromBlock: 0,
    toBlock: 'latest',
  });
  return logs.length;
}

describe('A batch', () => {
  /** Stops the process at its n-th request to the chain, before or after the node receives the request. */
  async function dieAt(question: number, isReceived: boolean): Promise<boolean> {
    const recipients = some(2);
    const id = await submit(recipients);
    const signatures = await sign(id);
    let [asked, isDead] = [0, false];
    const dies = (): boolean => {
      isDead ||= ++asked > question;
      return isDead;
    };
    const fail = (one: Asked) => (dies() ? { error: lost(one).error } : undefined);
    await approve(id, signatures);
    if (isReceived) harness.isLost = () => dies();
    else harness.instead = fail;
    const isReached = await eventually(async () => {
      const { state } = await read(id);
      if (!isDead && state === 'sending') throw new Error('neither dead nor done');
      return isDead;
    }, patience);
    await harness.stopApps();
    [harness.instead, harness.isLost] = [() => undefined, () => false];
    await harness.startApp();
    await hurry();
    await until(id, 'completed');
    await expectPaid(recipients);
    expect(await paidBatches(id)).toBe(1);
    return isReached;
  }

  it.each([false, true])(
    'pays once wherever the process stops (request received: %s)',
    async (isReceived) => {
      let question = 0;
      while (question < 14 && (await dieAt(question, isReceived))) question++;
      // Requests for gas, price, tip, nonce and broadcast, and at least one for the receipt.
      expect(question).toBeGreaterThanOrEqual(6);
    },
    // Up to fifteen payouts, each with a restart.
    600_000,
  );

  it('pays once with three replicas that poll concurrently', async () => {
    await harness.startApp();
    await harness.startApp();
    const lists = Array.from({ length: 6 }, () => some(4));
    // Makes all batches due all the time, so that leases exclude no replica.
    const hurrying = setInterval(() => void hurry().catch(() => undefined), 20);
    try {
      const ids = await Promise.all(lists.map(approved));
      for (const [at, id] of ids.entries()) {
        await until(id, 'completed');
        await expectPaid(lists[at]!);
        expect(await paidBatches(id)).toBe(1);
        expect(publishedStates(id).filter(([status]) => status === 'completed').length).toBeLessThanOrEqual(
          1,
        );
      }
      // No second nonce is used for a batch that is being sent.
      const [row] = await harness.database.query<{ count: string }>(
        `SELECT count(*) FROM service_api.payout_nonces WHERE payout_id IN (${ids.map((id) => `'${id}'`).join()})`,
      );
      expect(row!.count).toBe('6');
    } finally {
      clearInterval(hurrying);
    }
    await harness.stopApps();
    await harness.startApp();
  });

  it('pays once when the relayer has a new key', async () => {
    const recipients = some(2);
    let isStored = false;
    harness.instead = (one) => {
      if (one.method !== 'eth_sendRawTransaction') return undefined;
      isStored = true;
      return { error: lost(one).error };
    };
    const id = await approved(recipients);
    await eventually(() => expect(isStored).toBe(true), patience);
    await harness.stopApps();
    harness.instead = () => undefined;
    await harness.startApp({ PAYOUT_RELAYER_KEY: harness.chain.anvil.wallet(4).privateKey });
    await hurry();
    await until(id, 'completed');
    await expectPaid(recipients);
    expect(await paidBatches(id)).toBe(1);
    await until(await approved(some(1)), 'completed');
    await harness.stopApps();
    await harness.startApp();
  });

  it('pays once when another account relays it, and reports the transaction of that account', async () => {
    const recipients = some(2);
    const id = await submit(recipients);
    const signatures = await sign(id);
    const raws: string[] = [];
    // A stranger's copy of our transaction is sent first.
    harness.instead = (one) => {
      if (one.method !== 'eth_sendRawTransaction') return undefined;
      raws.push(String((one as any).params[0]));
      return { error: lost(one).error };
    };
    await approve(id, signatures);
    await eventually(() => expect(raws.length).toBeGreaterThan(0), patience);
    const { to, data } = Transaction.from(raws[0]);
    const sent = await harness.chain.stranger.sendTransaction({ to, data, gasLimit: 2_000_000 });
    await harness.chain.mined(sent.hash);
    harness.instead = () => undefined;

    const nonceBefore = await harness.chain.anvil.provider.getTransactionCount(
      Transaction.from(raws[0]).from!,
    );
    await hurry();
    const done = await eventually(async () => {
      await hurry();
      const record = await read(id);
      expect(record.state).toBe('completed');
      return record;
    }, patience);
    expect(done.recipients.map(({ transactionHash }) => transactionHash)).toEqual([sent.hash, sent.hash]);
    await expectPaid(recipients);
    // Our transaction reverted. Its nonce is consumed, so later transactions are not blocked.
    expect(await harness.chain.anvil.provider.getTransactionCount(Transaction.from(raws[0]).from!)).toBe(
      nonceBefore + 1,
    );
    await until(await approved(some(1)), 'completed');
  });

  it('pays nothing when the wallet cancels it on chain', async () => {
    const recipients = some(1);
    const id = await submit(recipients);
    const signatures = await sign(id);
    harness.instead = (one) => (one.method === 'eth_estimateGas' ? { error: lost(one).error } : undefined);
    await approve(id, signatures);
    const { batches: _, ...record } = await read(id);
    expect(record.state).toBe('sending');
    const { permitNonce } = await import('./typed-data');
    const nonce = permitNonce(id, 0);
    const abi = ['function invalidateUnorderedNonces(uint256 word, uint256 mask)'];
    const { hash } = await new Contract(permit2Address, abi, harness.chain.payer)
      .getFunction('invalidateUnorderedNonces')
      .send(nonce >> 8n, 1n << (nonce & 255n));
    await harness.chain.mined(hash);
    harness.instead = () => undefined;
    const done = await eventually(async () => {
      await hurry();
      const now = await read(id);
      expect(now.state).toBe('failed');
      return now;
    }, patience);
    expect(done.batches[0]!.reason).toContain('cancelled');
    expect(await held(recipients[0]!.address)).toBe(0n);
  });
});

describe('A change of the chain', () => {
  it('does not pay a batch twice after a reorganisation', async () => {
    const recipients = some(2);
    harness.stopBlocks();
    const id = await approved(recipients);
    await eventually(async () => expect((await paidBatches(id)) > 0).toBe(true), patience);
    await harness.chain.anvil.mine(1);
    expect((await read(id)).state).toBe('sending');
    await harness.chain.anvil.reorg(2);
    expect(await paidBatches(id)).toBe(0);
    expect((await read(id)).recipients[0]!.status).toBe('sending');
    harness.startBlocks();
    await until(id, 'completed');
    await expectPaid(recipients);
    expect(await paidBatches(id)).toBe(1);
  });

  it('causes a replacement with the same nonce when the gas price rises', async () => {
    const recipients = some(2);
    const { anvil } = harness.chain;
    harness.stopBlocks();
    await anvil.setAutomine(false);
    try {
      const id = await approved(recipients);
      await eventually(async () => {
        const { txpool } = { txpool: (await anvil.send('txpool_status')) as { pending: string } };
        expect(Number(txpool.pending)).toBeGreaterThan(0);
      }, patience);
      await anvil.send('anvil_setNextBlockBaseFeePerGas', ['0x2540be400']);
      await anvil.mine();
      expect((await read(id)).state).toBe('sending');
      // Simulates a transaction that has waited for a long time.
      await harness.database.query(
        "UPDATE service_api.payout_relays SET created_at = now() - interval '1 hour'",
      );
      await eventually(async () => {
        await hurry();
        const rows = await harness.database.query<{ count: string; nonces: string }>(
          `SELECT count(*), count(DISTINCT nonce) AS nonces FROM service_api.payout_relays WHERE payout_id = '${id}'`,
        );
        expect([Number(rows[0]!.count) > 1, rows[0]!.nonces]).toEqual([true, '1']);
      }, patience);
      await anvil.setAutomine(true);
      harness.startBlocks();
      await until(id, 'completed');
      await expectPaid(recipients);
      expect(await paidBatches(id)).toBe(1);
    } finally {
      await anvil.setAutomine(true);
      harness.startBlocks();
    }
  });

  it('pays a thousand recipients in seven transactions', async () => {
    const recipients = some(1_000, 1);
    const id = await submit(recipients);
    const signatures = await sign(id);
    const startedMs = performance.now();
    await approve(id, signatures);
    const approvedMs = performance.now();
    const done = await until(id, 'completed');
    const paidMs = performance.now();
    expect(done.batches).toHaveLength(7);
    const receipts = await Promise.all(
      done.batches.map(({ transactionHash }) =>
        harness.chain.anvil.provider.getTransactionReceipt(transactionHash!),
      ),
    );
    const gas = receipts.map((receipt) => Number(receipt!.gasUsed));
    process.stdout.write(
      `1,000 recipients: approved in ${Math.round(approvedMs - startedMs)} ms, final after ${Math.round(paidMs - startedMs)} ms, gas ${gas}\n`,
    );
    // EIP-7825 limits a transaction to 16,777,216 gas.
    expect(Math.max(...gas) * 2).toBeLessThan(16_777_216);
    await expectPaid(recipients.filter((_, at) => at % 97 === 0));
    expect(await paidBatches(id)).toBe(7);
  });
});

it('stops after three reverts when the wallet withdraws its balance in the same block', async () => {
  const { chain } = harness;
  const { anvil } = chain;
  const owner = anvil.wallet(9);
  const recipients = some(1);
  await chain.usdc.mint(owner.address, 20n * usdc);
  await allow(owner, chain.usdc.address);
  const id = await submit(recipients, {}, owner.address);
  const signatures = await sign(id, owner, owner.address);
  const nonces = async () =>
    (
      await harness.database.query<{ nonce: string }>(
        `SELECT DISTINCT nonce FROM service_api.payout_relays WHERE payout_id = '${id}'`,
      )
    ).length;
  /** Transfers the balance with the highest gas price, so that this transaction is first in the block. */
  const takeAway = async (): Promise<void> => {
    const abi = ['function transfer(address to, uint256 amount) returns (bool)'];
    const transfer = new Contract(chain.usdc.address, abi, owner).getFunction('transfer');
    const most = 10n ** 12n;
    await transfer.send(chain.stranger.address, 20n * usdc, {
      maxFeePerGas: most,
      maxPriorityFeePerGas: most / 2n,
      gasLimit: 100_000,
    });
  };
  const pooled = async (): Promise<void> => {
    const { pending } = (await anvil.send('txpool_status')) as { pending: string };
    expect(Number(pending)).toBeGreaterThan(0);
  };
  harness.stopBlocks();
  await anvil.setAutomine(false);
  try {
    await approve(id, signatures, owner.address);
    for (let times = 1; times <= 3; times++) {
      await eventually(async () => {
        await hurry();
        expect(await nonces()).toBe(times);
        await pooled();
      }, patience);
      await takeAway();
      await anvil.mine(10);
      await eventually(async () => {
        await hurry();
        expect((await read(id, owner.address)).batches[0]!.status).toBe('ready');
      }, patience);
      const isBack = chain.transfer(owner.address, 20n * usdc, chain.usdc.address, chain.stranger);
      await eventually(pooled, patience);
      await anvil.mine();
      await isBack;
    }
    await anvil.setAutomine(true);
    await eventually(async () => {
      await hurry();
      expect((await read(id, owner.address)).batches[0]!.reason).toContain('reverted 3 times');
    }, patience);
    expect(await nonces()).toBe(3);

    // The signature remains valid for any account that pays the gas.
    const [relay] = await harness.database.query<{ raw: string }>(
      `SELECT raw FROM service_api.payout_relays WHERE payout_id = '${id}' LIMIT 1`,
    );
    const { to, data } = Transaction.from(relay!.raw);
    const { hash } = await chain.stranger.sendTransaction({ to, data, gasLimit: 2_000_000 });
    await chain.mined(hash);
  } finally {
    await anvil.setAutomine(true);
    harness.startBlocks();
  }
  await eventually(async () => {
    await hurry();
    expect((await read(id, owner.address)).state).toBe('completed');
  }, patience);
  await expectPaid(recipients);
  expect(await nonces()).toBe(3);
});

// This test advances the clock of the chain, so signatures after it need a later deadline.
describe('The signed deadline', () => {
  it('fails a batch without balance only after it has passed', async () => {
    await harness.stopApps();
    await harness.startApp({ PAYOUT_APPROVE_WITHIN_MINUTES: '1' });
    const owner = harness.chain.anvil.wallet(5);
    await harness.chain.usdc.mint(owner.address, 20n * usdc);
    await allow(owner, harness.chain.usdc.address);
    const id = await submit(some(1), {}, owner.address);
    const signatures = await sign(id, owner, owner.address);
    harness.instead = (one) => (one.method === 'eth_estimateGas' ? { error: lost(one).error } : undefined);
    await approve(id, signatures, owner.address);
    await harness.chain.transfer(randomAddress(), 20n * usdc, harness.chain.usdc.address, owner);
    harness.instead = () => undefined;
    await eventually(async () => {
      await hurry();
      const { state, batches } = await read(id, owner.address);
      expect([state, batches[0]!.status]).toEqual(['sending', 'ready']);
      expect(batches[0]!.reason).toBe('TRANSFER_FROM_FAILED');
    }, patience);

    harness.stopBlocks();
    await harness.chain.anvil.mineAt((await harness.chain.anvil.time()) + 3_700);
    harness.startBlocks();
    const done = await eventually(async () => {
      await hurry();
      const record = await read(id, owner.address);
      expect(record.state).toBe('failed');
      return record;
    }, patience);
    expect(done.batches[0]!.reason).toContain('its signatures have expired');
    expect(done.recipients[0]).toMatchObject({ status: 'failed', transactionHash: null });
    await eventually(() => expect(publishedStates(id).at(-1)).toEqual(['failed', 0]));
    await harness.stopApps();
    await harness.startApp();
  });
});

describe('Gas above the fee', () => {
  it('rejects the approval before anything is stored', async () => {
    const now = () => Math.floor(Date.now() / 1_000);
    // The coin is so expensive that the fee does not cover the gas.
    const llama = await startHttpServer(({ path }) => {
      const ids = decodeURIComponent(path.split('/').at(-1)!).split(',');
      const price = (id: string) => ({
        price: id.startsWith('coingecko:') ? 1e15 : 1,
        timestamp: now(),
        confidence: 0.99,
        symbol: 'X',
        decimals: 6,
      });
      return { body: { coins: Object.fromEntries(ids.map((id) => [id, price(id)])) } };
    });
    const settings = { DEFILLAMA_URL: llama.url };
    await harness.stopApps();
    await harness.startApp(settings);
    try {
      const id = await eventually(async () => {
        const submitted = await submit(some(1));
        const last = harness.budgets.calls.at(-1)!;
        expect(last.input['valueUsd']).toBe('10.05');
        return submitted;
      }, patience);
      const failure = await approvalError(id, await sign(id));
      expect(failure).toMatchObject({ code: 'GAS_LIMIT_EXCEEDED', details: { batch: 0 } });
      expect((await read(id)).state).toBe('awaiting_approval');

      // Stored prices remain usable after a restart while their source is down, so a key with a budget can pay
      // immediately.
      await harness.stopApps();
      await llama.close();
      await harness.startApp(settings);
      await submit(some(1));
      expect(harness.budgets.calls.at(-1)!.input['valueUsd']).toBe('10.05');
    } finally {
      await llama.close().catch(() => undefined);
      await harness.stopApps();
      await harness.startApp();
    }
  });
});

describe('Configuration', () => {
  it.each([
    [
      'the key of the relayer',
      {
        TOLLBRIDGE_ENV: 'test',
        PAYOUT_RELAYER_KEY: '',
        SERVICE_API_REPLY_SECRET: 'x'.repeat(40),
        ...testIdentities('service-api'),
      },
      'PAYOUT_RELAYER_KEY',
    ],
    ['a contract', { CHAINS_FILE: '' }, 'payoutContract'],
    ['a usable key', { PAYOUT_RELAYER_KEY: 'secret' }, 'PAYOUT_RELAYER_KEY'],
  ])('prevents the start without %s', async (_name, settings, named) => {
    await expect(harness.startApp(settings)).rejects.toThrow(named);
  });
});
