import type { Client } from 'setpoint/client'
import { CustomResourceDefinition } from 'setpoint/kinds'
import { type CommandContext, CommandError } from '../command/index.ts'
import { crdName } from '../manifests/index.ts'
import { objectTitle } from './object-title.ts'
import { type InstalledResource, objectsOf, type ResourceObject } from './plan/resource-counts.ts'

const lookMs = 500

/** What deleting resources needs. */
interface Deletion {
  readonly client: Client
  readonly resources: readonly InstalledResource[]
  readonly timeoutMs: number
}

/** Deletes all objects of resources and waits until they are gone: their operators have cleaning up to do. */
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
  let told = ''
  for (;;) {
    const held = await heldObjects(client, resources)
    if (held.length === 0) return
    if (host.monotonicMs() >= endMs) throw hangingError(held)
    const line = `waiting for ${held.length} ${held.length === 1 ? 'object' : 'objects'} to go`
    if (line !== told) terminal.note(terminal.style.dim(line))
    told = line
    await host.sleep(lookMs, signal)
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

/** So many hanging objects are named; their reasons are mostly the same. */
const namedMax = 5

function hangingError(held: readonly Held[]): CommandError {
  const lines = held.slice(0, namedMax).map(({ resource, object }) => {
    const finalizers = object.finalizers ?? []
    const why = finalizers.length === 0 ? 'it is new' : `held by ${finalizers.join(', ')}`
    return `\n  ${objectTitle(resource.kind, object)}: ${why}`
  })
  const more = held.length > namedMax ? `\n  and ${held.length - namedMax} more` : ''
  const [first] = held
  const command = first === undefined ? '' : releaseCommand(first)
  return new CommandError(`objects do not go away:${lines.join('')}${more}`, {
    hint:
      'a finalizer is removed by the operator that set it, once its clean-up succeeded: see that it runs, and what its ' +
      `log says. If it never will, remove it yourself, and with it what it should have cleaned up: ${command}`,
  })
}

function releaseCommand({ resource, object: { name, namespace } }: Held): string {
  const where = namespace === undefined ? '' : ` --namespace ${namespace}`
  const patch = `--type merge --patch '{"metadata":{"finalizers":null}}'`
  return `kubectl patch ${crdName(resource.definition)} ${name}${where} ${patch}`
}

/** Deletes CRDs and waits until they are gone. */
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
        throw new CommandError(`the CRD ${name} does not go away`, {
          hint: `kubectl describe crd ${name} shows what it waits for`,
        })
      }
      await host.sleep(lookMs, signal)
    }
  }
}
