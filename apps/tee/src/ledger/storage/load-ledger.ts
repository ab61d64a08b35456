import { Approvals } from '../rules/approvals';
import { Ledger } from '../ledger';
import type { LedgerRepository } from './ledger.repository';
import { PaymentRates } from '../rules/payment-rates';

/** Reads the stored ledger: live payments, open approvals, and the data of open holds. */
export async function loadLedger(
  repository: LedgerRepository,
  { seq, head }: Ledger['position'],
  nowMs: number,
): Promise<Ledger> {
  const [rates, approvals] = [new PaymentRates(), new Approvals()];
  const ledger = new Ledger(seq, head, rates, approvals);
  for await (const payments of repository.livePayments(nowMs)) {
    for (const payment of payments) ledger.restore(payment);
    if (ledger.nonces.isOverfull)
      throw new Error('More live payments than fit into memory. Raise --max-old-space-size of Node.js.');
  }
  for await (const channels of repository.openChannels())
    for (const { confirmationId, channel } of channels) ledger.restoreChannel(confirmationId, channel);
  for (const approval of await repository.openApprovals(nowMs)) approvals.restore(approval);
  await bringHeld(repository, ledger, nowMs);
  return ledger;
}

/** Loads accounts and sessions of open holds, because holds expire without a call. */
async function bringHeld(repository: LedgerRepository, ledger: Ledger, nowMs: number): Promise<void> {
  const keys = ledger.heldAccounts();
  const found = new Map((await repository.accounts(keys)).map((account) => [account.key, account]));
  for (const key of keys) ledger.bring(key, found.get(key), nowMs);
  const sessions = await repository.sessions(ledger.heldSessions(), nowMs);
  for (const session of sessions) ledger.bringSession(session);
}
