import type { Chain, ChainFamily } from '../registry/chain';

// From each chain's own documentation, none with a published private key as far as we know: whatever is priced with
// them is never paid, but a mistake should not pay a stranger who waits for it.
const sampleByFamily: Readonly<Record<Exclude<ChainFamily, 'utxo'>, string>> = {
  // EIP-55.
  evm: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  // "Address formats" of docs.ton.org.
  ton: 'UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwA',
  // getBalance of the JSON-RPC reference.
  solana: '83astBRguLMdt2h5U1Tpdq5tjFoJ6noeGwaY3mDLVcri',
  // The receiver in the reference of the full node's HTTP interface.
  tron: 'TPswDDCAWhJAZGdHPidFg5nEf8TkNToDX1',
  // "Create a Sui address" of docs.sui.io.
  sui: '0x02a212de6a9dfa3a69e22387acfbafbb1a9e591bd9d636e7895dcfc8de05f331',
  // The ordinary address in the tests of the official SDKs (AIP-40).
  aptos: '0xca843279e3427144cead5e4d5999a3d0ca843279e3427144cead5e4d5999a3d0',
  // "Implicit accounts" of docs.near.org.
  near: '98793cd91a3f870fb126f66285808c7e094afcfc4eda8a970f6648cdf0dbd6de',
  // SEP-23.
  stellar: 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
  // starknet.js, validateAndParseAddress.
  starknet: '0x02fd23d9182193775423497fc0c472e156c57c69e4089a1967fb288a2d84e914',
  // CIP-19.
  cardano:
    'addr1qx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer3n0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgse35a3x',
  // Address literals of the Leo compiler.
  aleo: 'aleo1qnr4dkkvkgfqph0vzc3y6z2eu975wnpz2925ntjccd5cfqxtyu8s7pyjh9',
  // Most examples of xrpl.org.
  xrp: 'rf1BiGeXwwQoi8Z2ueFYTEXSwuJYfV2Jpn',
};

const sampleByUtxoChain: Readonly<Record<string, string>> = {
  // "Bech32" of the Bitcoin Wiki.
  btc: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  // Litecoin, Dogecoin and Dash document none: those that validators and wallets commonly test with.
  ltc: 'LaMT348PWRnrqeeWArpwQPbuanpXDZGEUz',
  doge: 'DLSSSUS3ex7YNDACJDxMER1ZMW579Vy8Zy',
  dash: 'XpESxaUmonkq8RaLLp46Brx2K39ggQe226',
  // The cashaddr specification.
  bch: 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
  // ZIP 320.
  zec: 't1VmmGiyjVNeCjxDZzg7vZmd99WyzVby9yC',
};

/** A fixed address of this chain, for asking prices before the payer is known. Nothing may ever be paid to it. */
export function sampleAddress(chain: Chain): string {
  const address = chain.family === 'utxo' ? sampleByUtxoChain[chain.id] : sampleByFamily[chain.family];
  if (!address) {
    throw new Error(`no sample address for the chain ${chain.id}`);
  }
  return address;
}
