import {
  authorizerType,
  type CelEnvironment,
  celEnvironment,
  celTypes,
  type CelType,
  listType,
  mapType,
  objectType,
  printType,
  type Program,
  resourceCheckType,
} from 'setpoint/cel'

/** A program, or why there is none, in the words of a real server. */
export type CompiledExpression =
  | { readonly program: Program; readonly problem?: undefined }
  | { readonly program?: undefined; readonly problem: string }

const { string, dyn, bool } = celTypes

function fieldsOf(fields: Readonly<Record<string, CelType>>): ReadonlyMap<string, CelType> {
  return new Map(Object.entries(fields))
}

const kindType = objectType(
  'kubernetes.GroupVersionKind',
  fieldsOf({ group: string, version: string, kind: string }),
)
const resourceType = objectType(
  'kubernetes.GroupVersionResource',
  fieldsOf({ group: string, version: string, resource: string }),
)
const userType = objectType(
  'kubernetes.UserInfo',
  fieldsOf({
    username: string,
    uid: string,
    groups: listType(string),
    extra: mapType(string, listType(string)),
  }),
)
const requestType = objectType(
  'kubernetes.AdmissionRequest',
  fieldsOf({
    kind: kindType,
    resource: resourceType,
    subResource: string,
    requestKind: kindType,
    requestResource: resourceType,
    requestSubResource: string,
    name: string,
    namespace: string,
    operation: string,
    userInfo: userType,
    dryRun: bool,
    options: dyn,
  }),
)

let environment: CelEnvironment | undefined

/** Made at the first use: most clusters have no such expressions. */
function admissionEnvironment(): CelEnvironment {
  environment ??= celEnvironment({
    variables: {
      object: dyn,
      oldObject: dyn,
      request: requestType,
      authorizer: authorizerType,
      'authorizer.requestResource': resourceCheckType,
    },
    objectTypes: new Map(
      [requestType, kindType, resourceType, userType].map((type) => [type.name, type]),
    ),
  })
  return environment
}

const compiled = new Map<string, CompiledExpression>()
const compiledMax = 1000

/**
 * Compiles an expression of a match condition, whose result is true or false. Programs are kept, as
 * the same expressions are evaluated for every write.
 */
export function compiledExpression(source: string): CompiledExpression {
  let result = compiled.get(source)
  if (result !== undefined) return result
  result = compile(source)
  if (compiled.size >= compiledMax) compiled.clear()
  compiled.set(source, result)
  return result
}

function compile(source: string): CompiledExpression {
  const compilation = admissionEnvironment().compile(source)
  if (!compilation.ok) return { problem: `compilation failed: ${compilation.message}` }
  const { program } = compilation
  const { outputType } = program
  if (outputType.kind === 'bool') return { program }
  return { problem: `must evaluate to bool but got ${printType(outputType)}` }
}
