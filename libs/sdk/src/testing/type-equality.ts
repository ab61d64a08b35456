/** Fails to compile for anything but `true`. */
export type Expect<T extends true> = T;

/** Whether two types have the same members, down to the last one, however they are written. */
export type Same<A, B> =
  (<T>() => T extends Plain<A> ? 1 : 2) extends <T>() => T extends Plain<B> ? 1 : 2 ? true : false;

/** Whether a service gets nothing that cannot be sent: fields with a default are optional for the client only. */
export type Accepts<Sent, Decoded> = [Plain<Decoded>] extends [Plain<Sent>] ? true : false;

/** Whether every value of the one is a value of the other: where the schema distinguishes alternatives by a field. */
export type Narrower<Precise, Declared> = [Plain<Precise>] extends [Plain<Declared>] ? true : false;

/** The same for a request: its fields with a default are optional. */
export type NarrowerInput<Sent, Decoded> = Narrower<Sent, Partial<Plain<Decoded>>>;

/** The same fields, and `Accepts`. */
export type SameInput<Sent, Decoded> =
  Same<Whole<Sent>, Whole<Decoded>> extends true ? Accepts<Sent, Decoded> : false;

/** Whether a type has no fields. */
export type Empty<T> = [keyof T] extends [never] ? true : false;

/** Interfaces, classes and intersections as plain objects. */
type Plain<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends readonly (infer Item)[]
    ? Plain<Item>[]
    : T extends object
      ? { [Key in keyof T]: Plain<T[Key]> }
      : T;

/** The type with every field required. */
type Whole<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends readonly (infer Item)[]
    ? Whole<Item>[]
    : T extends object
      ? { [Key in keyof T]-?: Whole<Exclude<T[Key], undefined>> }
      : T;
