/**
 * Checks the CEL rules of a CRD's schema as an API server does when the CRD is written: each rule
 * has to compile and its estimated cost has to be within the limits.
 */
import {
  fieldError,
  type FieldError,
  type StructuralSchema,
  type ValidationRule,
} from '../../schema/index.ts'
import { RuleCompiler, type CompiledRule } from './compile-rule.ts'
import { escapeName } from './escape-name.ts'
import { cardinalityMax, schemaType, type SchemaType } from './schema-type.ts'

/** The largest estimated cost of one rule. */
const ruleCostMax = 10_000_000n

/** The largest estimated cost of all rules of a schema. */
const schemaCostMax = 100_000_000n

const uint64Max = 2n ** 64n - 1n

/** A node of the schema on the way to its rules. */
interface Place {
  readonly schema: StructuralSchema
  readonly path: string
  readonly isRoot: boolean
  /** The type, if a rule at this node or above needed it. */
  readonly type: SchemaType | undefined
  /** How often the node can occur in an object; `undefined` without a limit in the schema. */
  readonly cardinality: bigint | undefined
  /** The list above, whose elements cannot be matched with those of the old object. */
  readonly uncorrelatable: string | undefined
}

/**
 * The errors of all rules in a valid structural schema. `path` is the path of the schema in the
 * CRD, such as `spec.validation.openAPIV3Schema`.
 */
export function checkRules(schema: StructuralSchema, path: string): FieldError[] {
  const checker = new RuleChecker()
  const root: Place = {
    schema,
    path,
    isRoot: true,
    type: undefined,
    cardinality: 1n,
    uncorrelatable: undefined,
  }
  return [...checker.visit(root), ...checker.totalErrors(path)]
}

class RuleChecker {
  private total = 0n
  private readonly expensive: { readonly path: string; readonly cost: bigint }[] = []

  /** The errors of a node and everything below it; those below come first. */
  visit(place: Place): FieldError[] {
    const { schema } = place
    const rules = schema['x-kubernetes-validations'] ?? []
    const type = place.type ?? (rules.length > 0 ? schemaType(schema, place.isRoot) : undefined)
    const here = { ...place, type }
    return [...this.visitChildren(here), ...this.checkNode(here, rules)]
  }

  private visitChildren(place: Place): FieldError[] {
    const { schema, path, type } = place
    const { additionalProperties, properties = {}, items } = schema
    const errors: FieldError[] = []
    if (typeof additionalProperties === 'object') {
      const child = { schema: additionalProperties, path: `${path}.additionalProperties` }
      errors.push(...this.visit(childOf(place, child, type?.element)))
    }
    for (const [name, property] of Object.entries(properties)) {
      const child = { schema: property, path: `${path}.properties[${name}]` }
      const identifier = escapeName(name)
      const fieldType = identifier === undefined ? undefined : type?.fields?.get(identifier)
      errors.push(...this.visit(childOf(place, child, fieldType)))
    }
    if (items !== undefined) {
      const child = { schema: items, path: `${path}.items` }
      const isMap = schema['x-kubernetes-list-type'] === 'map'
      const uncorrelatable = isMap ? place.uncorrelatable : (place.uncorrelatable ?? path)
      errors.push(...this.visit({ ...childOf(place, child, type?.element), uncorrelatable }))
    }
    return errors
  }

  private checkNode(place: Place, rules: readonly ValidationRule[]): FieldError[] {
    if (rules.length === 0) return []
    const base = `${place.path}.x-kubernetes-validations`
    if (place.type === undefined) {
      const reason = 'unable to convert structural schema to CEL declarations'
      const detail = `internal error: failed to construct type information for x-kubernetes-validations rules: ${reason}`
      return [fieldError.internal(base, detail)]
    }
    const compiler = new RuleCompiler(place.schema, place.type)
    return rules.flatMap((rule, index) =>
      this.checkRule(place, compiler.compile(rule), `${base}[${index}]`),
    )
  }

