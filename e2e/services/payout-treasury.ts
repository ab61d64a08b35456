import { mined } from '@tollbridge/onchain';
import { Contract, HDNodeWallet, type JsonRpcProvider, type Wallet } from 'ethers';
import type { Reply } from '../http';
import type { ServicesHarness } from './services-harness';

/** A new, empty address. */
export const recipient = (): { address: string; amount: number } => ({
  address: HDNodeWallet.createRandom().address,
  amount: 25,
});

/** USDC balance of an address on the first chain of the sandbox, in atomic units. */
export async function heldBy(sandbox: any, provider: JsonRpcProvider, address: string): Promise<bigint> {
  const { address: token } = sandbox.chains[0].tokens.find(({ symbol }: any) => symbol === 'USDC');
  const abi = ['function balanceOf(address) view returns (uint256)'];
  return (await new Contract(token, abi, provider).getFunction('balanceOf').staticCall(address)) as bigint;
}

/** A wallet with two keys: one submits payouts, the other approves them. */
export class Treasury {
  private first = '';
  private second = '';

  constructor(
    private readonly it: Pick<ServicesHarness, 'api' | 'secrets'>,
    readonly account: Wallet | HDNodeWallet,
  ) {}

  async open(): Promise<void> {
    for (const name of ['first', 'second'] as const) {
      const body = JSON.stringify({ label: name, permissions: ['read', 'write'] });
      const { secret } = (await this.it.api.send('POST', '/api/keys', body, this.asWallet)).body;
      this.it.secrets.push(secret);
      this[name] = secret;
    }
    const settings = JSON.stringify({ webhookUrl: 'http://127.0.0.1:9/' });
    await this.it.api.send('PUT', '/api/settings', settings, this.asWallet);
  }

  get asWallet(): Record<string, string> {
    return { 'x-wallet': this.account.address };
  }

  private bearing = (key: string) => ({ authorization: `Bearer ${key}` });

  async submit(changes: object = {}): Promise<string> {
    const wish = { wallet: this.account.address, chain: 'base', token: 'USDC', ...changes };
    const body = JSON.stringify({ recipients: [recipient()], ...wish });
    const reply = await this.it.api.send('POST', '/payout/batch', body, this.bearing(this.first));
    expect([reply.status, reply.body.status]).toEqual([200, 'pending']);
    return reply.body.payoutId as string;
  }

  /** Approves Permit2 for the token, once. */
  async allow(): Promise<void> {
    const { allowance } = await this.read(await this.submit());
    if (allowance.transaction) await mined(await this.account.sendTransaction(allowance.transaction));
  }

  async read(id: string): Promise<any> {
    return (await this.it.api.send('GET', `/payout/${id}`, undefined, this.bearing(this.first))).body;
  }

  async sign(id: string): Promise<string[]> {
    const { batches } = await this.read(id);
    return Promise.all(
      batches.map(({ typedData: { domain, types, message } }: any) => {
        const { EIP712Domain: _, ...own } = types;
        return this.account.signTypedData(domain, own, message);
      }),
    );
  }

  approve = (id: string, signatures: readonly string[], key = this.second): Promise<Reply> =>
    this.it.api.send('POST', `/payout/${id}/approve`, JSON.stringify({ signatures }), this.bearing(key));

  approveWithFirst = (id: string, signatures: readonly string[]): Promise<Reply> =>
    this.approve(id, signatures, this.first);

  reject = (id: string): Promise<Reply> =>
    this.it.api.send('POST', `/payout/${id}/reject`, '{}', this.bearing(this.second));
}
