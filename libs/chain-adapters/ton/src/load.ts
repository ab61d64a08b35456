/** Types of the part of `tonweb` that is used here. Its own declarations are incomplete. */
export interface TonwebProvider {
  send(method: string, params: object): Promise<unknown>;
  getTransactions(
    address: string,
    limit: number,
    lt?: string,
    hash?: string,
    toLt?: string,
    archival?: boolean,
  ): Promise<unknown>;
  getAddressInfo(address: string): Promise<unknown>;
  getBalance(address: string): Promise<unknown>;
  sendBoc(base64: string): Promise<unknown>;
  call(address: string, method: string, stack: readonly (readonly [string, string])[]): Promise<unknown>;
}

interface Tonweb {
  HttpProvider: new (url: string) => TonwebProvider;
  HighloadWallets: { HighloadWalletContractV3: { codeHex: string } };
}

/** Loads `tonweb` on first use, because it needs 90 ms and 10 MB with its dependencies. */
export async function loadTonweb(): Promise<Tonweb> {
  const loaded = (await import('tonweb')) as unknown as { default: Tonweb };
  return loaded.default;
}

/** Loads cells and addresses on first use, because they need 80 ms and 12 MB. */
export const loadTonCore = (): Promise<typeof import('@ton/core')> => import('@ton/core');
