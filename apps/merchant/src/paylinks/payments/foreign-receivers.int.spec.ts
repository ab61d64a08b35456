import {
  dashboardApi,
  ledgerApi,
  paylinkPaymentsApi,
  publicPaylinksApi,
  receiversApi,
  type CreatePayLinkRequest,
  type PayLinkPayment,
  type RecordPaymentReply,
} from '@tollbridge/contracts';
import { walletPrincipal } from '@tollbridge/rpc';
import { eventually } from '@tollbridge/testing';
import { Wallet } from 'ethers';
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { lockStatement } from '../paylinks.repository';
import { blindChain, confirmations, PayLinkHarness, someWallet } from '../../testing/paylink-harness';

const counted = { success: true, verified: true };
const pending = { success: false, verified: false, status: 'pending' };
const unverifiable = { success: false, verified: false, status: 'unverifiable' };
const contested = {
  success: false,
  verified: false,
  error:
    'Another merchant has proven the receiving address and has a PayLink that this pays. Report it there, or prove the address for this wallet.',
};
const taken = 'The transaction already counts as the payment of another PayLink.';
const claimedByOwner = 'The transaction pays a PayLink of the merchant who has proven the receiving address.';
let harness: PayLinkHarness;
beforeAll(async () => {
  harness = await PayLinkHarness.start();
  await harness.startApp();
});
afterAll(() => harness?.close());

/** Creates a link with an amount of 3.5 USDC. */
async function linkOf(wallet: string, receiveAddress: string, changes: Partial<CreatePayLinkRequest> = {}) {
  const { id } = await harness.create({ receiveAddress, ...changes }, wallet);
  return id;
}
const paymentsOf = async (wallet: string, id: string): Promise<number> =>
  (await harness.link(id, wallet)).payment_count;
const receivedBy = async (wallet: string): Promise<string> => {
  const { ok, assets } = await harness.merchant.call(
    ledgerApi.operations.proveLedger,
    {},
    walletPrincipal(wallet),
  );
  expect(ok).toBe(true);
  return assets[0]?.received ?? '0';
};
const completedBy = async (wallet: string): Promise<number> =>
  (await harness.merchant.call(dashboardApi.operations.getOverview, {}, walletPrincipal(wallet)))
    .totalPayments;
const typesTo = async (wallet: string): Promise<string[]> =>
  (await harness.messagesTo(wallet)).map(({ type }) => type);

/** Reports `size` hashes at a time. With more reports, reads of the chain time out on a busy machine. */
async function inGroups(
  hashes: readonly string[],
  size: number,
  report: (hash: string, at: number) => Promise<RecordPaymentReply>[],
): Promise<RecordPaymentReply[]> {
  const replies: RecordPaymentReply[] = [];
  for (let from = 0; from < hashes.length; from += size)
    replies.push(...(await Promise.all(hashes.slice(from, from + size).flatMap(report))));
  return replies;
}

