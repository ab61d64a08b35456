import { useChains } from '../api/chains';
import { CopyText } from './copy';

interface TransactionHashProps {
  chain: string;
  /** Empty or null while unknown. */
  hash: string | null;
  /** The number of characters that are shown at each end. */
  kept?: number;
}

/** The hash of a transaction, with a link if the chain has an explorer. */
export function TransactionHash({ chain, hash, kept }: TransactionHashProps) {
  const { data: chains } = useChains();
  if (!hash) return '—';
  const url = chains?.explorerUrl(chain, hash);
  return (
    <>
      {kept === undefined ? <CopyText text={hash} /> : <CopyText text={hash} kept={kept} />}
      {url && (
        <>
          {' '}
          <a href={url} target="_blank" rel="noreferrer">
            Explorer
          </a>
        </>
      )}
    </>
  );
}
