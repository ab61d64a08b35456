import { mined } from '@tollbridge/onchain';
import { eventually } from '@tollbridge/testing';
import { Contract, HDNodeWallet, JsonRpcProvider, Wallet } from 'ethers';
import { expectFailure, route } from '../covered-routes';
import { unlessBusy } from '../unless-busy';
import { heldBy, recipient, Treasury } from './payout-treasury';
import type { ServicesHarness } from './services-harness';
import { whileNodeHangs } from './hanging-node';

const unknownId = '01a1faec-0000-7000-8000-000000000000';

/** Shared by the cases. The treasury is open when the first case runs. */
interface Payouts {
  it: ServicesHarness;
  treasury: Treasury;
  held(address: string): Promise<bigint>;
}

/** Approval, sending and events of payouts. */
export function payoutCases(it: ServicesHarness): void {
  let provider: JsonRpcProvider;
  const held = (address: string): Promise<bigint> => heldBy(it.sandbox, provider, address);
  const payouts = { it, held } as Payouts;

  beforeAll(async () => {
    const [chain] = it.sandbox.chains;
    provider = new JsonRpcProvider(chain.rpcUrl, chain.chainId, { staticNetwork: true, cacheTimeout: -1 });
    const { privateKey } = it.sandbox.accounts.find(({ role }: any) => role === 'second_payer');
    payouts.treasury = new Treasury(it, new Wallet(privateKey, provider));
    await payouts.treasury.open();
  });
  afterAll(() => provider?.destroy());

  budgetCases(payouts);
  const cases = [meansCases, approvalCases, chainCases].map((casesOf) => casesOf(payouts));
  route('POST /payout/{id}/approve', Object.assign({}, ...cases) as Cases);
  rejectCases(payouts);
}

type Cases = Record<string, () => Promise<void>>;

function budgetCases(p: Payouts): void {
  const overBudget = async (bounds: object, code: string): Promise<void> => {
    const body = JSON.stringify({ label: 'Small', permissions: ['read', 'write'], ...bounds });
    const { secret } = (await p.it.api.send('POST', '/api/keys', body, p.treasury.asWallet)).body;
    p.it.secrets.push(secret);
    const wish = {
      wallet: p.treasury.account.address,
      chain: 'base',
      token: 'USDC',
      recipients: [recipient()],
    };
    const headers = { authorization: `Bearer ${secret}` };
    const ask = () => p.it.api.send('POST', '/payout/batch', JSON.stringify(wish), headers);
    await expectFailure(unlessBusy(ask), 403, code);
  };

  // The other cases of this route are beside those of the preview.
  route('POST /payout/batch', {
    'BUDGET_EXCEEDED: rejects an amount above the monthly budget': () =>
      overBudget({ monthlyBudget: '20' }, 'BUDGET_EXCEEDED'),
    'MAX_PER_TX_EXCEEDED: rejects an amount above maxPerTx': () =>
      overBudget({ maxPerTx: '20' }, 'MAX_PER_TX_EXCEEDED'),
  });
}

function meansCases(p: Payouts): Cases {
  return {
    'INSUFFICIENT_ALLOWANCE: fails before Permit2 is approved': async () => {
      const id = await p.treasury.submit();
      const { allowance } = await p.treasury.read(id);
      await expectFailure(p.treasury.approve(id, await p.treasury.sign(id)), 422, 'INSUFFICIENT_ALLOWANCE');
      await mined(await p.treasury.account.sendTransaction(allowance.transaction));
      expect((await p.treasury.read(id)).allowance.transaction).toBeNull();
    },
    'INSUFFICIENT_BALANCE: fails for an empty wallet': async () => {
      const poor = new Treasury(p.it, HDNodeWallet.createRandom());
      await poor.open();
      const id = await poor.submit();
      await expectFailure(poor.approve(id, await poor.sign(id)), 422, 'INSUFFICIENT_BALANCE');
    },
    'OK: pays every recipient and notifies the wallet': async () => {
      const recipients = [recipient(), recipient(), recipient()];
      const id = await p.treasury.submit({ recipients });
      const { status, body } = await p.treasury.approve(id, await p.treasury.sign(id));
      expect([status, body]).toEqual([200, { payoutId: id, state: 'sending' }]);
      const record = await eventually(async () => {
        const now = await p.treasury.read(id);
        expect(now.state).toBe('completed');
        return now;
      });
      for (const { address } of recipients) expect(await p.held(address)).toBe(25_000_000n);
      for (const paid of record.recipients)
        expect(paid).toMatchObject({ status: 'paid', transactionHash: record.batches[0].transactionHash });
      await eventually(async () => {
        const sent = await p.it.api.send('GET', '/api/webhooks', undefined, p.treasury.asWallet);
        const updates = sent.body.webhooks.filter(({ type }: any) => type === 'payout.updated');
        expect(updates.length).toBeGreaterThanOrEqual(3);
      });
    },
  };
}