  private checkRule(place: Place, compiled: CompiledRule, path: string): FieldError[] {
    const { rule, error, messageError, messageProgram } = compiled
    const factor = place.cardinality ?? cardinalityMax(place.type?.bytesMin ?? 0)
    const cost = multiply(compiled.program?.cost.max ?? 0n, factor)
    const errors: FieldError[] = []
    if (cost > ruleCostMax) {
      const detail = costMessage('estimated rule cost', cost, ruleCostMax)
      errors.push(fieldError.forbidden(`${path}.rule`, detail))
    }
    this.observe(`${path}.rule`, cost)
    if (error !== undefined) errors.push(invalidRule(`${path}.rule`, rule, error))
    if (messageError !== undefined) {
      errors.push(invalidRule(`${path}.messageExpression`, rule, messageError))
    } else if (messageProgram !== undefined) {
      const messageCost = messageProgram.cost.max
      if (messageCost > ruleCostMax) {
        const detail = costMessage('estimated messageExpression cost', messageCost, ruleCostMax)
        errors.push(fieldError.forbidden(`${path}.messageExpression`, detail))
      }
      this.observe(`${path}.messageExpression`, messageCost)
    }
    return [...errors, ...oldSelfErrors(place, compiled, path)]
  }

  private observe(path: string, cost: bigint): void {
    this.total = this.total + cost > uint64Max ? uint64Max : this.total + cost
    if (cost < schemaCostMax / 100n) return
    this.expensive.push({ path, cost })
    this.expensive.sort((one, other) => Number(other.cost - one.cost))
    this.expensive.splice(4)
  }

  /** The errors of the sum of all costs. */
  totalErrors(path: string): FieldError[] {
    if (this.total <= schemaCostMax) return []
    const contribution =
      'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema'
    const name = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema'
    return [
      ...this.expensive.map((rule) => fieldError.forbidden(rule.path, contribution)),
      fieldError.forbidden(path, costMessage(name, this.total, schemaCostMax)),
    ]
  }
}

function childOf(
  parent: Place,
  child: { readonly schema: StructuralSchema; readonly path: string },
  type: SchemaType | undefined,
): Place {
  const factor = elementsMax(parent.schema)
  const { cardinality, uncorrelatable } = parent
  return {
    ...child,
    isRoot: child.schema['x-kubernetes-embedded-resource'] === true,
    type,
    cardinality:
      cardinality === undefined || factor === undefined ? undefined : multiply(cardinality, factor),
    uncorrelatable,
  }
}

/** How many children of one kind a value can have. */
function elementsMax(schema: StructuralSchema): bigint | undefined {
  const { type, additionalProperties, maxItems, maxProperties } = schema
  const isMap = type === 'object' && additionalProperties !== undefined
  if (type !== 'array' && !isMap) return 1n
  const limit = isMap ? maxProperties : maxItems
  return limit === undefined ? undefined : BigInt(Math.max(0, limit))
}

function multiply(one: bigint, other: bigint): bigint {
  return one * other > uint64Max ? uint64Max : one * other
}

function oldSelfErrors(place: Place, compiled: CompiledRule, path: string): FieldError[] {
  const { rule, usesOldSelf } = compiled
  if (usesOldSelf) {
    if (place.uncorrelatable === undefined) return []
    const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${place.uncorrelatable}`
    return [fieldError.invalid(`${path}.rule`, rule.rule, detail)]
  }
  if (rule.optionalOldSelf === undefined) return []
  const detail = 'may not be set if oldSelf is not used in rule'
  return [fieldError.invalid(`${path}.optionalOldSelf`, rule.optionalOldSelf, detail)]
}

/** The server prints the whole rule, with the names of Go's fields. */
function invalidRule(path: string, rule: ValidationRule, detail: string): FieldError {
  const printed = JSON.stringify({
    Rule: rule.rule,
    Message: rule.message ?? '',
    MessageExpression: rule.messageExpression ?? '',
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? '',
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  }).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return fieldError.invalidPrinted(path, printed, detail)
}

function costMessage(name: string, cost: bigint, limit: bigint): string {
  const factor = Number(cost) / Number(limit)
  const text =
    factor > 100
      ? 'more than 100x'
      : factor < 1.5
        ? `${factor.toFixed(6)}x`
        : `${factor.toFixed(1)}x`
  return `${name} exceeds budget by factor of ${text} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`
}
