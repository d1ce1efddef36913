import type { StructuralSchema } from '../../schema/index.ts'
import { celEnvironment, type CelEnvironment } from '../environment.ts'
import { objectTypesIn, schemaType, type SchemaType } from '../kubernetes/schema-type.ts'
import { authorizerType } from '../library/authorizer.ts'
import { type CelType, celTypes, objectType } from '../types/cel-type.ts'
import { admissionObjectTypes, commonVariables } from './admission-types.ts'
import { variableType } from './variable-type.ts'

/** A kind whose objects a policy is about, or that has its parameters. */
export interface CheckedKind {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly schema: StructuralSchema
}

/** The expressions of a policy that are checked. */
interface CheckedPolicy {
  readonly variables?: readonly { readonly name: string; readonly expression: string }[]
  readonly validations?: readonly {
    readonly expression: string
    readonly messageExpression?: string
  }[]
  readonly paramKind?: object
}

/** What is wrong with an expression, for each kind for which something is. */
interface TypeWarning {
  readonly fieldRef: string
  readonly warning: string
}

/**
 * Checks the validations of a policy with the types of the objects that it is about. The policy is
 * evaluated in any case: objects have no types then.
 */
export function typeWarnings(
  { variables = [], validations = [], paramKind }: CheckedPolicy,
  kinds: readonly CheckedKind[],
  params: CheckedKind | undefined,
): TypeWarning[] {
  const paramsType = paramKind === undefined ? undefined : { type: params && typeOf(params) }
  const environments = kinds.map((kind) => ({
    kind,
    environment: environmentOf(typeOf(kind), paramsType, variables),
  }))
  return validations.flatMap(({ expression, messageExpression = '' }, index) => {
    const at = `spec.validations[${index}]`
    const checked = [{ fieldRef: `${at}.expression`, expression }]
    if (messageExpression !== '') {
      checked.push({ fieldRef: `${at}.messageExpression`, expression: messageExpression })
    }
    return checked.flatMap(({ fieldRef, expression: source }) => {
      const texts = environments.flatMap(({ kind, environment }) => {
        const compiled = environment.compile(source)
        return compiled.ok ? [] : [`${shown(kind)}: ${compiled.message}\n`]
      })
      return texts.length === 0 ? [] : [{ fieldRef, warning: texts.join('\n') }]
    })
  })
}

function shown({ group, version, kind }: CheckedKind): string {
  return `${group}/${version}, Kind=${kind}`
}

function typeOf({ schema, kind }: CheckedKind): SchemaType | undefined {
  return schemaType(schema, true, kind)
}

/** Each variable can use the ones before it. */
function environmentOf(
  object: SchemaType | undefined,
  params: { readonly type: SchemaType | undefined } | undefined,
  variables: NonNullable<CheckedPolicy['variables']>,
): CelEnvironment {
  const fields = new Map<string, CelType>()
  const current = (): CelEnvironment => {
    const variablesType = objectType('kubernetes.variables', new Map(fields))
    const ownType = object?.type ?? celTypes.dyn
    return celEnvironment({
      variables: {
        ...commonVariables,
        object: ownType,
        oldObject: ownType,
        ...(params === undefined ? {} : { params: params.type?.type ?? celTypes.dyn }),
        authorizer: authorizerType,
        variables: variablesType,
      },
      objectTypes: new Map([
        ...admissionObjectTypes,
        ...(object === undefined ? [] : objectTypesIn(object)),
        ...(params?.type === undefined ? [] : objectTypesIn(params.type)),
        [variablesType.name, variablesType],
      ]),
    })
  }
  for (const { name, expression } of variables) {
    const compiled = current().compile(expression)
    fields.set(name, variableType(compiled.ok ? compiled.program.outputType : undefined))
  }
  return current()
}
