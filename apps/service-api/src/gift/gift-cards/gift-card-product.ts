import type { GiftCardOrderRequest } from '@tollbridge/contracts';
import type { FieldError } from '@tollbridge/rpc';
import { validateAmount } from '../amounts';
import { Decimal } from '@tollbridge/money';
import type { Product } from './gift-card-provider';

/** Returns all field errors of an order. */
export function validateOrder(
  { countryCode, unitPrice }: Pick<GiftCardOrderRequest, 'countryCode'> & { unitPrice: Decimal },
  product: Product | undefined,
): FieldError[] {
  if (!product?.isActive)
    return [
      { field: 'productId', message: 'is not a product on sale; GET /gift/giftcards/products lists them' },
    ];
  const { shown, choice, needsMore } = product;
  const errors = [validateAmount('unitPrice', unitPrice, choice)];
  if (needsMore)
    errors.push({
      field: 'productId',
      message: 'cannot be ordered: this product requires an account at the shop',
    });
  if (countryCode !== undefined && countryCode.toUpperCase() !== shown.countryCode)
    errors.push({
      field: 'countryCode',
      message: `must be ${shown.countryCode}, the country of the product`,
    });
  return errors.filter((error) => error !== undefined);
}

/**
 * The highest cost of an order, in the paying currency. It ignores the discount, which may not apply to a local price.
 * Null when the provider publishes no price.
 */
export function highestCost(product: Product, unitPrice: Decimal, quantity: number): Decimal | null {
  const { choice, fixedPrices, rate, feePercentage, fee } = product;
  const index = choice.fixed.findIndex((one) => one.compare(unitPrice) === 0);
  const price = fixedPrices[index] ?? (rate && unitPrice.times(rate));
  if (!price) return null;
  const each = price.plus(price.times(feePercentage.percent)).plus(fee);
  return each.times(Decimal.of(String(quantity)));
}
