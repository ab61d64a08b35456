import { Idiomorph } from 'idiomorph';
import { WalletProblem } from './wallet-problem';

export type Family = 'evm' | 'solana' | 'ton' | 'tron' | 'sui';

/** A transaction for `eth_sendTransaction`; the value is decimal. */
export interface EvmCall {
  to: string;
  data: string;
  value: string;
}

/** How this payment is paid, as the server prepared it. */
export interface Payable {
  family: Family;
  chainId: number | null;
  /** Parameter of `wallet_addEthereumChain`. */
  addChain: object | null;
  approve: EvmCall | null;
  /** Path of the state of an approval; the page appends the hash of the approval. */
  approval: string;
  pay: EvmCall | null;
  /** Path of the call that is made for the address of a wallet; null where `pay` is the call. */
  walletCall: string | null;
  /** The wallet of the page holds too little. */
  isShort?: boolean;
}

/** Wallets on other devices, as the operator has configured them. */
export interface RemoteWallets {
  walletConnect?: { projectId: string; relayUrl: string };
  ton?: { name: string; universalUrl: string; bridgeUrl: string }[];
}

/** What the server says of the page, in an attribute of `main`. */
export interface PageData {
  kind: 'choice' | 'payment' | 'ended' | 'unavailable';
  /** Id of the payment request, or of the payment. */
  id: string;
  order?: string;
  isFinal?: boolean;
  families: Family[];
  /** The page shows the balances of these wallets: family to address. */
  payers?: Record<string, string>;
  pay?: Payable;
  /** The server could not read something that the page shows. */
  isIncomplete?: boolean;
  /** Whether it may be paid now; only `open` and, after a warning, `again`. */
  payState?: 'open' | 'again' | 'asking' | 'sent' | 'canceled' | 'elsewhere' | 'done';
  /** Path of the attempt to pay. */
  attempt?: string;
  /** Version of the order that the page shows. */
  version?: number;
  /** Path of the name of the state, for a page without events. */
  stateUrl?: string;
  /** Id of the state that the page shows, as events name it. */
  state?: string;
  /** EIP-155 ids of the chains to pay on. */
  evmChains?: number[];
  remote?: RemoteWallets;
  /** Which pages may show this one, and what they receive. */
  embed?: { origins: string[]; state: object };
  texts: Record<string, string>;
}

export const mainElement = (): HTMLElement => document.querySelector('main')!;

/** Undefined on pages without live content. */
export function pageData(): PageData | undefined {
  const text = mainElement().dataset['page'];
  return text === undefined ? undefined : (JSON.parse(text) as PageData);
}

/** Whether the page offers a way to pay. */
export const canPay = (): boolean => ['open', 'again'].includes(pageData()?.payState ?? '');

/** Connected wallets, family to address: the server shows what they hold. */
export const payers = new Map<string, string>();

const listeners: (() => void)[] = [];
/** Called after each change of the content by the server's new rendering. */
export const onRendered = (listener: () => void): void => void listeners.push(listener);

/** Whether the server may answer differently in a moment; what the page shows stays until then. */
export const isPassing = (status: number): boolean => status >= 500 || status === 429;

/** Requests a page and shows it in place of the content. Resolves to its URL. */
export async function show(url: string, init: RequestInit = {}): Promise<string> {
  const reply = await replyTo(url, init);
  const received = new DOMParser().parseFromString(reply.text, 'text/html');
  const next = received.querySelector('main');
  if (!next) throw new Error(`Found no page at ${url}`);
  document.title = received.title;
  void Idiomorph.morph(mainElement(), next, {
    callbacks: {
      // The module fills these; what the payer has opened stays open.
      beforeNodeMorphed: (old: Node) =>
        !(old instanceof HTMLElement && 'own' in old.dataset && old.isConnected),
      beforeAttributeUpdated: (name: string, node: Element) =>
        !(name === 'open' && node.localName === 'details'),
    },
  });
  for (const listener of listeners) listener();
  return reply.url;
}

// Longer than the server waits for any service. A connection that is gone may never fail by itself.
const longestReplyMs = 30_000;

async function replyTo(url: string, init: RequestInit): Promise<{ url: string; text: string }> {
  const signal = AbortSignal.timeout(longestReplyMs);
  const read = async () => {
    const reply = await fetch(url, { headers: { accept: 'text/html' }, signal, ...init });
    return isPassing(reply.status) ? undefined : { url: reply.url, text: await reply.text() };
  };
  const received = await read().catch(() => undefined);
  if (!received) throw new WalletProblem('unavailable');
  return received;
}

let refreshing: Promise<void> | undefined;
let isStale = false;

/**
 * Shows the present state of this page. A call during a request makes one more request after it. A failed one is
 * repeated.
 */
export function refresh(): Promise<void> {
  isStale = true;
  refreshing ??= showPresent().finally(() => {
    refreshing = undefined;
    completeLater();
  });
  return refreshing;
}

async function showPresent(): Promise<void> {
  do {
    isStale = false;
    hasFailed = true;
    await show(presentUrl());
    hasFailed = false;
  } while (isStale);
}

const shortestRetryMs = 1_000;
const longestRetryMs = 10_000;
let retryMs = shortestRetryMs;
let retry: ReturnType<typeof setTimeout> | undefined;
let hasFailed = false;

/** Requests the page again while the last request failed, or the server could not read all of it. */
export function completeLater(): void {
  clearTimeout(retry);
  if (!hasFailed && pageData()?.isIncomplete !== true) {
    retryMs = shortestRetryMs;
    return;
  }
  retry = setTimeout(() => {
    // A page in the background is requested when it is shown.
    if (document.visibilityState === 'visible') void refresh().catch(() => undefined);
  }, retryMs);
  retryMs = Math.min(2 * retryMs, longestRetryMs);
}

function presentUrl(): string {
  const url = new URL(location.href);
  for (const [family, address] of payers) url.searchParams.append('payer', `${family}:${address}`);
  return url.href;
}
