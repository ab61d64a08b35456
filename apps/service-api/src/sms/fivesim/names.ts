import type { Country } from '../numbers/countries';

const names: Partial<Record<Country, string>> = {
  RU: 'russia',
  UA: 'ukraine',
  KZ: 'kazakhstan',
  CN: 'china',
  PH: 'philippines',
  ID: 'indonesia',
  MY: 'malaysia',
  KE: 'kenya',
  VN: 'vietnam',
  IL: 'israel',
  PL: 'poland',
  GB: 'england',
  NG: 'nigeria',
  EG: 'egypt',
  IN: 'india',
  ZA: 'southafrica',
  RO: 'romania',
  CO: 'colombia',
  EE: 'estonia',
  CA: 'canada',
  DE: 'germany',
  SE: 'sweden',
  NL: 'netherlands',
  LV: 'latvia',
  TH: 'thailand',
  MX: 'mexico',
  ES: 'spain',
  TR: 'turkey',
  BR: 'brazil',
  FR: 'france',
  IT: 'italy',
  US: 'usa',
};

/** 5sim's names of countries. */
export const countryNames: ReadonlyMap<Country, string> = new Map(
  Object.entries(names) as [Country, string][],
);

/** 5sim's names of services, by their code in the sms-activate protocol. */
export const productNames: ReadonlyMap<string, string> = new Map([
  ...([
    ['tg', 'telegram'],
    ['wa', 'whatsapp'],
    ['go', 'google'],
    ['fb', 'facebook'],
  ] as const),
  ...([
    ['ig', 'instagram'],
    ['tw', 'twitter'],
    ['vi', 'viber'],
    ['ds', 'discord'],
  ] as const),
  ...([
    ['am', 'amazon'],
    ['mm', 'microsoft'],
    ['ub', 'uber'],
    ['lf', 'tiktok'],
    ['ot', 'other'],
  ] as const),
]);
