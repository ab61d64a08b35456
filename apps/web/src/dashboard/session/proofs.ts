import { base58 } from '../../wallets/base58';
import {
  tonConnectVersion,
  type Eip1193,
  type StandardAccount,
  type StandardWallet,
  type TonBridge,
  type TonItem,
} from '../../wallets/providers';

/** The reply of `POST /api/auth/challenge`. */
export interface Challenge {
  /** In canonical form. */
  wallet: string;
  nonce: string;
  /** The text to sign; absent for TON. */
  message?: string;
  /** For TON: the payload of `ton_proof`. */
  payload?: string;
}

/** @param chainId the chain of the wallet, for EVM only */
export type RequestChallenge = (wallet: string, chainId?: number) => Promise<Challenge>;

const noAccount = 'The wallet gave no account. Unlock it, and try again.';

/** `personal_sign` of the text (EIP-4361). */
export async function proveByEvm(provider: Eip1193, requestChallenge: RequestChallenge): Promise<object> {
  const [account] = (await provider.request({ method: 'eth_requestAccounts' })) as string[];
  if (!account) throw new Error(noAccount);
  const chainId = Number(await provider.request({ method: 'eth_chainId' }));
  const { wallet, nonce, message = '' } = await requestChallenge(account, chainId);
  const params = [toHex(message), account];
  const signature = await provider.request({ method: 'personal_sign', params });
  return { wallet, nonce, message, signature };
}

/**
 * `solana:signMessage` of the Wallet Standard. The API compares the text byte for byte, so the wallet must not write
 * its own text.
 */
export async function proveBySolana(
  { features }: StandardWallet,
  requestChallenge: RequestChallenge,
): Promise<object> {
  const { accounts } = (await features['standard:connect'].connect()) as { accounts: StandardAccount[] };
  const account = accounts.find(({ chains }) => chains.some((chain) => chain.startsWith('solana:')));
  if (!account) throw new Error(noAccount);
  const { wallet, nonce, message = '' } = await requestChallenge(account.address);
  const text = new TextEncoder().encode(message);
  const [signed] = await features['solana:signMessage'].signMessage({ account, message: text });
  const { signedMessage, signature } = signed as { signedMessage: Uint8Array; signature: Uint8Array };
  if (!isEqual(signedMessage, text))
    throw new Error(
      'The wallet changed the text to sign, as hardware wallets do. Sign in with another account.',
    );
  return { wallet, nonce, message, signature: base58(signature) };
}

/** `ton_proof` of TON Connect. The challenge depends on the address, so the wallet is asked for the address first. */
export async function proveByTon(bridge: TonBridge, requestChallenge: RequestChallenge): Promise<object> {
  const address = itemOf(await connect(bridge, []), 'ton_addr')?.address;
  if (!address) throw new Error(noAccount);
  const { wallet, nonce, payload } = await requestChallenge(address);
  const items = await connect(bridge, [{ name: 'ton_proof', payload }]);
  const account = itemOf(items, 'ton_addr');
  if (account?.address !== address)
    throw new Error('The wallet changed the account during the sign-in. Try again.');
  const proof = itemOf(items, 'ton_proof')?.proof;
  const stateInit = account.walletStateInit;
  if (!proof || !stateInit) throw new Error('The wallet cannot prove its address (ton_proof).');
  const { timestamp, domain, payload: signed, signature } = proof;
  const { lengthBytes, value } = domain;
  // Wallets add fields of their own, which the API would reject.
  const known = { timestamp, domain: { lengthBytes, value }, payload: signed, signature, stateInit };
  return { wallet, nonce, proof: known };
}

/** @throws Error with the `code` of TON Connect, 300 when the merchant declines */
async function connect(bridge: TonBridge, more: readonly object[]): Promise<readonly TonItem[]> {
  const manifestUrl = `${location.origin}/tonconnect-manifest.json`;
  const items = [{ name: 'ton_addr' }, ...more];
  const { event, payload } = await bridge.connect(tonConnectVersion, { manifestUrl, items });
  const { code, message = 'The wallet did not connect.', items: replied = [] } = payload;
  if (event !== 'connect') throw Object.assign(new Error(message), { code });
  return replied;
}

const itemOf = (items: readonly TonItem[], name: string): TonItem | undefined =>
  items.find((item) => item.name === name);

const toHex = (text: string): string =>
  `0x${[...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;

const isEqual = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at]);
