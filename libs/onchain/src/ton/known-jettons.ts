import type { TonJetton } from './order';

/** Tether USD on the main network. The code of its wallets is in a library cell, and the hash is that of the cell. */
export const usdtOnTon: TonJetton = {
  master: '0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe',
  walletCodeHash: '89468f02c78e570802e39979c8516fc38df07ea76a48357e0536f2ba7b3ee37b',
  walletCodeDepth: 0,
  // Bits of status and balance.
  leadingZeroBits: 8,
  hasCodeRef: false,
};
