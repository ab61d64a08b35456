import { isDecimalText } from '@tollbridge/money';

/** An exact decimal of 0 or more, with any number of digits. */
export class Decimal {
  private constructor(
    private readonly digits: bigint,
    private readonly scale: number,
  ) {}

  static readonly zero = new Decimal(0n, 0);
  static readonly one = new Decimal(1n, 0);

  /** @throws RangeError for text that is not a plain decimal */
  static of(text: string): Decimal {
    if (!isDecimalText(text)) throw new RangeError('not a decimal');
    const [whole = '', fraction = ''] = text.split('.');
    return new Decimal(BigInt(whole + fraction), fraction.length);
  }

  plus(other: Decimal): Decimal {
    const [left, right, scale] = this.aligned(other);
    return new Decimal(left + right, scale);
  }

  /** Never below 0. */
  minus(other: Decimal): Decimal {
    const [left, right, scale] = this.aligned(other);
    return right > left ? Decimal.zero : new Decimal(left - right, scale);
  }

  times(other: Decimal): Decimal {
    return new Decimal(this.digits * other.digits, this.scale + other.scale);
  }

  /** Rounds up to `scale` digits after the point. The divisor must be above 0. */
  dividedUp(divisor: Decimal, scale: number): Decimal {
    const numerator = this.digits * 10n ** BigInt(divisor.scale + scale);
    const denominator = divisor.digits * 10n ** BigInt(this.scale);
    return new Decimal((numerator + denominator - 1n) / denominator, scale);
  }

  /** One hundredth of this number. */
  get percent(): Decimal {
    return new Decimal(this.digits, this.scale + 2);
  }

  /** Rounds up to `scale` digits after the point, so that a cost is never understated. */
  roundedUp(scale: number): Decimal {
    if (this.scale <= scale) return this;
    const cut = 10n ** BigInt(this.scale - scale);
    return new Decimal((this.digits + cut - 1n) / cut, scale);
  }

  /** Returns -1, 0 or 1. */
  compare(other: Decimal): number {
    const [left, right] = this.aligned(other);
    return left < right ? -1 : left > right ? 1 : 0;
  }

  get isZero(): boolean {
    return this.digits === 0n;
  }

  /** Without exponent and trailing zeros. */
  get text(): string {
    const digits = String(this.digits).padStart(this.scale + 1, '0');
    const whole = digits.slice(0, digits.length - this.scale);
    const fraction = digits.slice(digits.length - this.scale).replace(/0+$/, '');
    return fraction === '' ? whole : `${whole}.${fraction}`;
  }

  /** For a JSON reply. */
  get number(): number {
    return Number(this.text);
  }

  private aligned(other: Decimal): [bigint, bigint, number] {
    const scale = Math.max(this.scale, other.scale);
    const raised = ({ digits, scale: own }: Decimal) => digits * 10n ** BigInt(scale - own);
    return [raised(this), raised(other), scale];
  }
}
