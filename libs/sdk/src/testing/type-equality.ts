/** Fails to compile for anything but `true`. */
export type Expect<T extends true> = T;

/** Whether two types have the same members at every level, regardless of how they are declared. */
export type Same<A, B> =
  (<T>() => T extends Plain<A> ? 1 : 2) extends <T>() => T extends Plain<B> ? 1 : 2 ? true : false;

/**
 * Whether a service can receive only values that can be sent. Fields with a default are optional only for the client.
 */
export type Accepts<Sent, Decoded> = [Plain<Decoded>] extends [Plain<Sent>] ? true : false;

/** Whether every value of the first type is a value of the second, for schemas with alternatives. */
export type Narrower<Precise, Declared> = [Plain<Precise>] extends [Plain<Declared>] ? true : false;

/** The same as `Narrower` for a request, where fields with a default are optional. */
export type NarrowerInput<Sent, Decoded> = Narrower<Sent, Partial<Plain<Decoded>>>;

/** Whether two types have the same fields and satisfy `Accepts`. */
export type SameInput<Sent, Decoded> =
  Same<Whole<Sent>, Whole<Decoded>> extends true ? Accepts<Sent, Decoded> : false;

/** Whether a type has no fields. */
export type Empty<T> = [keyof T] extends [never] ? true : false;

/** Converts interfaces, classes and intersections to plain objects. */
type Plain<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends readonly (infer Item)[]
    ? Plain<Item>[]
    : T extends object
      ? { [Key in keyof T]: Plain<T[Key]> }
      : T;

/** Makes every field required. */
type Whole<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends readonly (infer Item)[]
    ? Whole<Item>[]
    : T extends object
      ? { [Key in keyof T]-?: Whole<Exclude<T[Key], undefined>> }
      : T;
