import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type * as sdk from '@tollbridge/sdk';
import { useState } from 'react';
import { api, dataOf } from '../../api/client';
import { useKeyHeaders } from '../../api/secret-key';
import { formatUnits, parseUnits } from '../../format/amounts';
import { CurlButton } from '../../parts/curl-button';
import { TextField } from '../../parts/field';
import { Columns, fieldError, Form } from '../../parts/form';
import { Card } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { useNotify } from '../../parts/toasts';
import { usdtDecimals } from './usdt';

type PolicyReply = sdk.Policy;

export function Policy({ account }: { account: string }) {
  const query = useQuery({
    queryKey: ['nano', 'policy', account],
    queryFn: () => dataOf(api.GET('/policy/{address}', { params: { path: { address: account } } })),
    refetchInterval: false,
  });
  return (
    <Card title="Policy">
      <QueryView query={query}>{(policy) => <PolicyForm account={account} policy={policy} />}</QueryView>
    </Card>
  );
}

function PolicyForm({ account, policy }: { account: string; policy: PolicyReply }) {
  const queries = useQueryClient();
  const notify = useNotify();
  const headers = useKeyHeaders();
  const [maxAmount, setMaxAmount] = useState(
    policy.maxAmount ? formatUnits(policy.maxAmount, usdtDecimals) : '',
  );
  const [rateLimit, setRateLimit] = useState(String(policy.rateLimit ?? ''));
  const body = {
    address: account,
    maxAmount: parseUnits(maxAmount, usdtDecimals) ?? maxAmount,
    rateLimit: Number(rateLimit),
  };
  const saving = useMutation({
    mutationFn: () => dataOf(api.POST('/policy', { body, ...(headers && { headers }) })),
    onSuccess: () => {
      notify('Policy saved');
      void queries.invalidateQueries({ queryKey: ['nano', 'policy'] });
    },
  });
  return (
    <Form
      onSubmit={() => saving.mutate()}
      submitLabel="Save"
      isBusy={saving.isPending}
      error={saving.error}
      shownFields={['maxAmount', 'rateLimit']}
      more={<CurlButton call={{ method: 'POST', path: '/policy', body }} />}
    >
      <Columns>
        <TextField
          label="Largest payment without approval, USDT"
          inputMode="decimal"
          value={maxAmount}
          onText={setMaxAmount}
          error={fieldError(saving.error, 'maxAmount')}
        />
        <TextField
          label="Payments per minute"
          inputMode="numeric"
          value={rateLimit}
          onText={setRateLimit}
          error={fieldError(saving.error, 'rateLimit')}
        />
      </Columns>
    </Form>
  );
}
