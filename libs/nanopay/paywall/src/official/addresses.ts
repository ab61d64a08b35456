import { keccak_256 } from '@noble/hashes/sha3';

const evmForm = /^0x[0-9a-fA-F]{40}$/;
const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const base58Form = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const solanaKeyBytes = 32n;

/** Whether text is an address of this network, other than zero. Mixed-case EVM addresses must have a valid checksum. */
export function isAddressOf(network: string, address: string): boolean {
  if (network.startsWith('solana:')) return isSolanaAddress(address);
  if (!evmForm.test(address) || /^0x0+$/.test(address)) return false;
  const digits = address.slice(2);
  const hasOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  return hasOneCase || address === checksummed(digits.toLowerCase());
}

/** The form in which addresses of a network are compared. */
export const canonicalAddress = (network: string, address: string): string =>
  network.startsWith('eip155:') ? address.toLowerCase() : address;

/** EIP-55. */
function checksummed(digits: string): string {
  const hash = Buffer.from(keccak_256(Buffer.from(digits, 'ascii'))).toString('hex');
  const cased = [...digits].map((digit, at) => (hash[at]! >= '8' ? digit.toUpperCase() : digit));
  return `0x${cased.join('')}`;
}

function isSolanaAddress(address: string): boolean {
  if (!base58Form.test(address)) return false;
  let value = 0n;
  for (const character of address) value = value * 58n + BigInt(base58.indexOf(character));
  const zeros = BigInt(/^1*/.exec(address)![0].length);
  const bytes = zeros + BigInt(value === 0n ? 0 : Math.ceil(value.toString(16).length / 2));
  return value > 0n && bytes === solanaKeyBytes;
}
