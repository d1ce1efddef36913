/**
 * Any view of an object that is good enough to judge its status by: read-only or not, complete or
 * cut down to a few fields. Status helpers take it, so objects from a cache (deeply read-only), from
 * a test (partial) and straight from the API all fit. No helper reads a quantity, so any view of one fits.
 */
export type Observed<T> = T extends string
  ? '~quantity' extends keyof T
    ? unknown
    : T
  : T extends readonly (infer Item)[]
    ? readonly Observed<Item>[]
    : T extends object
      ? { readonly [K in keyof T]?: Observed<T[K]> | undefined }
      : T
