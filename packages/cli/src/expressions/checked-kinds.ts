import type { AnyOperator, Kind, PolicyDeclaration } from 'setpoint'
import type { CheckedKind } from 'setpoint/cel'

/** The kinds with which the expressions of a policy are checked. */
interface PolicyKinds {
  readonly object: CheckedKind | undefined
  readonly params: CheckedKind | undefined
}

/**
 * The kinds of policies with their schemas: built-in kinds, and the definitions of the program. The
 * schemas of other kinds are not known, and their fields are not checked.
 */
export async function checkedKinds(
  operators: readonly AnyOperator[],
): Promise<(policy: PolicyDeclaration) => PolicyKinds> {
  // Several megabytes, which most projects do not need.
  const { builtinSchema, withMetadataSchema } = await import('@setpoint/cluster/schemas')
  const definitions = operators.flatMap(({ declaration: { definition } }) => definition ?? [])
  const checked = ({ group, version, apiVersion, kind }: Kind): CheckedKind | undefined => {
    const own = definitions.find((one) => one.apiVersion === apiVersion && one.kind === kind)
    const schema =
      own === undefined ? builtinSchema(apiVersion, kind) : withMetadataSchema(own.schema())
    return schema && { group, version, kind, schema }
  }
  return ({ kind, subresource, options: { params } }) => ({
    object: reviewed(kind, subresource, checked),
    params: params && checked(params.kind),
  })
}

const scale = { group: 'autoscaling', version: 'v1', apiVersion: 'autoscaling/v1', kind: 'Scale' }

/** The objects of requests; those of subresources such as `exec` are not checked. */
function reviewed(
  kind: Kind,
  subresource: string | undefined,
  checked: (kind: Kind) => CheckedKind | undefined,
): CheckedKind | undefined {
  if (subresource === undefined || subresource === 'status') return checked(kind)
  return subresource === 'scale' ? checked({ ...kind, ...scale }) : undefined
}
