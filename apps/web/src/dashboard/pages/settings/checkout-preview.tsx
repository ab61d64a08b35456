import type { Chains } from '../../api/chains';
import { shorten } from '../../format/texts';
import { useWallet } from '../../session/session';
import type { EnteredSettings } from './entered-settings';
import styles from './settings.module.css';

/** The head of the checkout as it will be, of an example request. */
export function CheckoutPreview({ entered, chains }: { entered: EnteredSettings; chains: Chains }) {
  const wallet = useWallet();
  const { storeName, defaultToken, defaultChain, receiveEvm } = entered;
  const chain = chains.find(defaultChain)?.name ?? 'Base';
  return (
    <div className={styles.preview} aria-label="Preview of the checkout">
      <p className={styles.amount}>12.50 {defaultToken || 'USDC'}</p>
      <p className={styles.soft}>about $12.50</p>
      <p>Order 4711: two espressos</p>
      <dl>
        <div>
          <dt>Pay to</dt>
          <dd>
            {storeName.trim() && (
              <>
                <strong>
                  <bdi>{storeName}</bdi>
                </strong>
                <br />
              </>
            )}
            <code>{shorten(receiveEvm.trim() || wallet, 10)}</code>
          </dd>
        </div>
        <div>
          <dt>Arrives on</dt>
          <dd>{chain}</dd>
        </div>
      </dl>
      <p className={styles.option}>
        <strong>{defaultToken || 'USDC'}</strong> on {chain}
      </p>
    </div>
  );
}
