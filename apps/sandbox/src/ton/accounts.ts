/** A wallet v4R2 of the sandbox. Wallet apps import it from its 24 words, which are public. */
export interface TonAccount {
  role: 'payer' | 'merchant' | 'fee_receiver' | 'second_payer';
  mnemonic: string;
  /** Derived from the mnemonic without a password. Stored here, because the derivation takes a tenth of a second. */
  publicKey: string;
}

export const tonAccounts: readonly TonAccount[] = [
  {
    role: 'payer',
    mnemonic:
      'endless layer harsh diary vendor battle oven pole dog tuition lamp domain jar arrive across walk belt story sound wonder theory route share network',
    publicKey: '04ce97366b8e9f0e1609ff1cc00a1a6b1060aff55f90d3b6093e64781bb64bb8',
  },
  {
    role: 'merchant',
    mnemonic:
      'west wash company turtle hub position lava long into survey squirrel shadow describe window essay nose concert urge donate walk program home vehicle teach',
    publicKey: '000afeab770bb506b910a6d4e136dbd9324be3fcf9605e4e1850e5b7449f6b13',
  },
  {
    role: 'fee_receiver',
    mnemonic:
      'blush piano pottery laugh escape deposit service settle material desert layer cycle damp purity uniform clown lobster curious ramp code odor this path hammer',
    publicKey: '8dae96cfd14c35d4822a4c6ca782dc2fffe21517eeb09049a691936cbd230ae2',
  },
  {
    role: 'second_payer',
    mnemonic:
      'runway snack cupboard weasel survey glare slide aim beauty cancel fragile love blur route spare science flag jeans become panel error street arm tape',
    publicKey: '7b1dc7e320da8d0875b01d77d44e91be064b5b6d284e78322997de83b01f16c3',
  },
];
