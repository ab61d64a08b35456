import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type * as sdk from '@tollbridge/sdk';
import { useState } from 'react';
import { api, dataOf } from '../../api/client';
import { Badge } from '../../parts/badge';
import { CurlButton } from '../../parts/curl-button';
import { DataTable, type Column } from '../../parts/data-table';
import { Empty } from '../../parts/empty';
import { TextField } from '../../parts/field';
import { Card, Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import styles from './services.module.css';

type Service = sdk.CatalogService;

const columns: Column<Service>[] = [
  {
    header: 'Service',
    cell: ({ name, description }) => (
      <>
        <strong>{name}</strong>
        <p className={styles.description}>{description}</p>
      </>
    ),
  },
  { header: 'Category', cell: ({ category }) => category, sortBy: ({ category }) => category },
  { header: 'Price', cell: ({ price }) => price.description },
  {
    header: 'State',
    cell: ({ availability }) => <Badge state={availability} />,
    sortBy: ({ availability }) => availability,
  },
  {
    header: 'Call',
    cell: ({ method, route, request }) => (
      <CurlButton call={{ method, path: route, ...(method === 'POST' && { body: request }) }} />
    ),
  },
];

export default function Services() {
  const [text, setText] = useState('');
  const query = useQuery({
    queryKey: ['catalog', text],
    queryFn: () => dataOf(api.GET('/catalog/search', { params: { query: text.trim() ? { q: text } : {} } })),
    placeholderData: keepPreviousData,
    refetchInterval: false,
  });
  return (
    <Page
      title="Services"
      lead="What your programs can buy with a key, within its budget: gift cards, airtime, numbers, mail, cards."
      call={{ path: '/catalog' }}
    >
      <Card>
        <TextField label="Search" type="search" value={text} onText={setText} maxLength={256} />
        <QueryView query={query}>
          {({ services }) =>
            services.length === 0 ? (
              <Empty title="No service matches" text="Search for fewer words." />
            ) : (
              <DataTable label="Services" columns={columns} rows={services} keyOf={({ id }) => id} />
            )
          }
        </QueryView>
      </Card>
    </Page>
  );
}
