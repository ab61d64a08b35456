import type * as sdk from '@tollbridge/sdk';
import { useChains } from '../../api/chains';
import { plural, titled } from '../../format/texts';
import { formatTime } from '../../format/times';
import { CopyText } from '../../parts/copy';
import { DataTable, type Column } from '../../parts/data-table';
import { Note } from '../../parts/note';
import { Facts } from '../../parts/page';

type ProofReply = sdk.LedgerProofReply;
type Asset = sdk.LedgerAssetProof;

/** Shows whether debits equal credits, and whether the hash chain is intact. */
export function Proof({ proof }: { proof: ProofReply }) {
  return (
    <>
      {proof.ok ? (
        <Note tone="good">
          The ledger is verified: debits equal credits, and every hash follows from the one before it.
        </Note>
      ) : (
        <Note tone="bad">
          <ul>
            {proof.problems.map(({ code, segment, seq }) => (
              <li
                key={`${code}${segment}${seq}`}
              >{`${titled(code)} in segment ${segment}${seq === null ? '' : `, entry ${seq}`}`}</li>
            ))}
          </ul>
        </Note>
      )}
      <Facts
        facts={[
          [
            'Transactions',
            plural(proof.transactions, 'transaction') + (proof.waiting ? `, ${proof.waiting} waiting` : ''),
          ],
          ['Last hash', proof.last_hash ? <CopyText key="h" text={proof.last_hash} kept={16} /> : '—'],
          [
            'All segments checked since',
            proof.all_checked_since ? formatTime(proof.all_checked_since) : 'Not yet',
          ],
        ]}
      />
      {proof.assets.length > 0 && <Assets assets={proof.assets} />}
    </>
  );
}

function Assets({ assets }: { assets: readonly Asset[] }) {
  const { data: chains } = useChains();
  const amount = (field: 'debits' | 'credits' | 'received' | 'fees' | 'refunds') => (asset: Asset) =>
    chains?.amountOf(asset[field], asset.token, asset.chain) ?? '…';
  const columns: Column<Asset>[] = [
    { header: 'Asset', cell: ({ token, chain }) => `${token}, ${chains?.nameOf(chain) ?? chain}` },
    { header: 'Received', isNumber: true, cell: amount('received') },
    { header: 'Fees', isNumber: true, cell: amount('fees') },
    { header: 'Refunds', isNumber: true, cell: amount('refunds') },
    { header: 'Debits', isNumber: true, cell: amount('debits') },
    { header: 'Credits', isNumber: true, cell: amount('credits') },
  ];
  return (
    <DataTable
      label="Sums by asset"
      columns={columns}
      rows={assets}
      keyOf={({ chain, token }) => `${chain}:${token}`}
    />
  );
}
