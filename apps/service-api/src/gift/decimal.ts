import { isDecimalText } from '@tollbridge/money';

/** A decimal of 0 or more, exact, however many digits it has. */
export class Decimal {
  private constructor(
    private readonly digits: bigint,
    private readonly scale: number,
  ) {}

  static readonly zero = new Decimal(0n, 0);
  static readonly one = new Decimal(1n, 0);

  /** @throws RangeError for what is no plain decimal */
  static of(text: string): Decimal {
    if (!isDecimalText(text)) throw new RangeError('not a decimal');
    const [whole = '', fraction = ''] = text.split('.');
    return new Decimal(BigInt(whole + fraction), fraction.length);
  }

  plus(other: Decimal): Decimal {
    const [left, right, scale] = this.aligned(other);
    return new Decimal(left + right, scale);
  }

  /** 0 where more is taken away than there is. */
  minus(other: Decimal): Decimal {
    const [left, right, scale] = this.aligned(other);
    return right > left ? Decimal.zero : new Decimal(left - right, scale);
  }

  times(other: Decimal): Decimal {
    return new Decimal(this.digits * other.digits, this.scale + other.scale);
  }

  /** Rounded up to so many digits after the point; a divisor above 0. */
  dividedUp(divisor: Decimal, scale: number): Decimal {
    const numerator = this.digits * 10n ** BigInt(divisor.scale + scale);
    const denominator = divisor.digits * 10n ** BigInt(this.scale);
    return new Decimal((numerator + denominator - 1n) / denominator, scale);
  }

  /** A hundredth. */
  get percent(): Decimal {
    return new Decimal(this.digits, this.scale + 2);
  }

  /** Rounded up to so many digits after the point: who sells is owed the rest. */
  roundedUp(scale: number): Decimal {
    if (this.scale <= scale) return this;
    const cut = 10n ** BigInt(this.scale - scale);
    return new Decimal((this.digits + cut - 1n) / cut, scale);
  }

  /** Below 0, 0, or above. */
  compare(other: Decimal): number {
    const [left, right] = this.aligned(other);
    return left < right ? -1 : left > right ? 1 : 0;
  }

  get isZero(): boolean {
    return this.digits === 0n;
  }

  /** Without an exponent and without zeros at the end. */
  get text(): string {
    const digits = String(this.digits).padStart(this.scale + 1, '0');
    const whole = digits.slice(0, digits.length - this.scale);
    const fraction = digits.slice(digits.length - this.scale).replace(/0+$/, '');
    return fraction === '' ? whole : `${whole}.${fraction}`;
  }

  /** As a reply of JSON shows it. */
  get number(): number {
    return Number(this.text);
  }

  private aligned(other: Decimal): [bigint, bigint, number] {
    const scale = Math.max(this.scale, other.scale);
    const raised = ({ digits, scale: own }: Decimal) => digits * 10n ** BigInt(scale - own);
    return [raised(this), raised(other), scale];
  }
}
