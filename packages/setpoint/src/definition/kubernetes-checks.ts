import * as core from 'zod/v4/core'
import type { ValidationRule } from '../schema/index.ts'

/** The keyword that one of Setpoint's checks adds to the generated schema. */
export type Annotation =
  | { readonly kind: 'rule'; readonly rule: ValidationRule }
  | { readonly kind: 'immutable' }
  | { readonly kind: 'list-map'; readonly keys: readonly string[] }
  | { readonly kind: 'list-set' }
  | { readonly kind: 'atomic' }
  | { readonly kind: 'properties'; readonly min?: number; readonly max?: number }
  | { readonly kind: 'embedded-resource' }

type Scalar = string | number | boolean

interface AnnotatedCheckDef extends core.$ZodCheckDef {
  check: 'setpoint'
  annotation: Annotation
}

/**
 * The annotation of a zod check; `undefined` for a check that is not Setpoint's. The check may come
 * from another copy of this package.
 */
export function annotationOf(check: core.$ZodCheck): Annotation | undefined {
  const def = check._zod.def as Partial<AnnotatedCheckDef>
  return def.check === 'setpoint' ? def.annotation : undefined
}

/** All annotations of a schema. */
export function annotationsOf(schema: core.$ZodType): Annotation[] {
  return (schema._zod.def.checks ?? []).flatMap((check) => annotationOf(check) ?? [])
}

type Inspect<T> = (value: T) => string | undefined

/**
 * Kubernetes' vocabulary is added with zod's own `.check(...)`, because classic zod and zod/mini
 * both have it, and because it does not change the type of a schema.
 */
function annotate<T>(annotation: Annotation, inspect?: Inspect<T>): core.$ZodCheck<T> {
  const def: AnnotatedCheckDef = { check: 'setpoint', annotation }
  const check = new core.$ZodCheck(def) as core.$ZodCheck<T>
  check._zod.check = (payload) => {
    // After .optional() a check also gets absent values.
    const isAbsent = payload.value === undefined || payload.value === null
    const message = isAbsent ? undefined : inspect?.(payload.value)
    if (message !== undefined) {
      payload.issues.push({ code: 'custom', message, input: payload.value, inst: check as never })
    }
  }
  return check
}

/**
 * A CEL rule that the API server enforces: `z.object({...}).check(rule('self.min <= self.max'))`.
 * The second argument is the message, or an object with more. Use it instead of a zod refinement,
 * because a server cannot run JavaScript. For a whole resource use `rules: [...]`, for other kinds
 * those of `.policy`. `parse` checks it if the program has loaded `setpoint/cel`, as tests do.
 */
export function rule(cel: string, message?: string | RuleMessage): PlainRule
/** Declares a rule with more options: its reason, the path of its field, optional old values. */
export function rule(cel: string, options: Omit<ValidationRule, 'rule'>): Rule
export function rule(cel: string, options: string | Omit<ValidationRule, 'rule'> = {}): Rule {
  const given = typeof options === 'string' ? { message: options } : options
  const check = annotate<unknown>({ kind: 'rule', rule: { rule: cel, ...given } })
  return Object.assign(check, { rule: { rule: cel, ...given } })
}

/** The texts of a rule. */
interface RuleMessage {
  readonly message?: string
  readonly messageExpression?: string
  readonly reason?: never
  readonly fieldPath?: never
  readonly optionalOldSelf?: never
}

/** A rule with nothing but texts, which can also be used in a policy. */
export type PlainRule = Rule & { readonly rule: RuleMessage }

/**
 * The result of `rule()`: a check for a zod schema that can also be used in a definition's `rules`.
 */
export type Rule = core.$ZodCheck<unknown> & { readonly rule: ValidationRule }

/**
 * The field keeps the value with which it was created; for an optional field this includes being
 * absent. It becomes a CEL transition rule, so it works without a webhook.
 */
export function immutable(): core.$ZodCheck<unknown> {
  return annotate({ kind: 'immutable' })
}

/**
 * The list is a map: entries are identified by these keys, and field managers own entries instead
 * of the whole list. Two entries with the same keys are refused.
 */
export function listMap<const Key extends string>(
  ...keys: Key[]
): core.$ZodCheck<readonly Readonly<Record<Key, Scalar>>[]> {
  return annotate<readonly Readonly<Record<Key, Scalar>>[]>({ kind: 'list-map', keys }, (items) => {
    const identities = items.map((item) => JSON.stringify(keys.map((key) => item[key])))
    return duplicateOf(identities, `two entries have the same ${keys.join(' and ')}`)
  })
}

/** The list is a set of scalars: field managers own single values, and duplicates are refused. */
export function listSet(): core.$ZodCheck<readonly Scalar[]> {
  return annotate<readonly Scalar[]>({ kind: 'list-set' }, (items) =>
    duplicateOf(
      items.map((item) => JSON.stringify(item)),
      'two entries are the same',
    ),
  )
}

/** The list or object has one field manager and is replaced as a whole. */
export function atomic(): core.$ZodCheck<object> {
  return annotate({ kind: 'atomic' })
}

/** The map has at least this many entries: `z.record(z.string(), V).check(minProperties(1))`. */
export function minProperties(min: number): core.$ZodCheck<object> {
  return annotate<object>({ kind: 'properties', min }, (map) =>
    Object.keys(map).length < min ? `must have at least ${min} entries` : undefined,
  )
}

/** The map has at most this many entries; rules inside a map need such a limit for their cost. */
export function maxProperties(max: number): core.$ZodCheck<object> {
  return annotate<object>({ kind: 'properties', max }, (map) =>
    Object.keys(map).length > max ? `must have at most ${max} entries` : undefined,
  )
}

/** The object is a complete Kubernetes object; `embeddedResource()` is a ready-made schema. */
export function isEmbeddedResource(): core.$ZodCheck<object> {
  return annotate({ kind: 'embedded-resource' })
}

function duplicateOf(identities: readonly string[], message: string): string | undefined {
  return new Set(identities).size === identities.length ? undefined : message
}
