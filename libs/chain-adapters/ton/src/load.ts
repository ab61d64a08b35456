/** Types of the used part of `tonweb`; its own declarations are incomplete. */
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

/** Loaded on first use: with its dependencies it takes 90 ms and 10 MB. */
export async function loadTonweb(): Promise<Tonweb> {
  const loaded = (await import('tonweb')) as unknown as { default: Tonweb };
  return loaded.default;
}

/** Cells and addresses. Loaded on first use: 80 ms and 12 MB. */
export const loadTonCore = (): Promise<typeof import('@ton/core')> => import('@ton/core');
