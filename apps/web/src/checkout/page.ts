import { Idiomorph } from 'idiomorph';
import { WalletProblem } from './wallet-problem';

export type Family = 'evm' | 'solana' | 'ton' | 'tron' | 'sui';

/** A transaction for `eth_sendTransaction`. The value is decimal. */
export interface EvmCall {
  to: string;
  data: string;
  value: string;
}

/** The payment details for a wallet, as the server prepared them. */
export interface Payable {
  family: Family;
  chainId: number | null;
  /** The parameter of `wallet_addEthereumChain`. */
  addChain: object | null;
  approve: EvmCall | null;
  /** The path of the state of an approval. The page appends the hash of the approval. */
  approval: string;
  pay: EvmCall | null;
  /** The path that returns the call for the address of a wallet; null when `pay` is the call. */
  walletCall: string | null;
  /** Whether the balance of the page's wallet is too low. */
  isShort?: boolean;
}

/** Wallets on other devices, from the operator's configuration. */
export interface RemoteWallets {
  walletConnect?: { projectId: string; relayUrl: string };
  ton?: { name: string; universalUrl: string; bridgeUrl: string }[];
}

/** The server's data about the page, in an attribute of `main`. */
export interface PageData {
  kind: 'choice' | 'payment' | 'ended' | 'unavailable';
  /** The id of the payment request, or of the payment. */
  id: string;
  order?: string;
  isFinal?: boolean;
  families: Family[];
  /** The wallets with balances on the page: addresses by chain family. */
  payers?: Record<string, string>;
  pay?: Payable;
  /** Whether the server could not read some of the page's data. */
  isIncomplete?: boolean;
  /** Whether the payment can be made now: only for `open` and, after a warning, for `again`. */
  payState?: 'open' | 'again' | 'asking' | 'sent' | 'canceled' | 'elsewhere' | 'done';
  /** The path of the attempt to pay. */
  attempt?: string;
  /** The version of the order that the page shows. */
  version?: number;
  /** The path that returns the id of the state, for a page without events. */
  stateUrl?: string;
  /** The id of the state that the page shows, as in events. */
  state?: string;
  /** The EIP-155 ids of the chains that can pay. */
  evmChains?: number[];
  remote?: RemoteWallets;
  /** The origins of pages that may embed this one, and the state that they receive. */
  embed?: { origins: string[]; state: object };
  texts: Record<string, string>;
}

export const mainElement = (): HTMLElement => document.querySelector('main')!;

/** Undefined on pages without live content. */
export function pageData(): PageData | undefined {
  const text = mainElement().dataset['page'];
  return text === undefined ? undefined : (JSON.parse(text) as PageData);
}

/** Whether the page offers a payment. */
export const canPay = (): boolean => ['open', 'again'].includes(pageData()?.payState ?? '');

/** The connected wallets by chain family. The server shows their balances. */
export const payers = new Map<string, string>();

const listeners: (() => void)[] = [];
/** Called after each replacement of the content by a new rendering of the server. */
export const onRendered = (listener: () => void): void => void listeners.push(listener);

/** Whether a repeated request may succeed soon. Until then, the page keeps its content. */
export const isPassing = (status: number): boolean => status >= 500 || status === 429;

/** Requests a page and replaces the content with it. Resolves to the URL of the shown page. */
export async function show(url: string, init: RequestInit = {}): Promise<string> {
  const reply = await replyTo(url, init);
  const received = new DOMParser().parseFromString(reply.text, 'text/html');
  const next = received.querySelector('main');
  if (!next) throw new Error(`Found no page at ${url}`);
  document.title = received.title;
  void Idiomorph.morph(mainElement(), next, {
    callbacks: {
      // The script fills these elements, and sections that the payer has opened stay open.
      beforeNodeMorphed: (old: Node) =>
        !(old instanceof HTMLElement && 'own' in old.dataset && old.isConnected),
      beforeAttributeUpdated: (name: string, node: Element) =>
        !(name === 'open' && node.localName === 'details'),
    },
  });
  for (const listener of listeners) listener();
  return reply.url;
}

// Longer than the server waits for any service. A lost connection may never fail by itself.
const longestReplyMs = 30_000;

async function replyTo(url: string, init: RequestInit): Promise<{ url: string; text: string }> {
  const signal = AbortSignal.timeout(longestReplyMs);
  const read = async () => {
    const headers = { accept: 'text/html', ...init.headers };
    const reply = await fetch(url, { signal, ...init, headers });
    if (isPassing(reply.status)) return undefined;
    const shown = new URL(reply.headers.get('content-location') ?? '', reply.url);
    return { url: shown.href, text: await reply.text() };
  };
  const received = await read().catch(() => undefined);
  if (!received) throw new WalletProblem('unavailable');
  return received;
}

let refreshing: Promise<void> | undefined;
let isStale = false;

/**
 * Shows the current state of this page. A call during a request causes one more request afterwards. A failed request is
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

/** Requests the page again while the last request failed, or the server could not read all data. */
export function completeLater(): void {
  clearTimeout(retry);
  if (!hasFailed && pageData()?.isIncomplete !== true) {
    retryMs = shortestRetryMs;
    return;
  }
  retry = setTimeout(() => {
    // A page in the background is requested when it becomes visible.
    if (document.visibilityState === 'visible') void refresh().catch(() => undefined);
  }, retryMs);
  retryMs = Math.min(2 * retryMs, longestRetryMs);
}

function presentUrl(): string {
  const url = new URL(location.href);
  for (const [family, address] of payers) url.searchParams.append('payer', `${family}:${address}`);
  return url.href;
}
