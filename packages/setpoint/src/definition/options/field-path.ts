/**
 * Type-level check of a field path such as `.spec.image` or
 * `.status.conditions[?(@.type=="Ready")].status` against the type of an object. A path is checked
 * step by step and not looked up in a union of all paths, so its cost depends on the length of the
 * path and not on the size of the resource.
 */

type Scalar = string | number | boolean | null | undefined

/** The name up to the next `.` or `[`, and the rest. */
type SplitName<Rest extends string> = Rest extends `${infer A}.${infer B}`
  ? A extends `${infer Name}[${infer Inside}`
    ? [Name, `[${Inside}.${B}`]
    : [A, `.${B}`]
  : Rest extends `${infer Name}[${infer Inside}`
    ? [Name, `[${Inside}`]
    : [Rest, '']

type Field<T, Name extends string, Rest extends string> = unknown extends T
  ? true
  : T extends Scalar
    ? false
    : T extends readonly unknown[]
      ? false
      : string extends keyof T
        ? true
        : Name extends keyof T
          ? Walk<NonNullable<T[Name]>, Rest>
          : false

type Item<T, Rest extends string> = unknown extends T
  ? true
  : T extends readonly (infer I)[]
    ? Walk<NonNullable<I>, Rest>
    : false

type ItemOfType<T, Type extends string, Rest extends string> = T extends readonly (infer I)[]
  ? I extends { type?: infer Known }
    ? Type extends Known
      ? Walk<I, Rest>
      : false
    : Walk<NonNullable<I>, Rest>
  : Item<T, Rest>

type Walk<T, Path extends string> = Path extends ''
  ? true
  : Path extends `[?(@.type=="${infer Type}")]${infer Rest}`
    ? ItemOfType<T, Type, Rest>
    : Path extends `[?(${string})]${infer Rest}`
      ? Item<T, Rest>
      : Path extends `['${infer Name}']${infer Rest}`
        ? Field<T, Name, Rest>
        : Path extends `[${string}]${infer Rest}`
          ? Item<T, Rest>
          : Path extends `.${infer Rest}`
            ? SplitName<Rest> extends [infer Name extends string, infer After extends string]
              ? Field<T, Name, After>
              : false
            : false

/**
 * The path itself when it exists in `T`, otherwise a string type with the problem, which the
 * compiler prints in its error.
 */
export type CheckedPath<T, Path extends string> = string extends Path
  ? Path
  : Path extends `${string}\\${string}`
    ? // An escaped dot, as in labels: left to the check at run time.
      Path
    : true extends Walk<T, Path>
      ? Path
      : `this resource has no field at ${Path}`
