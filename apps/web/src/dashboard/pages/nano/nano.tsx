import { useQuery } from '@tanstack/react-query';
import type * as sdk from '@tollbridge/sdk';
import { useState } from 'react';
import { api, dataOf } from '../../api/client';
import { SecretKeyForm, useKeyHeaders } from '../../api/secret-key';
import { Empty } from '../../parts/empty';
import { LookupForm } from '../../parts/lookup-form';
import { Note } from '../../parts/note';
import { Card, Page, Stat, Stats } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { useWallet } from '../../session/session';
import { Approvals } from './approvals';
import { Policy } from './policy';
import { isTonAccount, lastAccount } from './ton-account';
import { usdt } from './usdt';
import { Withdrawals } from './withdrawals';

export default function NanoPayments() {
  const wallet = useWallet();
  const [account, setAccount] = useState(() => (isTonAccount(wallet) ? wallet : lastAccount.read(wallet)));
  const [text, setText] = useState(account ?? '');
  const [error, setError] = useState<string>();
  const show = () => {
    const chosen = text.trim();
    const isUsable = chosen === '' || isTonAccount(chosen);
    setError(isUsable ? undefined : 'Enter an account of TON: 0:… or the 48 characters that wallets show.');
    if (!isUsable) return;
    lastAccount.store(wallet, chosen);
    setAccount(chosen || undefined);
  };
  return (
    <Page
      title="Nano-payments"
      lead="What programs pay each other by HTTP 402: fractions of a cent, without gas."
      call={{ path: `/balance/${encodeURIComponent(account ?? '0:…')}`, auth: 'none' }}
    >
      <Card title="Account">
        <LookupForm
          label="TON account"
          placeholder="0:…"
          text={text}
          error={error}
          onText={setText}
          onSubmit={show}
        />
        {account && account !== wallet && (
          <>
            <Note>
              You can read this account. Changing it, and listing its withdrawals, needs a key of the account
              or its signature by the API.
            </Note>
            <SecretKeyForm
              label="Secret of a key of this account"
              hint="With the permissions read and write. It stays in this page until you close it."
            />
          </>
        )}
      </Card>
      {account ? (
        <Account key={account} account={account} />
      ) : (
        <Card>
          <Empty
            title="Which account?"
            text="Nano-payments are kept by TON account. Enter yours to see its balance, its limits and the payments that wait for your approval. GET /demo/premium of the sandbox sells something to try."
          />
        </Card>
      )}
    </Page>
  );
}

function Account({ account }: { account: string }) {
  const isOwner = useWallet() === account;
  const hasKey = useKeyHeaders() !== undefined;
  const balance = useQuery({
    queryKey: ['nano', 'balance', account],
    queryFn: () => dataOf(api.GET('/balance/{address}', { params: { path: { address: account } } })),
  });
  return (
    <>
      <QueryView query={balance}>{(data) => <Balance balance={data} />}</QueryView>
      <Approvals account={account} />
      <Policy account={account} />
      {balance.data && <Withdrawals account={balance.data.address} isOwner={isOwner || hasKey} />}
    </>
  );
}

const Balance = ({ balance }: { balance: sdk.NanoBalance }) => (
  <Stats>
    <Stat label="Available" value={usdt(balance.available)} hint={`${usdt(balance.reserved)} reserved`} />
    <Stat label="Earned" value={usdt(balance.earned)} hint={`${usdt(balance.unsettled)} not settled yet`} />
    <Stat label="Spent" value={usdt(balance.spent)} />
    <Stat label="Deposited" value={usdt(balance.deposited)} hint={`${usdt(balance.withdrawn)} withdrawn`} />
  </Stats>
);
