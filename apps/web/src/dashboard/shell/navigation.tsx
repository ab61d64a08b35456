import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CopyText } from '../parts/copy';
import { Button } from '../parts/button';
import { useNotify } from '../parts/toasts';
import { signOut, useWallet } from '../session/session';
import styles from './shell.module.css';

const groups = [
  [undefined, [['/', 'Overview']]],
  [
    'Payments',
    [
      ['/transactions', 'Transactions'],
      ['/requests', 'Payment requests'],
      ['/paylinks', 'PayLinks'],
      ['/exceptions', 'Exceptions'],
      ['/nano', 'Nano-payments'],
    ],
  ],
  [
    'Money',
    [
      ['/ledger', 'Ledger'],
      ['/payouts', 'Payouts'],
      ['/services', 'Services'],
    ],
  ],
  [
    'Developers',
    [
      ['/webhooks', 'Webhooks'],
      ['/keys', 'API keys'],
    ],
  ],
  [undefined, [['/settings', 'Settings']]],
] as const;

export function Navigation({ onNavigate }: { onNavigate: () => void }) {
  return (
    <div className={styles.navigation}>
      <nav aria-label="Pages">
        {groups.map(([title, pages]) => (
          <div key={pages[0][0]} className={styles.group}>
            {title && <p className={styles.groupTitle}>{title}</p>}
            <ul>
              {pages.map(([to, text]) => (
                <li key={to}>
                  <Link
                    to={to}
                    className={styles.link}
                    activeOptions={{ exact: to === '/', includeSearch: false }}
                    onClick={onNavigate}
                  >
                    {text}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <Account />
    </div>
  );
}

function Account() {
  const wallet = useWallet();
  const notify = useNotify();
  const leaving = useMutation({ mutationFn: signOut, onError: (error) => notify(error.message) });
  return (
    <div className={styles.account}>
      <span className={styles.groupTitle}>Signed in as</span>
      <CopyText text={wallet} />
      <Button kind="link" isBusy={leaving.isPending} onClick={() => leaving.mutate()}>
        Sign out
      </Button>
    </div>
  );
}
