import type { Client } from '../client/index.ts'
import type { AnyResourceDefinition, CrdOptions } from '../definition/index.ts'
import { SetpointError } from '../errors/index.ts'
import type { Host } from '../host/index.ts'
import { CustomResourceDefinition } from '../kinds/index.ts'
import { isTerminating } from '../kinds/is-terminating.ts'
import { kindName } from '../kinds/kind-name.ts'
import type { CrdManifest, CrdWebhookClientConfig } from '../schema/index.ts'
import { checkConversion } from './check-conversion.ts'

/** How often and how long to ask a server whether it serves a definition yet. */
const askMs = 200
const establishMs = 30_000

/** The fields of a CRD condition that are read here. */
interface CrdCondition {
  readonly type: string
  readonly status: string
  readonly message?: string
}

/** The result of an installation. */
type Installation = 'changed' | 'unchanged' | 'terminating'

/** The dependencies of an installation. */
interface InstallationOptions {
  readonly host: Host
  readonly client: Client
  /** The address at which this process converts the definition, if it does. */
  readonly conversionOf: (definition: AnyResourceDefinition) => CrdWebhookClientConfig | undefined
}

/**
 * Applies the CRD of a definition and waits until it is served. A CRD that is being deleted is
 * `terminating`: a write would be lost with it, and it may wait for its objects, from which the
 * operator has to remove finalizers.
 */
export async function installDefinition(
  definition: AnyResourceDefinition,
  { host, client, conversionOf }: InstallationOptions,
): Promise<Installation> {
  const name = kindName(definition)
  const before = await client.find(CustomResourceDefinition, name)
  if (before !== undefined && isTerminating(before)) return 'terminating'
  const installed = before as unknown as CrdManifest | undefined
  const served = conversionOf(definition)
  if (served === undefined) checkConversion(definition, installed)
  const crd = definition.crd(
    served === undefined ? installedConversion(installed) : { conversionWebhook: served },
  )
  const applied = await client.apply(CustomResourceDefinition, crd, {
    fieldManager: 'setpoint',
    force: true,
  })
  const endMs = host.monotonicMs() + establishMs
  for (let current = applied; ; current = await client.get(CustomResourceDefinition, name)) {
    const conditions: readonly CrdCondition[] = current.status?.conditions ?? []
    const isEstablished = conditions.some(
      ({ type, status }) => type === 'Established' && status === 'True',
    )
    if (isEstablished) break
    if (host.monotonicMs() >= endMs) throw notEstablished(name, conditions)
    await host.sleep(askMs)
  }
  const isSame = before?.metadata.resourceVersion === applied.metadata.resourceVersion
  return isSame ? 'unchanged' : 'changed'
}

/** A definition does not know the address of its conversion webhook: keeps the installed one. */
function installedConversion(installed: CrdManifest | undefined): CrdOptions {
  const conversionWebhook = installed?.spec.conversion?.webhook?.clientConfig
  return conversionWebhook === undefined ? {} : { conversionWebhook }
}

function notEstablished(name: string, conditions: readonly CrdCondition[]): SetpointError {
  const refused = conditions.find(({ status }) => status === 'False')
  const why = refused?.message ?? `the server gave no reason within ${establishMs / 1000} s`
  return new SetpointError('CRD_NOT_ESTABLISHED', `the CRD ${name} is not served: ${why}`, {
    hint: 'check its conditions with kubectl describe crd; another CRD may use the same names',
  })
}
