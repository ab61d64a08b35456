import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schemas } from '../../api/client';
import { CurlButton } from '../../parts/curl-button';
import { Empty } from '../../parts/empty';
import { LookupForm } from '../../parts/lookup-form';
import { Note } from '../../parts/note';
import { Card, Page, Row, Stat, Stats } from '../../parts/page';
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
  const show = () => {
    const chosen = text.trim();
    lastAccount.store(wallet, chosen);
    setAccount(chosen || undefined);
  };
  return (
    <Page
      title="Nano-payments"
      lead="What programs pay each other by HTTP 402: fractions of a cent, without gas."
    >
      <Card title="Account">
        <LookupForm label="TON account" placeholder="0:…" text={text} onText={setText} onSubmit={show} />
        {account && account !== wallet && (
          <Note>
            You can read this account. Changing it needs the session of the account itself, or its signature
            by the API.
          </Note>
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
  const balance = useQuery({
    queryKey: ['nano', 'balance', account],
    queryFn: () => dataOf(api.GET('/balance/{address}', { params: { path: { address: account } } })),
  });
  return (
    <>
      <Row>
        <CurlButton call={{ path: `/balance/${encodeURIComponent(account)}`, auth: 'none' }} />
      </Row>
      <QueryView query={balance}>{(data) => <Balance balance={data} />}</QueryView>
      <Approvals account={account} />
      <Policy account={account} />
      <Withdrawals account={account} />
    </>
  );
}

const Balance = ({ balance }: { balance: Schemas['NanoBalance'] }) => (
  <Stats>
    <Stat label="Available" value={usdt(balance.available)} hint={`${usdt(balance.reserved)} reserved`} />
    <Stat label="Earned" value={usdt(balance.earned)} hint={`${usdt(balance.unsettled)} not settled yet`} />
    <Stat label="Spent" value={usdt(balance.spent)} />
    <Stat label="Deposited" value={usdt(balance.deposited)} hint={`${usdt(balance.withdrawn)} withdrawn`} />
  </Stats>
);
