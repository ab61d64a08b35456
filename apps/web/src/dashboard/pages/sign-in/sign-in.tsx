import { useMutation } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error';
import { isSandbox } from '../../api/environment';
import { Button } from '../../parts/button';
import { ErrorNote } from '../../parts/error-note';
import { isRejectedByUser, useInjectedWallets, type InjectedWallet } from '../../session/injected-wallets';
import { requestChallenge, signIn, signInAsDemo } from '../../session/session';
import { Brand } from '../../shell/shell';
import styles from './sign-in.module.css';

/** Signs the challenge with the wallet; the wallet is the account, there is nothing to register. */
async function signInWith({ provider }: InjectedWallet): Promise<void> {
  const [account] = (await provider.request({ method: 'eth_requestAccounts' })) as string[];
  if (!account) throw new Error('The wallet gave no account. Unlock it, and try again.');
  const chainId = Number(await provider.request({ method: 'eth_chainId' }));
  const { wallet, nonce, message = '' } = await requestChallenge(account, chainId);
  const params = [toHex(message), account];
  const signature = await provider.request({ method: 'personal_sign', params });
  await signIn({ wallet, nonce, message, signature });
}

export default function SignIn() {
  const wallets = useInjectedWallets();
  const signing = useMutation({ mutationFn: signInWith });
  const demo = useMutation({ mutationFn: signInAsDemo });
  const error = signing.error ?? demo.error;
  const isBusy = signing.isPending || demo.isPending;
  return (
    <main className={styles.page}>
      <section className={styles.card}>
        <Brand />
        <h1>Sign in</h1>
        <p className={styles.lead}>
          Your wallet is your account. You sign a text: it costs nothing and moves no money.
        </p>
        {error && <ErrorNote error={toShown(error)} />}
        {isSandbox() && (
          <Button kind="primary" isBusy={isBusy} onClick={() => demo.mutate()}>
            Sign in as the demo merchant
          </Button>
        )}
        {wallets.map((wallet) => (
          <Button key={wallet.id} isBusy={isBusy} onClick={() => signing.mutate(wallet)}>
            {wallet.icon && <img className={styles.icon} src={wallet.icon} alt="" width={20} height={20} />}
            <span>
              Sign in with <bdi>{wallet.name}</bdi>
            </span>
          </Button>
        ))}
        {wallets.length === 0 && <NoWallet />}
        {signing.isPending && (
          <p role="status" className={styles.lead}>
            Open your wallet and sign the text.
          </p>
        )}
      </section>
    </main>
  );
}

const NoWallet = () => (
  <p className={styles.lead}>
    This browser has no wallet. Install the extension of one, or open this page in the browser of your
    wallet&rsquo;s app. Wallets of Solana and TON sign in by the API:{' '}
    <a href="/docs">POST /api/auth/challenge</a>.
  </p>
);

const toHex = (text: string): string =>
  `0x${[...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;

/** Wallets throw objects that are no errors. */
function toShown(error: unknown): Error {
  if (error instanceof ApiError) return error;
  if (isRejectedByUser(error))
    return new Error('You rejected the request in the wallet. Nothing has changed.');
  const message = (error as { message?: unknown }).message;
  return new Error(typeof message === 'string' ? message : 'The wallet failed.');
}
