// Preloaded into the payment ledger: disables the steps in BENCH_LEDGER_WITHOUT (`commits`, `checks`, `receipts`) to
// show their total cost, including waits. Such a ledger loses money.
import { createRequire } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const load = createRequire(import.meta.url);
const { LedgerRepository } = load('../../../apps/tee/dist/ledger/storage/ledger.repository.js');
const { ReceiptKey } = load('../../../apps/tee/dist/signing/receipt-key.js');
const { Verifier } = load('../../../apps/tee/dist/verification/verifier.js');

const noSignature = Buffer.alloc(64);

const leaveOut = {
  commits() {
    const earned = new Map();
    LedgerRepository.prototype.commit = async ({ accounts }) => {
      for (const account of accounts) earned.set(account.key, account.earned);
    };
    // Without commits, the tables do not contain the earnings.
    process.on('message', ({ earnedBy }) => {
      const key = Buffer.from(earnedBy, 'hex').toString('latin1');
      process.send({ earned: String(earned.get(key) ?? 0) });
    });
  },
  checks() {
    Verifier.prototype.check = async () => 'right';
  },
  receipts() {
    ReceiptKey.prototype.sign = () => noSignature;
  },
};

if (isMainThread) for (const part of process.env.BENCH_LEDGER_WITHOUT.split(',')) leaveOut[part]();
