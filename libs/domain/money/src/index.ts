export { maxAmount, maxTokenAmount, isAmountText, parseAmount } from './amount';
export { formatUnits, parseUnits } from './units';
export { bpsPerWhole, ceilDiv, feeCeil, mulDivCeil, mulDivFloor } from './rounding';
export { type Caip2, isCaip2, parseCaip2 } from './caip2';
export { Decimal, decimalNumber, decimalText, isDecimalText } from './decimal';
export { rateOf } from './rate';
export { sumUsd, unitsWorth, usdText, usdValue } from './usd';
export { currencyCodes, currencyDigits, isPriceText, priceText } from './currency';
export { amountForPrice, splitValue, valueOf, type PriceConversion, type ValueOptions } from './conversion';
