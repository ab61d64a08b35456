import type { KeyObject } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { isSignature, isStrongKey, publicKeyOf, signingKey, type SigningKey } from '@tollbridge/nanopay';

// The thread that checks signatures and makes them.

/** What is to be checked (digest, key, signature) or signed (digest), one after the other in `bytes`. */
export interface Task {
  id: number;
  kind: 'verify' | 'verify-new-keys' | 'sign';
  bytes: Uint8Array;
}

export interface TaskResult {
  id: number;
  /** One byte for each check (see `verdicts`), or 64 for each signature. */
  bytes: Uint8Array;
}

export const checkLength = 32 + 32 + 64;
export const verdicts = { wrong: 0, right: 1, weakKey: 2 } as const;

// A KeyObject takes as long to make as a signature to check, and about a kilobyte.
const maxKeys = 20_000;
const keys = new Map<string, KeyObject>();

function keyObject(bytes: Buffer): KeyObject {
  const name = bytes.toString('latin1');
  let key = keys.get(name);
  if (!key) {
    key = publicKeyOf(bytes);
    // The oldest go first: who pays often comes back by the next miss.
    if (keys.size >= maxKeys) keys.delete(keys.keys().next().value!);
    keys.set(name, key);
  }
  return key;
}

function check(item: Buffer, isNewKey: boolean): number {
  const key = item.subarray(32, 64);
  if (isNewKey && !isStrongKey(key)) return verdicts.weakKey;
  return isSignature(item.subarray(0, 32), item.subarray(64), keyObject(key))
    ? verdicts.right
    : verdicts.wrong;
}

function run({ kind, bytes }: Task, enclaveKey: SigningKey): Uint8Array {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (kind === 'sign') {
    const signatures = new Uint8Array((all.length / 32) * 64);
    for (let at = 0; at < all.length; at += 32)
      signatures.set(enclaveKey.sign(all.subarray(at, at + 32)), at * 2);
    return signatures;
  }
  const answers = new Uint8Array(all.length / checkLength);
  for (let index = 0; index < answers.length; index++) {
    const item = all.subarray(index * checkLength, (index + 1) * checkLength);
    answers[index] = check(item, kind === 'verify-new-keys');
  }
  return answers;
}

if (parentPort) {
  const port = parentPort;
  const { seed } = workerData as { seed: Uint8Array };
  const key = signingKey(seed);
  port.on('message', (task: Task) => {
    const bytes = run(task, key);
    const result: TaskResult = { id: task.id, bytes };
    port.postMessage(result, [bytes.buffer as ArrayBuffer]);
  });
}
