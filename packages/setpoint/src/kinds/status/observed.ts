/**
 * Any view of an object that has a status: read-only or not, complete or partial. Status helpers
 * take it, so objects from a cache (deeply read-only), from a test (partial) and from the API all
 * fit. No helper reads a quantity, so any view of one fits.
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