describe('a PayLink to an address that another merchant has proven', () => {
  it('gets no count, webhook or ledger entry when it is reported first', async () => {
    const [victim, stranger] = [someWallet(), someWallet()];
    await Promise.all([
      harness.merchant.addWebhookEndpoint(victim),
      harness.merchant.addWebhookEndpoint(stranger),
    ]);
    const [theirs, foreign] = [await linkOf(victim, victim), await linkOf(stranger, victim)];
    const hash = await harness.paid(3_500_000n, { to: victim });
    expect(await harness.pay(foreign, hash)).toEqual(contested);
    expect(await harness.payments(foreign, stranger)).toEqual([]);
    expect(await harness.pay(theirs, hash)).toEqual(counted);
    expect(await harness.pay(foreign, hash)).toMatchObject({ success: false, error: taken });
    expect(await paymentsOf(victim, theirs)).toBe(1);
    expect([await receivedBy(victim), await receivedBy(stranger)]).toEqual(['3500000', '0']);
    expect([await completedBy(victim), await completedBy(stranger)]).toEqual([1, 0]);
    expect([await typesTo(victim), await typesTo(stranger)]).toEqual([['paylink.paid'], []]);
  });

  it("rejects a transfer that pays a link of the address's owner, also with a lower or an open amount", async () => {
    const [victim, stranger] = [someWallet(), someWallet()];
    const theirs = await linkOf(victim, victim);
    const foreign = await linkOf(stranger, victim, { openAmount: true, amount: '0' });
    const hash = await harness.paid(3_500_000n, { to: victim });
    expect(await harness.pay(foreign, hash)).toEqual(contested);
    expect(await harness.pay(theirs, hash)).toEqual(counted);
    // A transfer that pays no link of the owner counts for the first reported link.
    expect(await harness.pay(foreign, await harness.paid(1n, { to: victim }))).toEqual(counted);
  });

  it('loses an unconfirmed payment to the owner, even if its report came first', async () => {
    const [victim, stranger] = [someWallet(), someWallet()];
    const [theirs, foreign] = [await linkOf(victim, victim), await linkOf(stranger, victim)];
    await harness.anvil.setAutomine(false);
    const { hash } = await harness.chain.payer.sendTransaction(transferTo(victim));
    expect(await harness.pay(foreign, hash)).toEqual(pending);
    await harness.anvil.setAutomine(true);
    await harness.anvil.mine(1);
    expect(await harness.pay(theirs, hash)).toEqual(pending);
    await harness.anvil.mine(confirmations);
    await decided(victim, theirs, hash, 'counted');
    await decided(stranger, foreign, hash, 'rejected');
    expect(await paymentsOf(stranger, foreign)).toBe(0);
  });

  it('gets none of the payments that are reported concurrently for a link of the owner', async () => {
    const [victim, stranger] = [someWallet(), someWallet()];
    const [theirs, foreign] = [await linkOf(victim, victim), await linkOf(stranger, victim)];
    const hashes: string[] = [];
    while (hashes.length < 8) hashes.push(await harness.paid(3_500_000n, { to: victim }));
    const answers = await inGroups(hashes, 4, (hash, at) =>
      at % 2
        ? [harness.pay(foreign, hash), harness.pay(theirs, hash)]
        : [harness.pay(theirs, hash), harness.pay(foreign, hash)],
    );
    expect(answers.filter(({ success }) => success)).toHaveLength(8);
    expect([await paymentsOf(victim, theirs), await paymentsOf(stranger, foreign)]).toEqual([8, 0]);
  });

  it('loses a counted payment when the owner proves the address and reports the transfer', async () => {
    const [victim, stranger, till] = [someWallet(), someWallet(), Wallet.createRandom()];
    await harness.merchant.addWebhookEndpoint(stranger);
    const [theirs, foreign] = [await linkOf(victim, till.address), await linkOf(stranger, till.address)];
    expect(await harness.link(theirs, victim)).toMatchObject({ receiver_verified: false });
    const hash = await harness.paid(3_500_000n, { to: till.address });
    expect(await harness.pay(foreign, hash)).toEqual(counted);
    expect(await harness.pay(theirs, hash)).toMatchObject({ success: false, error: taken });

    await harness.prove(victim, till);
    expect(await harness.link(theirs, victim)).toMatchObject({ receiver_verified: true });
    expect(await harness.pay(theirs, hash)).toEqual(counted);
    expect([await paymentsOf(victim, theirs), await paymentsOf(stranger, foreign)]).toEqual([1, 0]);
    expect([await receivedBy(victim), await receivedBy(stranger)]).toEqual(['3500000', '0']);
    expect(await harness.payments(foreign, stranger)).toMatchObject([
      { status: 'rejected', reason: claimedByOwner, amount: null },
    ]);
    expect(await typesTo(stranger)).toEqual(['paylink.paid', 'paylink.payment_rejected']);
    const [{ id }] = (await harness.payments(foreign, stranger)) as [PayLinkPayment];
    expect(await harness.eventsOf(id)).toEqual(['paylink-paid', 'paylink-payment-reorged']);
  });

  it('loses every payment when the owner and strangers report concurrently', async () => {
    const [victim, till] = [someWallet(), Wallet.createRandom()];
    const strangers = [someWallet(), someWallet(), someWallet()];
    const theirs = await linkOf(victim, till.address);
    const foreign = await Promise.all(strangers.map((stranger) => linkOf(stranger, till.address)));
    const hashes: string[] = [];
    while (hashes.length < 6) hashes.push(await harness.paid(3_500_000n, { to: till.address }));
    await Promise.all(hashes.map((hash, at) => harness.pay(foreign[at % 3]!, hash)));
    await harness.prove(victim, till);
    const answers = await inGroups(hashes, 2, (hash) =>
      [...foreign, theirs].map((id) => harness.pay(id, hash)),
    );
    expect(answers.length).toBe(24);
    expect(await paymentsOf(victim, theirs)).toBe(6);
    for (const [at, stranger] of strangers.entries())
      expect(await paymentsOf(stranger, foreign[at]!)).toBe(0);
  });

  it('appears as unproven, and the link of the owner as proven', async () => {
    const [victim, stranger] = [someWallet(), someWallet()];
    const [theirs, foreign] = [await linkOf(victim, victim), await linkOf(stranger, victim)];
    const { getPublicPayLink } = publicPaylinksApi.operations;
    const shown = async (id: string) =>
      (await harness.merchant.call(getPublicPayLink, { id })).receiverVerified;
    expect([await shown(theirs), await shown(foreign)]).toEqual([true, false]);
    expect(await harness.link(foreign, stranger)).toMatchObject({ receiver_verified: false });
  });
});

