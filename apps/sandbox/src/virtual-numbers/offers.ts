/** A country with numbers to rent, with its id in the sms-activate protocol and its name at 5sim. */
export interface Country {
  id: number;
  name: string;
  title: string;
  /** Calling code with the prefix of the numbers, and the number of further digits. */
  prefix: string;
  digits: number;
}

export const countries: readonly Country[] = [
  { id: 0, name: 'russia', title: 'Russia', prefix: '7916', digits: 7 },
  { id: 1, name: 'ukraine', title: 'Ukraine', prefix: '38050', digits: 7 },
  { id: 2, name: 'kazakhstan', title: 'Kazakhstan', prefix: '7701', digits: 7 },
  { id: 3, name: 'china', title: 'China', prefix: '86131', digits: 8 },
  { id: 6, name: 'indonesia', title: 'Indonesia', prefix: '62812', digits: 8 },
  { id: 16, name: 'england', title: 'United Kingdom', prefix: '447400', digits: 6 },
  { id: 22, name: 'india', title: 'India', prefix: '9198', digits: 8 },
  { id: 36, name: 'canada', title: 'Canada', prefix: '1416555', digits: 4 },
  { id: 86, name: 'italy', title: 'Italy', prefix: '39347', digits: 7 },
  { id: 187, name: 'usa', title: 'USA', prefix: '1415555', digits: 4 },
];

/**
 * Behaviour of a service's numbers, for tests of failures:
 * - `silent`: no code ever arrives
 * - `soldOut`, `noBalance`, `banned`: no number is rented
 * - `lost`: the number is rented, and the connection closes without a response
 */
export type Behaviour = 'works' | 'silent' | 'soldOut' | 'noBalance' | 'banned' | 'lost';

export interface Service {
  code: string;
  name: string;
  title: string;
  /** Millionths of a dollar. */
  priceMicros: bigint;
  behaviour: Behaviour;
}

const service = (
  [code, name, title]: [string, string, string],
  priceMicros: bigint,
  behaviour: Behaviour = 'works',
): Service => ({ code, name, title, priceMicros, behaviour });

export const services: readonly Service[] = [
  service(['tg', 'telegram', 'Telegram'], 550_000n),
  service(['wa', 'whatsapp', 'WhatsApp'], 800_000n),
  service(['go', 'google', 'Google'], 250_000n),
  service(['fb', 'facebook', 'Facebook'], 150_000n),
  service(['ig', 'instagram', 'Instagram'], 100_000n),
  service(['ot', 'other', 'Any other'], 300_000n),
  service(['x1', 'silent', 'No code ever comes'], 500_000n, 'silent'),
  service(['x2', 'soldout', 'Sold out between price and purchase'], 500_000n, 'soldOut'),
  service(['x3', 'nobalance', 'The account has no money'], 500_000n, 'noBalance'),
  service(['x4', 'banned', 'The account is banned'], 500_000n, 'banned'),
  service(['x5', 'lost', 'The answer is lost'], 500_000n, 'lost'),
];
