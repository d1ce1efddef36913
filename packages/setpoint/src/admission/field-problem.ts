/** The kinds of problems, as API servers name them. */
const causes = {
  Invalid: { reason: 'FieldValueInvalid', text: 'Invalid value' },
  Required: { reason: 'FieldValueRequired', text: 'Required value' },
  Duplicate: { reason: 'FieldValueDuplicate', text: 'Duplicate value' },
  NotSupported: { reason: 'FieldValueNotSupported', text: 'Unsupported value' },
  Forbidden: { reason: 'FieldValueForbidden', text: 'Forbidden' },
  TooLong: { reason: 'FieldValueTooLong', text: 'Too long' },
  TooMany: { reason: 'FieldValueTooMany', text: 'Too many' },
} as const

/** The kind of a problem. */
export type ProblemType = keyof typeof causes

/** A reason to refuse an object: a field, and what is wrong with it. */
export interface Problem<out Path extends string = string> {
  /** As in messages of API servers: `spec.ports[0].name`. */
  readonly path: Path
  readonly message: string
  readonly type: ProblemType | undefined
}

/**
 * A problem of a field, for `.validate`. The compiler checks that the object has the field. The
 * caller gets it as from the API server: `spec.replicas: Invalid value: 200: at most 100`. Unless
 * `type` is given, a field without a value is `Required`, and others are `Invalid`.
 */
export function problem<const Path extends string>(
  path: Path,
  message: string,
  { type }: { readonly type?: ProblemType } = {},
): Problem<Path> {
  return { path, message, type }
}

/** The details of a type of problem. */
export function causeOf(type: ProblemType): { readonly reason: string; readonly text: string } {
  return causes[type]
}

/** Whether an author's function returned a problem, and not something else. */
export function isProblem(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null) return false
  const { path, message, type } = value as Partial<Record<keyof Problem, unknown>>
  const isKnown = type === undefined || (typeof type === 'string' && Object.hasOwn(causes, type))
  return typeof path === 'string' && typeof message === 'string' && isKnown
}