describe('a proven address', () => {
  it('counts a payment for the first report when several wallets have proven the address', async () => {
    const [one, other, till] = [someWallet(), someWallet(), Wallet.createRandom()];
    await harness.prove(one, till);
    await harness.prove(other, till);
    const [first, second] = [await linkOf(one, till.address), await linkOf(other, till.address)];
    const hash = await harness.paid(3_500_000n, { to: till.address });
    expect(await harness.pay(second, hash)).toEqual(counted);
    expect(await harness.pay(first, hash)).toMatchObject({ success: false, error: taken });
  });

  it('counts a payment for the first reported link of one wallet', async () => {
    const wallet = someWallet();
    const links = [await linkOf(wallet, wallet), await linkOf(wallet, wallet)];
    const hash = await harness.paid(3_500_000n, { to: wallet });
    expect(await harness.pay(links[1]!, hash)).toEqual(counted);
    expect(await harness.pay(links[0]!, hash)).toMatchObject({ success: false, error: taken });
  });

  it('becomes unproven after its proof is deleted', async () => {
    const [wallet, till] = [someWallet(), Wallet.createRandom()];
    await harness.prove(wallet, till);
    const id = await linkOf(wallet, till.address);
    const request = { address: till.address };
    await harness.merchant.call(receiversApi.operations.deleteReceiver, request, walletPrincipal(wallet));
    expect(await harness.link(id, wallet)).toMatchObject({ receiver_verified: false });
  });

  it('counts as proven for a key on all EVM chains, for a contract on one chain, and in no other chain family', async () => {
    const [wallet, till, contract] = [someWallet(), Wallet.createRandom(), someWallet()];
    await harness.prove(wallet, till);
    const insert = `INSERT INTO proven_receivers VALUES ($1, $2, 'eip4361', 8453, now())`;
    await harness.merchant.database.query(insert, [wallet, contract]);
    const proven = async (network: string, address: string) =>
      (await harness.create({ network, receiveAddress: address }, wallet)).receiver_verified;
    expect([await proven('base', till.address), await proven(blindChain, till.address)]).toEqual([
      true,
      true,
    ]);
    expect([await proven('base', contract), await proven(blindChain, contract)]).toEqual([true, false]);
    const ton = {
      network: 'ton',
      token: 'USDT',
      receiveAddress: `0:${'a1'.repeat(32)}`,
    };
    expect(await harness.create(ton, wallet)).toMatchObject({ receiver_verified: false });
    // A contract that signs in on another chain proves nothing here, because the address may belong to another
    // contract.
    const signIn = `INSERT INTO contract_wallets VALUES ($1, 10, now())`;
    await harness.merchant.database.query(signIn, [contract]);
    const own = (network: string) => harness.create({ network, receiveAddress: contract }, contract);
    expect(await own('base')).toMatchObject({ receiver_verified: false });
    expect(await own(blindChain)).toMatchObject({ receiver_verified: true });
  });
});

