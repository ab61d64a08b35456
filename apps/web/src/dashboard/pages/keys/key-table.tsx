import type * as sdk from '@tollbridge/sdk';
import { formatUsd, shareOf } from '../../format/amounts';
import { Badge } from '../../parts/badge';
import { Button } from '../../parts/button';
import { CopyText } from '../../parts/copy';
import { DataTable, type Column } from '../../parts/data-table';
import { Age } from '../../parts/time';
import styles from './keys.module.css';

type Key = sdk.KeyView;

export function KeyTable({ keys, onOpen }: { keys: readonly Key[]; onOpen: (key: Key) => void }) {
  const columns: Column<Key>[] = [
    {
      header: 'Label',
      sortBy: ({ label }) => label,
      cell: (key) => (
        <Button kind="inline" title="Open: spends, rotate, switch off" onClick={() => onOpen(key)}>
          <bdi>{key.label}</bdi>
        </Button>
      ),
    },
    { header: 'Public half', cell: ({ key }) => <CopyText text={key} kept={11} /> },
    {
      header: 'State',
      cell: ({ enabled }) => <Badge state={enabled ? 'enabled' : 'off'} text={enabled ? 'On' : 'Off'} />,
    },
    { header: 'Permissions', cell: ({ permissions }) => permissions.join(', ') },
    { header: 'Budget', cell: (key) => <Budget apiKey={key} /> },
    { header: 'Created', cell: ({ createdAt: at }) => <Age at={at} />, sortBy: ({ createdAt: at }) => at },
  ];
  return <DataTable label="API keys" columns={columns} rows={keys} keyOf={({ id }) => id} />;
}

/** The used part of this month's budget. The API returns the used part as a number of dollars. */
function Budget({ apiKey: { monthlyBudget, usedBudget } }: { apiKey: Key }) {
  const used = usedBudget.toFixed(6);
  if (monthlyBudget === '') return <>{formatUsd(used)} used, no limit</>;
  const share = Math.min(shareOf(used, monthlyBudget), 1000);
  return (
    <span className={styles.budget}>
      {formatUsd(used)} of {formatUsd(monthlyBudget)}
      <meter className={styles.meter} min={0} max={1000} value={share} aria-label="Used budget" />
    </span>
  );
}
