/** EIP-1193. */
export interface Eip1193 {
  on?(event: string, listener: (value: any) => void): void;
  request(call: { method: string; params?: unknown }): Promise<any>;
}

/** TIP-1193, with the TronWeb of the wallet. */
export interface TronProvider extends Eip1193 {
  tronWeb?: any;
}

/** The bridge that wallets inject into pages: `window.<key>.tonconnect` (TON Connect, JS bridge). */
export interface TonBridge {
  walletInfo?: { name: string; image?: string };
  connect(version: number, request: object): Promise<TonConnectEvent>;
  restoreConnection(): Promise<TonConnectEvent>;
  send(message: {
    method: string;
    params: string[];
    id: string;
  }): Promise<{ result?: string; error?: { code: number } }>;
}

export interface TonConnectEvent {
  event: string;
  payload: { code?: number; message?: string; items?: TonItem[] };
}

/** A part of the reply to `connect`: `ton_addr` or `ton_proof`. */
export interface TonItem {
  name: string;
  address?: string;
  /** A bag of cells in base64. */
  walletStateInit?: string;
  proof?: TonProof;
}

/** `ton_proof` as wallets sign it. */
export interface TonProof {
  /** Unix seconds. */
  timestamp: number;
  domain: { lengthBytes: number; value: string };
  payload: string;
  /** 64 bytes in base64. */
  signature: string;
}

/** The version of TON Connect for `connect`. */
export const tonConnectVersion = 2;

/** A wallet registered by the Wallet Standard, with the features that are used here. */
export interface StandardWallet {
  name: string;
  icon: string;
  chains: readonly string[];
  accounts: readonly StandardAccount[];
  features: Readonly<Record<string, any>>;
}

export interface StandardAccount {
  address: string;
  chains: readonly string[];
}

/** The identity that a wallet announces (EIP-6963, and TIP-6963 for Tron). */
export interface WalletInfo {
  uuid: string;
  rdns?: string;
  name: string;
  icon: string | null;
}

/** A wallet of this browser, by the interface that found it. */
export type FoundWallet =
  | { kind: 'evm'; info: WalletInfo; provider: Eip1193 }
  | { kind: 'tron'; info: WalletInfo; provider: TronProvider }
  | { kind: 'standard'; wallet: StandardWallet }
  | { kind: 'ton'; key: string; bridge: TonBridge };

/** Identifies a wallet in this page, because wallets announce themselves more than once. */
export function idOf(wallet: FoundWallet): string {
  switch (wallet.kind) {
    case 'standard':
      return `standard ${wallet.wallet.name}`;
    case 'ton':
      return `ton ${wallet.key}`;
    case 'evm':
    case 'tron':
      return `${wallet.kind} ${wallet.info.uuid}`;
  }
}
