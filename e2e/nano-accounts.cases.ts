import { randomBytes } from 'node:crypto';
import { readAttestation } from '@tollbridge/attestation';
import {
  approvalDecisionBytes,
  cancellationBytes,
  policyBytes,
  withdrawalBytes,
} from '@tollbridge/nanopay-protocol';
import { eventually } from '@tollbridge/testing';
import { expectFailure, route } from './covered-routes';
import type { Api, Reply } from './http';
import { NanoBuyer, seller } from './nano-buyer';
import type { Harness } from './harness';

type Shared = () => { harness: Harness; api: Api };

const unknownAccount = `0:${'ab'.repeat(32)}`;

/** Nano-payment accounts, their owners' orders, and the attestation of the ledger service. */
export function nanoAccountsCases(shared: Shared): void {
  const newBuyer = (amountAtomic?: bigint): Promise<NanoBuyer> =>
    NanoBuyer.in(shared().harness, shared().api, amountAtomic);
  const get = (path: string): Promise<Reply> => shared().api.get(path);
  const post = (path: string, body: object): Promise<Reply> => shared().api.post(path, body);

  readingCases({ get, post, newBuyer });
  policyCases({ get, post, newBuyer });
  approvalCases({ get, post, newBuyer });
  cancellationCases({ get, post, newBuyer });
  withdrawalCases({ get, post, newBuyer }, shared);
  attestationCases(get, shared);
}

interface Calls {
  get(path: string): Promise<Reply>;
  post(path: string, body: object): Promise<Reply>;
  newBuyer(amountAtomic?: bigint): Promise<NanoBuyer>;
}

/** The ledger service is down until another process replaces it. */
async function withEnclaveGone(shared: Shared, run: () => Promise<void>): Promise<void> {
  const { harness, api } = shared();
  const { tee } = harness.state.pids;
  process.kill(tee!, 'SIGKILL');
  try {
    // A call before the bus detects the disconnect would have an unknown outcome.
    await eventually(() => expect(() => process.kill(tee!, 0)).toThrow('ESRCH'), { everyMs: 5 });
    await run();
  } finally {
    await eventually(
      async () => {
        expect(harness.state.pids['tee']).not.toBe(tee);
        expect((await api.get(`/balance/${unknownAccount}`)).status).toBe(200);
        expect((await api.get('/attestation')).status).toBe(200);
      },
      { everyMs: 100 },
    );
  }
}

/**
 * Nothing was done, and the client may retry. Called several times, because the first call could be lost with the
 * ledger service.
 */