function approvalCases(p: Payouts): Cases {
  return {
    'SECOND_KEY_REQUIRED: rejects approval by the submitting key': async () => {
      const id = await p.treasury.submit();
      await expectFailure(
        p.treasury.approveWithFirst(id, await p.treasury.sign(id)),
        403,
        'SECOND_KEY_REQUIRED',
      );
    },
    'INVALID_SIGNATURE: rejects the signature of another payout': async () => {
      const [id, other] = [await p.treasury.submit(), await p.treasury.submit()];
      await expectFailure(p.treasury.approve(id, await p.treasury.sign(other)), 400, 'INVALID_SIGNATURE');
    },
    'VALIDATION_ERROR: rejects missing signatures': async () => {
      const id = await p.treasury.submit();
      await expectFailure(p.treasury.approve(id, []), 400, 'VALIDATION_ERROR', 'signatures');
    },
    NOT_FOUND: () => expectFailure(p.treasury.approve(unknownId, []), 404, 'NOT_FOUND'),
    'CONFLICT: rejects a second approval': async () => {
      const id = await p.treasury.submit();
      const signatures = await p.treasury.sign(id);
      expect((await p.treasury.approve(id, signatures)).status).toBe(200);
      await expectFailure(p.treasury.approve(id, signatures), 409, 'CONFLICT');
    },
  };
}

function chainCases(p: Payouts): Cases {
  return {
    'TRANSACTION_FAILED: fails when the wallet has cancelled the permit on the chain': async () => {
      const id = await p.treasury.submit();
      const signatures = await p.treasury.sign(id);
      const { domain, message } = (await p.treasury.read(id)).batches[0].typedData;
      const abi = ['function invalidateUnorderedNonces(uint256 word, uint256 mask)'];
      const permit2 = new Contract(domain.verifyingContract, abi, p.treasury.account);
      const nonce = BigInt(message.nonce);
      await mined(await permit2.getFunction('invalidateUnorderedNonces')(nonce >> 8n, 1n << (nonce & 255n)));
      await expectFailure(p.treasury.approve(id, signatures), 422, 'TRANSACTION_FAILED');
    },
    'GAS_LIMIT_EXCEEDED: rejects a payout with a fee that does not cover the gas': async () => {
      const id = await p.treasury.submit({ recipients: [{ ...recipient(), amount: 0.000001 }] });
      await expectFailure(p.treasury.approve(id, await p.treasury.sign(id)), 422, 'GAS_LIMIT_EXCEEDED');
    },
    'UPSTREAM_UNAVAILABLE: fails while the node does not respond': async () => {
      const id = await p.treasury.submit({ chain: 'arb' });
      const signatures = await p.treasury.sign(id);
      await whileNodeHangs(p.it, () =>
        expectFailure(p.treasury.approve(id, signatures), 502, 'UPSTREAM_UNAVAILABLE'),
      );
    },
  };
}

function rejectCases(p: Payouts): void {
  route('POST /payout/{id}/reject', {
    OK: async () => {
      const id = await p.treasury.submit();
      expect((await p.treasury.reject(id)).body).toEqual({ payoutId: id, state: 'rejected' });
      expect((await p.treasury.read(id)).recipients[0]).toMatchObject({ status: 'failed' });
    },
    NOT_FOUND: () => expectFailure(p.treasury.reject(unknownId), 404, 'NOT_FOUND'),
    'CONFLICT: rejects a second decision': async () => {
      const id = await p.treasury.submit();
      await p.treasury.reject(id);
      await expectFailure(p.treasury.reject(id), 409, 'CONFLICT');
    },
  });
}
