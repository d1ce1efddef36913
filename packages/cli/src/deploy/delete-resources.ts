import type { Client } from 'setpoint/client'
import { CustomResourceDefinition } from 'setpoint/kinds'
import { type CommandContext, CommandError } from '../command/index.ts'
import { crdName } from '../generate/index.ts'
import { objectTitle } from './object-title.ts'
import { type InstalledResource, objectsOf, type ResourceObject } from './plan/resource-counts.ts'

const pollMs = 500

/** The resources to delete. */
interface Deletion {
  readonly client: Client
  readonly resources: readonly InstalledResource[]
  readonly timeoutMs: number
}

/** Deletes all objects of the resources and waits until their finalizers have run. */
export async function deleteObjects(
  { host, terminal, signal }: CommandContext,
  { client, resources, timeoutMs }: Deletion,
): Promise<void> {
  for (const resource of resources) {
    const objects = await objectsOf(client, resource)
    const namespaces = new Set(objects.map(({ namespace }) => namespace))
    for (const namespace of namespaces) await client.deleteAll(resource.kind, { namespace })
  }
  const endMs = host.monotonicMs() + timeoutMs
  let printed = ''
  for (;;) {
    const held = await heldObjects(client, resources)
    if (held.length === 0) return
    if (host.monotonicMs() >= endMs) throw finalizersError(held)
    const line = `waiting until ${held.length} ${held.length === 1 ? 'object is' : 'objects are'} deleted`
    if (line !== printed) terminal.printProgress(terminal.style.dim(line))
    printed = line
    await host.sleep(pollMs, signal)
  }
}

interface Held {
  readonly resource: InstalledResource
  readonly object: ResourceObject
}

async function heldObjects(
  client: Client,
  resources: readonly InstalledResource[],
): Promise<Held[]> {
  const found = await Promise.all(
    resources.map(async (resource) =>
      (await objectsOf(client, resource)).map((object) => ({ resource, object })),
    ),
  )
  return found.flat()
}

/** The maximum number of objects that the error names: their finalizers are usually the same. */
const namedMax = 5

function finalizersError(held: readonly Held[]): CommandError {
  const lines = held.slice(0, namedMax).map(({ resource, object }) => {
    const finalizers = object.finalizers ?? []
    const why =
      finalizers.length === 0 ? 'it was created meanwhile' : `finalizers ${finalizers.join(', ')}`
    return `\n  ${objectTitle(resource.kind, object)}: ${why}`
  })
  const more = held.length > namedMax ? `\n  and ${held.length - namedMax} more` : ''
  const [first] = held
  const command = first === undefined ? '' : releaseCommand(first)
  return new CommandError(`objects are not deleted:${lines.join('')}${more}`, {
    hint:
      'the operator that set a finalizer removes it after its cleanup succeeded: check that it runs, and read its log. ' +
      `If it will never run again, clean up by hand and remove the finalizer: ${command}`,
  })
}

function releaseCommand({ resource, object: { name, namespace } }: Held): string {
  const where = namespace === undefined ? '' : ` --namespace ${namespace}`
  const patch = `--type merge --patch '{"metadata":{"finalizers":null}}'`
  return `kubectl patch ${crdName(resource.definition)} ${name}${where} ${patch}`
}

/** Deletes CRDs and waits until they are deleted. */
export async function deleteDefinitions(
  { host, signal }: CommandContext,
  { client, resources, timeoutMs }: Deletion,
): Promise<void> {
  const names = resources.map(({ definition }) => crdName(definition))
  for (const name of names) await client.delete(CustomResourceDefinition, name)
  const endMs = host.monotonicMs() + timeoutMs
  for (const name of names) {
    while ((await client.find(CustomResourceDefinition, name)) !== undefined) {
      if (host.monotonicMs() >= endMs) {
        throw new CommandError(`the CRD ${name} is not deleted`, {
          hint: `kubectl describe crd ${name} shows the reason`,
        })
      }
      await host.sleep(pollMs, signal)
    }
  }
}
