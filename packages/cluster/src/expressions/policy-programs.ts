import {
  celEnvironment,
  celTypes,
  type CelEnvironment,
  type CelType,
  objectType,
} from 'setpoint/cel'
import { admissionObjectTypes, authorizerVariables, commonVariables } from './admission-types.ts'
import { compileExpression, type CompiledExpression } from './compile-expression.ts'

/** The parts of a policy that have expressions. */
interface PolicyExpressions {
  readonly paramKind?: object | undefined
  readonly matchConditions?: readonly { readonly expression?: string }[] | undefined
  readonly variables?:
    readonly { readonly name?: string; readonly expression?: string }[] | undefined
  readonly validations?:
    readonly { readonly expression?: string; readonly messageExpression?: string }[] | undefined
  readonly auditAnnotations?: readonly { readonly valueExpression?: string }[] | undefined
}

/** The compiled expressions of a policy, in the order of its spec. */
export interface PolicyPrograms {
  readonly matchConditions: readonly CompiledExpression[]
  readonly variables: ReadonlyMap<string, CompiledExpression>
  readonly validations: readonly CompiledExpression[]
  /** `undefined` where a validation has no message expression. */
  readonly messages: readonly (CompiledExpression | undefined)[]
  readonly auditAnnotations: readonly CompiledExpression[]
}

const { bool, string, dyn } = celTypes

/** Compiles the expressions of a policy. A variable can use the ones before it. */
export function policyPrograms(spec: PolicyExpressions): PolicyPrograms {
  const params: Readonly<Record<string, CelType>> =
    spec.paramKind === undefined ? {} : { params: dyn }
  const fields = new Map<string, CelType>()
  const variables = new Map<string, CompiledExpression>()
  const environmentOf = (mayAuthorize: boolean): CelEnvironment => {
    const variablesType = objectType('kubernetes.variables', new Map(fields))
    return celEnvironment({
      variables: {
        ...commonVariables,
        ...params,
        ...(mayAuthorize ? authorizerVariables : {}),
        variables: variablesType,
      },
      objectTypes: new Map([...admissionObjectTypes, [variablesType.name, variablesType]]),
    })
  }
  const beforeVariables = celEnvironment({
    variables: { ...commonVariables, ...params, ...authorizerVariables },
    objectTypes: admissionObjectTypes,
  })
  for (const { name = '', expression = '' } of spec.variables ?? []) {
    const compiled = compileExpression(environmentOf(true), expression)
    variables.set(name, compiled)
    fields.set(name, compiled.program?.outputType ?? dyn)
  }
  const [authorizing, plain] = [environmentOf(true), environmentOf(false)]
  const { matchConditions = [], validations = [], auditAnnotations = [] } = spec
  return {
    variables,
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
