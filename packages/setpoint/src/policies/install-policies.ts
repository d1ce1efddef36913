import type { Client } from '../client/index.ts'
import type { Kind } from '../kinds/kind.ts'
import type { Logger } from '../log/index.ts'
import type { AnyOperator } from '../operator/index.ts'
import { type PolicyObject, policyObjects } from './policy-objects.ts'

/** The dependencies of `installPolicies`. */
interface InstallPoliciesOptions {
  readonly client: Client
  readonly log: Logger
  readonly namespaces: readonly string[] | undefined
}

/** The labels of policies that a process installed, and not a deployment. */
const installedLabels = { 'setpoint.dev/installed-by': 'process' } as const

/** Applies the policies of operators and their bindings. Throws if a write fails. */
export async function installPolicies(
  operators: readonly AnyOperator[],
  { client, log, namespaces }: InstallPoliciesOptions,
): Promise<void> {
  for (const { metadata, ...object } of policyObjects(operators, { namespaces })) {
    const written = { ...object, metadata: { ...metadata, labels: installedLabels } }
    const options = { fieldManager: 'setpoint', force: true }
    await client.apply(kindOf(object.kind), written, options)
    log.info({ policy: metadata.name, kind: object.kind }, 'installed the policy')
  }
}

/**
 * The kinds of `kinds/` would do, but every operator would contain their protobuf tables, and
 * nothing reads these objects.
 */
function kindOf(kind: PolicyObject['kind']): Kind<PolicyObject> {
  const [group, version] = ['admissionregistration.k8s.io', 'v1']
  const plural = kind.endsWith('Policy')
    ? `${kind.toLowerCase().slice(0, -1)}ies`
    : `${kind.toLowerCase()}s`
  const apiVersion = `${group}/${version}`
  return { group, version, apiVersion, kind, plural, scope: 'Cluster', subresources: [] }
}
