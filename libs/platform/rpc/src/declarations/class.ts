export type Class<T> = new () => T;
