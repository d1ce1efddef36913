/**
 * A decoded and defaulted object: every field has its JSON type, but any field may be missing (Go's
 * zero value) and an enumeration may have any string.
 */
export type Decoded<T> = T extends string
  ? string
  : T extends number
    ? number
    : T extends boolean
      ? boolean
      : T extends readonly (infer Item)[]
        ? readonly Decoded<Item>[]
        : T extends object
          ? { readonly [Key in keyof T]?: Decoded<T[Key]> }
          : T
