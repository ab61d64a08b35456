import type { AccountsByAddress } from './deployment';

const callTimeoutMs = 15_000;
const pollEveryMs = 1_000;

/** Calls a Solana node for a deployment. Errors do not contain its URL, which may contain an access token. */
export class SolanaNode {
  constructor(
    private readonly url: string,
    private readonly pollMs = pollEveryMs,
  ) {}

  async accounts(addresses: readonly string[]): Promise<AccountsByAddress> {
    const options = { encoding: 'base64', commitment: 'confirmed' };
    const { value } = await this.call<{ value: (RawAccount | null)[] }>('getMultipleAccounts', [
      addresses,
      options,
    ]);
    return new Map(
      value.flatMap((account, index) => {
        if (!account) return [];
        const { owner, lamports, data } = account;
        return [
          [
            addresses[index]!,
            { owner, lamports: BigInt(lamports), data: Buffer.from(data[0], 'base64') },
          ] as const,
        ];
      }),
    );
  }

  /** Minimum balance, in lamports, of an account with this many bytes. */
  async rent(bytes: number): Promise<bigint> {
    return BigInt(await this.call<number>('getMinimumBalanceForRentExemption', [bytes]));
  }

  async recentBlock(): Promise<{ blockhash: string; lastValidBlockHeight: number }> {
    const { value } = await this.call<{ value: { blockhash: string; lastValidBlockHeight: number } }>(
      'getLatestBlockhash',
      [{ commitment: 'confirmed' }],
    );
    return value;
  }

  /**
   * Sends a transaction and waits until a block confirms it.
   * @throws Error when it fails, or when its outcome is unknown
   */
  async confirm(transaction: Uint8Array, lastValidBlockHeight: number): Promise<void> {
    const encoded = Buffer.from(transaction).toString('base64');
    const options = { encoding: 'base64', preflightCommitment: 'confirmed' };
    const signature = await this.call<string>('sendTransaction', [encoded, options]);
    for (;;) {
      const height = await this.call<number>('getBlockHeight', [{ commitment: 'confirmed' }]);
      const { value } = await this.call<{ value: (SignatureStatus | null)[] }>('getSignatureStatuses', [
        [signature],
      ]);
      const [status] = value;
      if (status?.err) throw new Error(`Transaction ${signature} failed: ${JSON.stringify(status.err)}`);
      if (status && status.confirmationStatus !== 'processed') return;
      if (height > lastValidBlockHeight)
        throw new Error(`No block includes transaction ${signature}. Run the command again: it continues.`);
      await new Promise((resolve) => setTimeout(resolve, this.pollMs));
    }
  }

  private async call<T>(method: string, params: readonly unknown[]): Promise<T> {
    const response = await fetch(this.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(callTimeoutMs),
    }).catch(() => undefined);
    if (!response?.ok) throw new Error(`The Solana node did not answer ${method}. Run the command again.`);
    const { result, error } = (await response.json()) as { result?: T; error?: { message: string } };
    if (error) throw new Error(`The Solana node rejected ${method}: ${error.message}`);
    return result as T;
  }
}

interface RawAccount {
  readonly owner: string;
  readonly lamports: number;
  readonly data: [string, 'base64'];
}

interface SignatureStatus {
  readonly err: unknown;
  readonly confirmationStatus: 'processed' | 'confirmed' | 'finalized';
}
