import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, dataOf, type Schemas } from '../../api/client';
import { SecretKeyForm, useKeyHeaders } from '../../api/secret-key';
import { Badge } from '../../parts/badge';
import { CurlButton } from '../../parts/curl-button';
import { DataTable, type Column } from '../../parts/data-table';
import { Empty } from '../../parts/empty';
import { TextField } from '../../parts/field';
import { Card, Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';

type Service = Schemas['CatalogService'];

const columns: Column<Service>[] = [
  {
    header: 'Service',
    cell: ({ name, description }) => (
      <>
        <strong>{name}</strong>
        <br />
        {description}
      </>
    ),
  },
  { header: 'Category', cell: ({ category }) => category },
  { header: 'Price', cell: ({ price }) => price.description },
  { header: 'State', cell: ({ availability }) => <Badge state={availability} /> },
  {
    header: 'Call',
    cell: ({ method, route, request }) => (
      <CurlButton call={{ method, path: route, ...(method === 'POST' && { body: request }) }} />
    ),
  },
];

export default function Services() {
  const headers = useKeyHeaders();
  const [text, setText] = useState('');
  const query = useQuery({
    queryKey: ['catalog', text, headers],
    queryFn: () => dataOf(api.GET('/catalog/search', { params: { query: { q: text } }, headers: headers! })),
    enabled: headers !== undefined,
    refetchInterval: false,
  });
  return (
    <Page
      title="Services"
      lead="What your programs can buy with a key: gift cards, airtime, numbers, mail, cards."
      actions={<CurlButton call={{ path: '/catalog' }} />}
    >
      <Card>
        <SecretKeyForm needs="read" />
        {headers ? (
          <>
            <TextField label="Search" type="search" value={text} onText={setText} />
            <QueryView query={query}>
              {({ services }) =>
                services.length === 0 ? (
                  <Empty title="No service matches" text="Search for fewer words." />
                ) : (
                  <DataTable label="Services" columns={columns} rows={services} keyOf={({ id }) => id} />
                )
              }
            </QueryView>
          </>
        ) : (
          <Empty
            title="The catalogue is read with a key"
            text="Purchases are made by programs, with a key. Its budget bounds them."
            action={<Link to="/keys">Create a key</Link>}
          />
        )}
      </Card>
    </Page>
  );
}
