import { celEnvironment, type CelEnvironment } from '../environment.ts'
import { appliedObjectType, jsonPatchType, patchTypes } from '../kubernetes/patch-types.ts'
import { objectTypesIn, type SchemaType } from '../kubernetes/schema-type.ts'
import { jsonPatchFunctions } from '../library/kubernetes-functions.ts'
import { type CelType, celTypes, listType, objectType } from '../types/cel-type.ts'
import { admissionObjectTypes, authorizerVariables, commonVariables } from './admission-types.ts'
import { compileExpression, type CompiledExpression } from './compile-expression.ts'
import { variableType } from './variable-type.ts'

/** The parts of a policy that have expressions. */
export interface PolicyExpressions {
  readonly paramKind?: object | undefined
  readonly matchConditions?: readonly { readonly expression?: string }[] | undefined
  readonly variables?:
    readonly { readonly name?: string; readonly expression?: string }[] | undefined
  readonly validations?:
    readonly { readonly expression?: string; readonly messageExpression?: string }[] | undefined
  readonly auditAnnotations?: readonly { readonly valueExpression?: string }[] | undefined
  readonly mutations?: readonly MutationExpression[] | undefined
}

/** A mutation of a policy, which has one of the two expressions. */
export interface MutationExpression {
  readonly patchType?: string
  readonly applyConfiguration?: { readonly expression?: string }
  readonly jsonPatch?: { readonly expression?: string }
}

/** The compiled expressions of a policy, in the order of its spec. */
export interface PolicyPrograms {
  readonly matchConditions: readonly CompiledExpression[]
  readonly variables: ReadonlyMap<string, CompiledExpression>
  readonly validations: readonly CompiledExpression[]
  /** `undefined` where a validation has no message expression. */
  readonly messages: readonly (CompiledExpression | undefined)[]
  readonly auditAnnotations: readonly CompiledExpression[]
  readonly mutations: readonly CompiledExpression[]
}

const { bool, string, dyn } = celTypes

/** The types of the objects that a policy is about; without one, any field can be used. */
interface PolicyTypes {
  readonly object?: SchemaType | undefined
  readonly params?: SchemaType | undefined
}

/**
 * Compiles the expressions of a policy. A variable can use the ones before it. Servers compile
 * without types.
 */
export function policyPrograms(spec: PolicyExpressions, types: PolicyTypes = {}): PolicyPrograms {
  const object = types.object?.type ?? dyn
  const params: Readonly<Record<string, CelType>> =
    spec.paramKind === undefined ? {} : { params: types.params?.type ?? dyn }
  const given = { ...commonVariables, object, oldObject: object, ...params }
  const objectTypes = new Map([
    ...admissionObjectTypes,
    ...[types.object, types.params].flatMap((type) =>
      type === undefined ? [] : [...objectTypesIn(type)],
    ),
  ])
  const fields = new Map<string, CelType>()
  const variables = new Map<string, CompiledExpression>()
  const environmentOf = (mayAuthorize: boolean, patching: object = {}): CelEnvironment => {
    const variablesType = objectType('kubernetes.variables', new Map(fields))
    return celEnvironment({
      ...patching,
      variables: {
        ...given,
        ...(mayAuthorize ? authorizerVariables : {}),
        variables: variablesType,
      },
      objectTypes: new Map([...objectTypes, [variablesType.name, variablesType]]),
    })
  }
  const beforeVariables = celEnvironment({
    variables: { ...given, ...authorizerVariables },
    objectTypes,
  })
  for (const { name = '', expression = '' } of spec.variables ?? []) {
    const compiled = compileExpression(environmentOf(true), expression)
    variables.set(name, compiled)
    fields.set(name, variableType(compiled.program?.outputType))
  }
  const [authorizing, plain] = [environmentOf(true), environmentOf(false)]
  const { matchConditions = [], validations = [], auditAnnotations = [], mutations = [] } = spec
  const patching = { messageTypes: patchTypes, functions: jsonPatchFunctions }
  return {
    variables,
    mutations: mutations.map((mutation) =>
      compileMutation(environmentOf(true, patching), mutation),
    ),
    matchConditions: matchConditions.map(({ expression = '' }) =>
      compileExpression(beforeVariables, expression, [bool]),
    ),
    validations: validations.map(({ expression = '' }) =>
      compileExpression(authorizing, expression, [bool]),
    ),
    messages: validations.map(({ messageExpression = '' }) =>
      messageExpression === '' ? undefined : compileExpression(plain, messageExpression, [string]),
    ),
    auditAnnotations: auditAnnotations.map(({ valueExpression = '' }) =>
      compileExpression(plain, valueExpression, [string, celTypes.null]),
    ),
  }
}

/** The expression of a mutation. */
export function mutationExpression(mutation: MutationExpression): string {
  const { patchType, jsonPatch, applyConfiguration } = mutation
  return (patchType === 'JSONPatch' ? jsonPatch : applyConfiguration)?.expression ?? ''
}

function compileMutation(
  environment: CelEnvironment,
  mutation: MutationExpression,
): CompiledExpression {
  const isPatch = mutation.patchType === 'JSONPatch'
  const result = isPatch ? listType(jsonPatchType) : appliedObjectType
  return compileExpression(environment, mutationExpression(mutation).trim(), [result])
}
