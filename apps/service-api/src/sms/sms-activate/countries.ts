import type { Country } from '../numbers/countries';

/** Countries in the order of their numbers in the sms-activate protocol, from 0, ten in each line. */
const inOrder = `
  RU UA KZ CN PH MM ID MY KE TZ
  VN KG US IL HK PL GB MG CD NG
  MO EG IN IE KH LA HT CI GM RS
  YE ZA RO CO EE AZ CA MA GH AR
  UZ CM TD DE LT HR SE IQ NL LV
  AT BY TH SA MX TW ES IR DZ SI
  BD SN TR CZ LK PE PK NZ GN ML
  VE ET MN BR AF UG AO CY FR PG
  MZ NP BE BG HU MD IT PY HN TN
  NI TL BO CR GT AE ZW PR SD TG
  KW SV LY JM TT EC SZ OM BA DO
  SY QA PA CU MR SL JO PT BB BI
  BJ BN BS BW BZ CF DM GD GE GR
  GW GY IS KM KN LR LS MW NA NE
  RW SK SR TJ MC BH RE ZM AM SO
  CG CL BF LB GA AL UY MU BT MV
  GP TM GF FI LC LU VC GQ DJ AG
  KY ME DK CH NO AU ER SS ST AW
  MS AI JP MK SC NC CV US PS FJ
  KR KP EH SB JE BM SG TO WS MT
  LI`
  .trim()
  .split(/\s+/) as Country[];

/** Returns the country of a number in the protocol; undefined for an unknown number. */
export const countryOfNumber = (number: number): Country | undefined => inOrder[number];

// 12 is a virtual network of the USA and 187 its mobile networks. The later one, 187, is rented.
const numbers: ReadonlyMap<Country, number> = new Map(inOrder.map((country, number) => [country, number]));

/** Returns the number of a country in the protocol; undefined for a country without a number. */
export const numberOfCountry = (country: Country): number | undefined => numbers.get(country);
