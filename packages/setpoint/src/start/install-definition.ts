import type { Client } from '../client/index.ts'
import type { AnyResourceDefinition, CrdOptions } from '../definition/index.ts'
import { SetpointError } from '../errors/index.ts'
import type { Host } from '../host/index.ts'
import { CustomResourceDefinition } from '../kinds/index.ts'
import type { CrdManifest } from '../schema/index.ts'

/** How often a server is asked whether it serves a definition yet, and for how long. */
const askMs = 200
const establishMs = 30_000

/** A condition of a CRD, as far as it is looked at. */
interface CrdCondition {
  readonly type: string
  readonly status: string
  readonly message?: string
}

/** What became of a CRD that was to be installed. */
type Installation = 'changed' | 'unchanged' | 'going'

/**
 * Applies the CRD of a definition and waits until it is served. One that is being deleted is `going`: what is written now
 * goes with it, and it may go only after its objects, which the operator has to let go.
 */
export async function installDefinition(
  definition: AnyResourceDefinition,
  { host, client }: { readonly host: Host; readonly client: Client },
): Promise<Installation> {
  const name = `${definition.plural}.${definition.group}`
  const before = await client.find(CustomResourceDefinition, name)
  if (before?.metadata.deletionTimestamp !== undefined) return 'going'
  const crd = definition.crd(conversionOf(before as unknown as CrdManifest | undefined))
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

/** A definition does not know where its webhook is; whoever installed it before did. */
function conversionOf(installed: CrdManifest | undefined): CrdOptions {
  const conversionWebhook = installed?.spec.conversion?.webhook?.clientConfig
  return conversionWebhook === undefined ? {} : { conversionWebhook }
}

function notEstablished(name: string, conditions: readonly CrdCondition[]): SetpointError {
  const refused = conditions.find(({ status }) => status === 'False')
  const why = refused?.message ?? `the server did not say why within ${establishMs / 1000} s`
  return new SetpointError('CRD_NOT_ESTABLISHED', `the CRD ${name} is not served: ${why}`, {
    hint: 'look at its conditions with kubectl describe; names may be taken by another CRD',
  })
}
