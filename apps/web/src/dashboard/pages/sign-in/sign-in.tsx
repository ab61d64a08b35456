import { useMutation } from '@tanstack/react-query';
import { isDeclined } from '../../../wallets/declined';
import { ApiError } from '../../api/api-error';
import { isSandbox } from '../../api/environment';
import { Button } from '../../parts/button';
import { ErrorNote } from '../../parts/error-note';
import { requestChallenge, signIn, signInAsDemo } from '../../session/session';
import { signInWallet, type SignInWallet } from '../../session/sign-in-wallet';
import { useWallets } from '../../session/use-wallets';
import { Brand } from '../../shell/shell';
import styles from './sign-in.module.css';

/** Signs in with the signature of a challenge. The wallet is the account, so no registration is needed. */
const signInWith = async (wallet: SignInWallet): Promise<void> =>
  signIn(await wallet.prove(requestChallenge));

export default function SignIn() {
  const wallets = useWallets().flatMap((found) => signInWallet(found) ?? []);
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
              Sign in with <bdi>{wallet.name}</bdi> ({wallet.family})
            </span>
          </Button>
        ))}
        {wallets.length === 0 && <NoWallet />}
        {signing.isPending && (
          <p role="status" className={styles.lead}>
            Open your wallet. It may ask twice: to connect, and to sign.
          </p>
        )}
      </section>
    </main>
  );
}

const NoWallet = () => (
  <p className={styles.lead}>
    This browser has no wallet of an EVM chain, Solana or TON. Install the extension of one, or open this page
    in the browser of your wallet&rsquo;s app.
  </p>
);

/** Wallets throw objects that are not instances of Error. */
function toShown(error: unknown): Error {
  if (error instanceof ApiError) return error;
  if (isDeclined(error)) return new Error('You rejected the request in the wallet. Nothing has changed.');
  const message = (error as { message?: unknown }).message;
  return new Error(typeof message === 'string' ? message : 'The wallet failed.');
}
