import {
  type AnyOperator,
  type AnyResourceDefinition,
  checkConversion,
  type CrdOptions,
} from 'setpoint'
import type { Client } from 'setpoint/client'
import { CustomResourceDefinition } from 'setpoint/kinds'
import { type CommandContext, CommandError } from '../../command/index.ts'
import {
  type ClusterObject,
  crdName,
  crdObject,
  definitionsOf,
  type ManifestSettings,
} from '../../generate/index.ts'
import { checkStoredVersions, type InstalledCrd } from './stored-versions.ts'

/**
 * The CRDs of operators, merged with what the cluster has. `deploy` passes the CRDs whose versions
 * its pods convert; `install` deploys no pods, and refuses versions that nothing converts.
 */
export async function definitionObjects(
  client: Client,
  operators: readonly AnyOperator[],
  { settings, served }: { settings: ManifestSettings; served?: readonly ClusterObject[] },
): Promise<ClusterObject[]> {
  return Promise.all(
    definitionsOf(operators).map(async (definition) => {
      const installed = await installedCrd(client, definition)
      checkStoredVersions(installed, definition.crd())
      const name = crdName(definition)
      const deployed = served?.find(({ manifest }) => manifest.metadata.name === name)
      if (deployed !== undefined) return deployed
      checkConversion(definition, installed)
      return crdObject(definition, settings, conversionOf(installed))
    }),
  )
}

/** The CRD of a definition, if the cluster has it. */
export async function installedCrd(
  client: Client,
  definition: AnyResourceDefinition,
): Promise<InstalledCrd | undefined> {
  const found = await client.find(CustomResourceDefinition, crdName(definition))
  return found as unknown as InstalledCrd | undefined
}

/** Keeps the conversion webhook of the installed CRD, which is not part of the definition. */
function conversionOf(installed: InstalledCrd | undefined): CrdOptions | undefined {
  const conversionWebhook = installed?.spec.conversion?.webhook?.clientConfig
  return conversionWebhook === undefined ? undefined : { conversionWebhook }
}

const pollMs = 200
const establishMs = 30_000

/** Waits until the server serves the definitions. */
export async function untilServed(
  { host, signal }: CommandContext,
  client: Client,
  definitions: readonly AnyResourceDefinition[],
): Promise<void> {
  const endMs = host.monotonicMs() + establishMs
  for (const definition of definitions) {
    for (;;) {
      const conditions = (await installedCrd(client, definition))?.status?.conditions ?? []
      const isTrue = (name: string): boolean =>
        conditions.some(({ type, status }) => type === name && status === 'True')
      if (isTrue('Established')) break
      if (host.monotonicMs() >= endMs) {
        const why = conditions.find(({ status }) => status === 'False')?.message
        throw new CommandError(
          `the server does not serve ${crdName(definition)}: ${why ?? 'no condition says why'}`,
          { hint: `kubectl describe crd ${crdName(definition)} shows its conditions` },
        )
      }
      await host.sleep(pollMs, signal)
    }
  }
}