describe('a contested receiver on a network without a node', () => {
  const confirm = (wallet: string, id: string, paymentId: string) =>
    harness.merchant.call(
      paylinkPaymentsApi.operations.confirmPayLinkPayment,
      { id, paymentId },
      walletPrincipal(wallet),
    );
  const reported = async (wallet: string, id: string, hash: string) => {
    expect(await harness.pay(id, hash)).toEqual(unverifiable);
    return (await harness.payments(id, wallet)).find(({ tx_hash }) => tx_hash === hash)!.id;
  };
  const madeUp = (digits: string) => `0x${digits.repeat(64 / digits.length)}`;

  it('rejects reports and confirmations of a stranger for transactions that may pay a link of the owner', async () => {
    const [victim, stranger] = [someWallet(), someWallet()];
    const foreign = await linkOf(stranger, victim, { network: blindChain });
    const early = await reported(stranger, foreign, madeUp('c1'));
    const theirs = await linkOf(victim, victim, { network: blindChain });
    expect(await harness.pay(foreign, madeUp('c2'))).toEqual(contested);
    await expect(confirm(stranger, foreign, early)).rejects.toMatchObject({ code: 'CONFLICT' });
    await confirm(victim, theirs, await reported(victim, theirs, madeUp('c1')));
    expect([await paymentsOf(victim, theirs), await paymentsOf(stranger, foreign)]).toEqual([1, 0]);
  });

  it("reverts a stranger's confirmation when the owner confirms the transaction", async () => {
    const [victim, stranger] = [someWallet(), someWallet()];
    const foreign = await linkOf(stranger, victim, { network: blindChain });
    await confirm(stranger, foreign, await reported(stranger, foreign, madeUp('c3')));
    expect(await receivedBy(stranger)).toBe('3500000');
    const theirs = await linkOf(victim, victim, { network: blindChain });
    await confirm(victim, theirs, await reported(victim, theirs, madeUp('c3')));
    expect([await paymentsOf(victim, theirs), await paymentsOf(stranger, foreign)]).toEqual([1, 0]);
    expect([await receivedBy(victim), await receivedBy(stranger)]).toEqual(['3500000', '0']);
    expect(await harness.payments(foreign, stranger)).toMatchObject([{ reason: claimedByOwner }]);
  });

  it('lets merchants with other receivers confirm the same transaction', async () => {
    const bitcoin = {
      network: 'btc',
      token: 'BTC',
      amount: '1000',
      receiveAddress: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    };
    const other = { ...bitcoin, receiveAddress: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' };
    const hash = 'd1'.repeat(32);
    const [victim, stranger, third] = [someWallet(), someWallet(), someWallet()];
    const links = await Promise.all([
      harness.create(bitcoin, stranger),
      harness.create(other, third),
      harness.create(bitcoin, victim),
    ]);
    for (const [at, wallet] of [stranger, third, victim].entries()) {
      const { id } = links[at]!;
      expect(await confirm(wallet, id, await reported(wallet, id, hash))).toMatchObject({ confirmed: true });
      expect(await paymentsOf(wallet, id)).toBe(1);
    }
    const again = await harness.create(bitcoin, victim);
    expect(await harness.pay(again.id, hash)).toMatchObject({ success: false, error: taken });
  });
});

describe('a PayLink reference at the end of the transaction data', () => {
  const sendTo = async (receiver: string, reference: string): Promise<string> => {
    const { to, data } = transferTo(receiver);
    const { hash } = await harness.chain.payer.sendTransaction({ to, data: data + reference.slice(2) });
    await harness.chain.mined(hash);
    await harness.anvil.mine(confirmations);
    return hash;
  };
  const named = {
    success: false,
    verified: false,
    error: 'The transaction data references another PayLink.',
  };

  it('counts the transfer for the referenced link, even if another link is reported first', async () => {
    const wallet = someWallet();
    const [one, other] = [await linkOf(wallet, wallet), await linkOf(wallet, wallet)];
    const { reference } = await harness.link(other, wallet);
    const hash = await sendTo(wallet, reference!);
    expect(await harness.pay(one, hash)).toEqual(named);
    expect(await harness.pay(other, hash)).toEqual(counted);
  });

  it('counts the transfer only for the referenced link, even if that link is unproven', async () => {
    const [victim, stranger] = [someWallet(), someWallet()];
    const [theirs, foreign] = [await linkOf(victim, victim), await linkOf(stranger, victim)];
    const ofOwner = await sendTo(victim, (await harness.link(theirs, victim)).reference!);
    expect(await harness.pay(foreign, ofOwner)).toEqual(named);
    expect(await harness.pay(theirs, ofOwner)).toEqual(counted);
    const ofOther = await sendTo(victim, (await harness.link(foreign, stranger)).reference!);
    expect(await harness.pay(theirs, ofOther)).toEqual(named);
    expect(await harness.pay(foreign, ofOther)).toEqual(counted);
  });

  it('counts a transfer of the coin for the referenced link', async () => {
    const wallet = someWallet();
    const coin = { token: 'ETH', amount: '1000' };
    const [one, other] = [await linkOf(wallet, wallet, coin), await linkOf(wallet, wallet, coin)];
    const { reference } = await harness.link(other, wallet);
    const { hash } = await harness.chain.payer.sendTransaction({
      to: wallet,
      value: 1_000n,
      data: reference!,
    });
    await harness.chain.mined(hash);
    await harness.anvil.mine(confirmations);
    expect(await harness.pay(one, hash)).toEqual(named);
    expect(await harness.pay(other, hash)).toEqual(counted);
  });

  it('has no effect when it references no link of this receiver', async () => {
    const [wallet, elsewhere] = [someWallet(), someWallet()];
    const [id, foreign] = [await linkOf(wallet, wallet), await linkOf(elsewhere, elsewhere)];
    const unknown = `0x7462706c${'ab'.repeat(16)}`;
    const { reference } = await harness.link(foreign, elsewhere);
    for (const given of [unknown, reference!, '0xdeadbeef'])
      expect(await harness.pay(id, await sendTo(wallet, given))).toEqual(counted);
  });
});

it('lockStatement locks a link and its rivals without a sequential scan', async () => {
  const client = new Client({ connectionString: harness.merchant.database.ownerUrl });
  await client.connect();
  try {
    await client.query('SET enable_seqscan = off');
    const link = [randomUUID(), 'eip155:8453', `0x${'ab'.repeat(32)}`];
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${lockStatement}`, link);
    expect(rows.map((row) => row['QUERY PLAN']).filter((line) => line.includes('Seq Scan'))).toEqual([]);
  } finally {
    await client.end();
  }
});

const decided = (wallet: string, id: string, hash: string, status: string) =>
  eventually(async () => {
    const payments = await harness.payments(id, wallet);
    expect(payments.find(({ tx_hash }) => tx_hash === hash)).toMatchObject({ status });
  });

function transferTo(receiver: string): { to: string; data: string } {
  const data = `0xa9059cbb${receiver.slice(2).toLowerCase().padStart(64, '0')}${3_500_000n.toString(16).padStart(64, '0')}`;
  return { to: harness.chain.usdc.address, data };
}
