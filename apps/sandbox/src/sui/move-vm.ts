import { join, dirname } from 'node:path';
import { IdleThread } from '../networks/idle-thread';
import { paymentTest, type MoveTest, type PaymentCall } from './payment-test';

/** Effects of the module for a payment. */
export type PaymentRun = { readonly isPaid: true } | { readonly isPaid: false; readonly abortCode: number };

interface TestResult {
  passed: string[];
  failed: string[];
  output: string;
}

// An ES module beside the Move sources of the package, which it compiles.
const workerFile = join(dirname(require.resolve('@tollbridge/onchain')), '../sui/move-test-worker.mjs');
// Starting takes a second, and a test 200 ms.
const idleMs = 5_000;
const abort = /aborted with code (\d+) originating in the module tollbridge::pay /;

/** Sui's compiler and virtual machine as WebAssembly, in a thread that uses about 75 MB until soon after a payment. */
export class MoveVm {
  private readonly thread: IdleThread<MoveTest, TestResult>;

  constructor(idleAfterMs = idleMs) {
    this.thread = new IdleThread(workerFile, idleAfterMs);
  }

  /** @throws Error when the virtual machine neither pays nor aborts in the payment module */
  async pay(call: PaymentCall): Promise<PaymentRun> {
    const { passed, output } = await this.thread.ask(paymentTest(call));
    if (passed.length === 1) return { isPaid: true };
    const code = abort.exec(output)?.[1];
    if (code === undefined)
      throw new Error(`The virtual machine disagrees with the local network: ${output}`);
    return { isPaid: false, abortCode: Number(code) };
  }

  /** Whether the thread exists and uses its memory. */
  get isRunning(): boolean {
    return this.thread.isRunning;
  }

  /** Ends the thread and fails pending payments. The next payment starts another one. */
  close(): Promise<void> {
    return this.thread.close();
  }
}
