export { encodeBase58, encodeBase58Check, RIPPLE_ALPHABET } from './base58';
export { encodeBech32 } from './bech32';
export { encodeCashaddr } from './cashaddr';
export { crc16 } from './crc';
