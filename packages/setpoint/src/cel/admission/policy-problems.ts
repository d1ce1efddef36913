import type { StructuralSchema } from '../../schema/index.ts'
import { schemaType, type SchemaType } from '../kubernetes/schema-type.ts'
import type { CompiledExpression } from './compile-expression.ts'
import { mutationExpression, type PolicyExpressions, policyPrograms } from './policy-programs.ts'
import type { CheckedKind } from './type-warnings.ts'

/** An expression that cannot be evaluated. */
export interface ExpressionProblem {
  /** Its place in the policy: `spec.validations[0].expression`. */
  readonly field: string
  readonly expression: string
  /** In the words of a real server. */
  readonly problem: string
}

/** The kinds whose types expressions are checked with, where they are known. */
interface PolicyKinds {
  readonly object?: CheckedKind | undefined
  readonly params?: CheckedKind | undefined
}

/**
 * The expressions of a policy that a server refuses, and those that do not fit the types of the
 * objects: a server only reports these in the status of the policy, and evaluating them fails.
 */
export function policyProblems(
  spec: PolicyExpressions,
  { object, params }: PolicyKinds,
): ExpressionProblem[] {
  const untyped = placedPrograms(spec, policyPrograms(spec))
  const types = { object: object && checkedType(object), params: params && checkedType(params) }
  const typed = placedPrograms(spec, policyPrograms(spec, types))
  return untyped.flatMap(({ field, expression, compiled }, index) => {
    const problem = compiled?.problem ?? typed[index]?.compiled?.problem
    return problem === undefined ? [] : [{ field, expression, problem }]
  })
}

interface PlacedProgram {
  readonly field: string
  readonly expression: string
  readonly compiled: CompiledExpression | undefined
}

/** The programs of a policy with their places, in the order in which a server checks them. */
function placedPrograms(
  spec: PolicyExpressions,
  programs: ReturnType<typeof policyPrograms>,
): PlacedProgram[] {
  const { matchConditions = [], variables = [], validations = [] } = spec
  const { auditAnnotations = [], mutations = [] } = spec
  return [
    ...matchConditions.map(({ expression = '' }, index) => ({
      field: `spec.matchConditions[${index}].expression`,
      expression,
      compiled: programs.matchConditions[index],
    })),
    ...variables.map(({ name = '', expression = '' }, index) => ({
      field: `spec.variables[${index}].expression`,
      expression,
      compiled: programs.variables.get(name),
    })),
    ...validations.flatMap(({ expression = '', messageExpression = '' }, index) => [
      {
        field: `spec.validations[${index}].expression`,
        expression,
        compiled: programs.validations[index],
      },
      {
        field: `spec.validations[${index}].messageExpression`,
        expression: messageExpression,
        compiled: programs.messages[index],
      },
    ]),
    ...auditAnnotations.map(({ valueExpression = '' }, index) => ({
      field: `spec.auditAnnotations[${index}].valueExpression`,
      expression: valueExpression,
      compiled: programs.auditAnnotations[index],
    })),
    ...mutations.map((mutation, index) => ({
      field: `spec.mutations[${index}].${mutation.jsonPatch === undefined ? 'applyConfiguration' : 'jsonPatch'}.expression`,
      expression: mutationExpression(mutation),
      compiled: programs.mutations[index],
    })),
  ]
}

function checkedType({ schema, kind }: CheckedKind): SchemaType | undefined {
  return schemaType(withOpenParts(schema), true, kind)
}

/** A value of any type. */
const open: StructuralSchema = { 'x-kubernetes-int-or-string': true }

/** These texts have other types in schemas, but policies see texts. */
const convertedFormats: ReadonlySet<string | undefined> = new Set([
  'byte',
  'date',
  'date-time',
  'duration',
])

/**
 * The schema with an open type for everything that an expression may use although the schema does
 * not say so. A correct expression is therefore never refused.
 */
function withOpenParts(schema: StructuralSchema): StructuralSchema {
  const { type, format, properties, items, additionalProperties } = schema
  const isUnknown = schema['x-kubernetes-preserve-unknown-fields'] === true || type === undefined
  if (isUnknown || convertedFormats.has(format)) return open
  if (type === 'array') return items === undefined ? open : { type, items: withOpenParts(items) }
  if (type !== 'object') return schema
  if (typeof additionalProperties === 'object') {
    return { type, additionalProperties: withOpenParts(additionalProperties) }
  }
  if (properties === undefined) return open
  const parts = Object.entries(properties).map(([name, part]) => [name, withOpenParts(part)])
  return { ...schema, properties: Object.fromEntries(parts) as Record<string, StructuralSchema> }
}