async function expectAway(call: () => Promise<Reply>): Promise<void> {
  const answers: Promise<void>[] = [];
  for (let count = 0; count < 10; count++) {
    const answer = expectFailure(call(), 503, 'SERVICE_UNAVAILABLE');
    answer.catch(() => undefined);
    answers.push(answer);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await Promise.any(answers);
}

function readingCases({ get, post, newBuyer }: Calls): void {
  route('GET /balance/{address}', {
    'OK: returns deposits and spending, and zeros for an unknown account': async () => {
      const buyer = await newBuyer();
      await post('/verify', buyer.authorization());
      const { body } = await get(`/balance/${buyer.address}`);
      expect(body).toMatchObject({
        available: '999000',
        spent: '1000',
        deposited: '1000000',
        totalSpent: '1000',
      });
      expect((await get(`/balance/${seller}`)).body.earned).toMatch(/^[1-9]\d*000$/);
      expect((await get(`/balance/${unknownAccount}`)).body).toMatchObject({
        available: '0',
        deposited: '0',
      });
    },
    'VALIDATION_ERROR: rejects a malformed account': () =>
      expectFailure(get('/balance/unknown'), 400, 'VALIDATION_ERROR', 'address'),
  });

  route('GET /stats', {
    'OK: counts payments': async () => {
      const before = (await get('/stats')).body;
      await post('/verify', (await newBuyer()).authorization());
      // The statistics are at most one second old.
      await eventually(async () => {
        const { body } = await get('/stats');
        expect(Number(body.payments)).toBe(Number(before.payments) + 1);
        expect(Number(body.volume)).toBe(Number(before.volume) + 1000);
        expect(body.ledger.head).not.toBe(before.ledger.head);
      });
    },
  });

  route('GET /receipts/{id}', {
    'OK: returns the receipt of the payment': async () => {
      const buyer = await newBuyer();
      const { body: paid } = await post('/verify', buyer.authorization());
      const { body } = await get(`/receipts/${paid.confirmationId}`);
      expect(body).toMatchObject({
        status: 'captured',
        from: buyer.address,
        to: seller,
        chargedAmount: '1000',
      });
      expect(body.receipt).toEqual(paid.extra.receipt);
      expect(body.refund).toBeNull();
    },
    NOT_FOUND: () => expectFailure(get(`/receipts/${'ab'.repeat(16)}`), 404, 'NOT_FOUND'),
  });
}

function policyOf(buyer: NanoBuyer, maxAmountAtomic: bigint, signedBy = buyer): object {
  const order = buyer.orderOf();
  const message = policyBytes(order, { maxAmountAtomic, rateLimit: 60, ...order });
  const limits = { address: buyer.address, maxAmount: maxAmountAtomic.toString(), rateLimit: 60 };
  return { ...limits, proof: signedBy.proof(message, order) };
}

function policyCases({ get, post, newBuyer }: Calls): void {
  route('POST /policy', {
    'OK: accepts the signature of the owner': async () => {
      const buyer = await newBuyer();
      const { body } = await post('/policy', policyOf(buyer, 5000n));
      expect(body).toMatchObject({ address: buyer.address, maxAmount: '5000', rateLimit: 60 });
    },
    'FORBIDDEN: rejects an unsigned policy and the signature of another account': async () => {
      const [buyer, stranger] = [await newBuyer(), await newBuyer()];
      const unsigned = { address: buyer.address, maxAmount: '0', rateLimit: 0 };
      for (const order of [unsigned, policyOf(buyer, 0n, stranger)])
        await expectFailure(post('/policy', order), 403, 'FORBIDDEN');
      expect((await get(`/policy/${buyer.address}`)).body.maxAmount).toBeNull();
    },
    'CONFLICT: rejects a repeated signature': async () => {
      const order = policyOf(await newBuyer(), 5000n);
      expect((await post('/policy', order)).status).toBe(200);
      await expectFailure(post('/policy', order), 409, 'CONFLICT');
    },
    'VALIDATION_ERROR: lists all bad fields': () =>
      expectFailure(
        post('/policy', { address: 'me', maxAmount: '-1', rateLimit: 0.5 }),
        400,
        'VALIDATION_ERROR',
        'address',
        'maxAmount',
        'rateLimit',
      ),
  });

  route('GET /policy/{address}', {
    'OK: returns the stored policy, and the default of an account without one': async () => {
      const buyer = await newBuyer();
      await post('/policy', policyOf(buyer, 7000n));
      expect((await get(`/policy/${buyer.address}`)).body).toMatchObject({
        maxAmount: '7000',
        rateLimit: 60,
      });
      expect((await get(`/policy/${unknownAccount}`)).body).toMatchObject({
        maxAmount: null,
        updatedAt: null,
      });
    },
  });
}

function approvalCases({ get, post, newBuyer }: Calls): void {
  /** A payer with a limit of 500, and a payment of 1000 that waits for approval. */
  const asked = async (): Promise<{ buyer: NanoBuyer; id: string }> => {
    const buyer = await newBuyer();
    await post('/policy', policyOf(buyer, 500n));
    const { body } = await post('/verify', buyer.authorization());
    expect(body).toMatchObject({ isValid: false, invalidReason: 'approval_required' });
    return { buyer, id: body.extra.approvalId };
  };
  const decide = (verb: string, id: string, owner: NanoBuyer, signedBy = owner): Promise<Reply> => {
    const order = owner.orderOf();
    const decision = { approvalId: Buffer.from(id, 'hex'), isApproved: verb === 'approve', ...order };
    const proof = signedBy.proof(approvalDecisionBytes(order, decision), order);
    return post(`/approvals/${id}/${verb}`, { proof });
  };

  route('GET /approvals', {
    'OK: lists the approvals of one payer by state': async () => {
      const { buyer, id } = await asked();
      const { body } = await get(`/approvals?address=${buyer.address}&status=pending`);
      expect(body).toMatchObject({
        count: 1,
        approvals: [{ id, from: buyer.address, to: seller, amount: '1000' }],
      });
      expect((await get(`/approvals?address=${buyer.address}&status=used`)).body.count).toBe(0);
    },
    'OK: reads a limit above 100 as 100': async () => {
      const { status, body } = await get('/approvals?limit=101');
      expect([status, body.limit]).toEqual([200, 100]);
    },
    'VALIDATION_ERROR: rejects a malformed query': () =>
      expectFailure(get('/approvals?limit=0'), 400, 'VALIDATION_ERROR', 'limit'),
  });

  route('POST /approvals/{id}/approve', {
    'OK: accepts the approved payment once': async () => {
      const { buyer, id } = await asked();
      expect((await decide('approve', id, buyer)).body).toMatchObject({ id, status: 'approved' });
      expect((await post('/verify', buyer.authorization())).body.isValid).toBe(true);
      expect((await post('/verify', buyer.authorization())).body.invalidReason).toBe('approval_required');
    },
    NOT_FOUND: async () =>
      expectFailure(decide('approve', 'ab'.repeat(16), await newBuyer()), 404, 'NOT_FOUND'),
    'FORBIDDEN: rejects an unsigned decision and the signature of the seller': async () => {
      const { buyer, id } = await asked();
      await expectFailure(post(`/approvals/${id}/approve`, {}), 403, 'FORBIDDEN');
      await expectFailure(decide('approve', id, buyer, await newBuyer()), 403, 'FORBIDDEN');
    },
    'CONFLICT: rejects a second decision': async () => {
      const { buyer, id } = await asked();
      await decide('reject', id, buyer);
      await expectFailure(decide('approve', id, buyer), 409, 'CONFLICT');
    },
  });

  route('POST /approvals/{id}/reject', {
    'OK: continues to reject the payment': async () => {
      const { buyer, id } = await asked();
      expect((await decide('reject', id, buyer)).body).toMatchObject({ id, status: 'rejected' });
      expect((await post('/verify', buyer.authorization())).body.invalidReason).toBe('approval_rejected');
    },
    NOT_FOUND: async () =>
      expectFailure(decide('reject', 'ab'.repeat(16), await newBuyer()), 404, 'NOT_FOUND'),
    FORBIDDEN: async () => {
      const { buyer, id } = await asked();
      await expectFailure(decide('reject', id, buyer, await newBuyer()), 403, 'FORBIDDEN');
    },
    'CONFLICT: rejects a second approval': async () => {
      const { buyer, id } = await asked();
      await decide('approve', id, buyer);
      await expectFailure(decide('reject', id, buyer), 409, 'CONFLICT');
    },
  });
}

function cancellationCases({ get, post, newBuyer }: Calls): void {
  const cancel = (buyer: NanoBuyer, nonce: unknown, signedBy = buyer): Promise<Reply> => {
    const order = buyer.orderOf();
    const message = cancellationBytes(order, Buffer.from(String(nonce), 'hex'), order.validBeforeS);
    const { nonce: _none, ...proof } = signedBy.proof(message, order) as { nonce: string };
    return post('/cancel', { address: buyer.address, nonce, proof });
  };

  route('POST /cancel', {
    'OK: releases the hold, never charges a signed payment, and may be repeated': async () => {
      const buyer = await newBuyer();
      const held = buyer.facilitation();
      expect((await post('/verify', held)).body.extra.status).toBe('held');
      const { nonce } = held['paymentPayload'].payload.authorization;
      const { body } = await cancel(buyer, nonce);
      expect(body).toEqual({ address: buyer.address, nonce, status: 'cancelled' });
      expect((await cancel(buyer, nonce)).body).toEqual(body);
      expect((await get(`/balance/${buyer.address}`)).body).toMatchObject({
        available: '1000000',
        reserved: '0',
      });
      expect((await post('/settle', held)).body.success).toBe(false);
      const signed = buyer.authorization();
      await cancel(buyer, signed['nonce']);
      expect((await post('/verify', signed)).body.invalidReason).toBe('payment_cancelled');
    },
    'FORBIDDEN: rejects a cancellation by the seller': async () => {
      const [buyer, other] = [await newBuyer(), await newBuyer()];
      const signed = buyer.authorization();
      await expectFailure(cancel(buyer, signed['nonce'], other), 403, 'FORBIDDEN');
      expect((await post('/verify', signed)).body.isValid).toBe(true);
    },
    'CONFLICT: rejects the cancellation of a charged payment': async () => {
      const buyer = await newBuyer();
      const signed = buyer.authorization();
      await post('/verify', signed);
      await expectFailure(cancel(buyer, signed['nonce']), 409, 'CONFLICT');
    },
  });
}

function withdrawalOf(buyer: NanoBuyer, amountAtomic: bigint, nonce?: Buffer, signedBy = buyer): object {
  const [order, destination] = [buyer.orderOf(nonce), `0:${'33'.repeat(32)}`];
  const message = withdrawalBytes(order, { destination, amountAtomic, ...order });
  const wanted = { address: buyer.address, destination, amount: amountAtomic.toString() };
  return { ...wanted, proof: signedBy.proof(message, order) };
}

function withdrawalCases({ get, post, newBuyer }: Calls, shared: Shared): void {
  route('POST /withdraw', {
    'OK: reserves the amount, and returns the same withdrawal for a repeated call': async () => {
      const buyer = await newBuyer();
      const order = withdrawalOf(buyer, 400_000n);
      const { body } = await post('/withdraw', order);
      expect(body).toMatchObject({ address: buyer.address, amount: '400000' });
      expect((await post('/withdraw', order)).body.withdrawalId).toBe(body.withdrawalId);
      expect((await get(`/balance/${buyer.address}`)).body.available).toBe('600000');
    },
    'FORBIDDEN: rejects the signature of another account': async () => {
      const [buyer, stranger] = [await newBuyer(), await newBuyer()];
      const order = withdrawalOf(buyer, 1000n, undefined, stranger);
      await expectFailure(post('/withdraw', order), 403, 'FORBIDDEN');
    },
    'CONFLICT: rejects the nonce of another withdrawal': async () => {
      const [buyer, nonce] = [await newBuyer(), randomBytes(32)];
      expect((await post('/withdraw', withdrawalOf(buyer, 1000n, nonce))).status).toBe(200);
      await expectFailure(post('/withdraw', withdrawalOf(buyer, 2000n, nonce)), 409, 'CONFLICT');
    },
    'INSUFFICIENT_BALANCE: rejects an amount above the balance': async () => {
      const buyer = await newBuyer();
      await expectFailure(post('/withdraw', withdrawalOf(buyer, 1_000_001n)), 422, 'INSUFFICIENT_BALANCE');
    },
    'SERVICE_UNAVAILABLE: fails while the ledger service is down': async () => {
      const order = withdrawalOf(await newBuyer(), 1000n);
      await withEnclaveGone(shared, () => expectAway(() => post('/withdraw', order)));
      expect((await post('/withdraw', order)).status).toBe(200);
    },
  });

  route('GET /withdraw', {
    'OK: lists the withdrawals of the account of the authenticated owner': async () => {
      const buyer = await newBuyer();
      const { body } = await post('/withdraw', withdrawalOf(buyer, 1000n));
      const headers = { 'x-wallet': buyer.address };
      const listed = await shared().api.send('GET', '/withdraw', undefined, headers);
      expect(listed.body.withdrawals).toMatchObject([{ withdrawalId: body.withdrawalId, amount: '1000' }]);
    },
    'FORBIDDEN: rejects a wallet that is not a TON account': () =>
      expectFailure(get('/withdraw'), 403, 'FORBIDDEN'),
  });

  route('GET /withdraw/{id}', {
    'OK: returns the state of a withdrawal': async () => {
      const { body } = await post('/withdraw', withdrawalOf(await newBuyer(), 1000n));
      expect((await get(`/withdraw/${body.withdrawalId}`)).body).toMatchObject({ amount: '1000' });
    },
    NOT_FOUND: () => expectFailure(get('/withdraw/01a1faec-0000-7000-8000-000000000000'), 404, 'NOT_FOUND'),
  });
}

function attestationCases(get: Calls['get'], shared: Shared): void {
  route('GET /attestation', {
    'OK: returns an unattested document for the given nonce': async () => {
      const nonce = randomBytes(16).toString('hex');
      const { body } = await get(`/attestation?nonce=${nonce}`);
      expect(body).toMatchObject({ version: 1, mode: 'none', attested: false, isDevelopment: true, nonce });
      expect(body.warning).toEqual(expect.any(String));
      expect(readAttestation(body)).toMatchObject({ teePublicKey: body.teePublicKey });
    },
    'VALIDATION_ERROR: rejects a nonce of odd length and one that is too long': async () => {
      for (const nonce of ['abc', 'ab'.repeat(65)])
        await expectFailure(get(`/attestation?nonce=${nonce}`), 400, 'VALIDATION_ERROR', 'nonce');
    },
    'SERVICE_UNAVAILABLE: fails while the ledger service is down': () =>
      withEnclaveGone(shared, () => expectAway(() => get('/attestation'))),
  });
}
