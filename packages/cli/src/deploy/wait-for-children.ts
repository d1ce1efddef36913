import type { AnyOperator, Kind } from 'setpoint'
import { type Client, isApiError } from 'setpoint/client'
import { metadataOf } from 'setpoint/kinds'
import { type CommandContext, CommandError } from '../command/index.ts'
import { objectTitle } from './object-title.ts'
import type { InstalledResource } from './plan/resource-counts.ts'

const pollMs = 500

interface Wait {
  readonly client: Client
  readonly operators: readonly AnyOperator[]
  /** The resources whose objects were deleted, and whose CRDs will be deleted next. */
  readonly resources: readonly InstalledResource[]
  readonly timeoutMs: number
}

/**
 * Waits until the children of deleted objects are deleted too. The garbage collector reads an owner
 * before it deletes its dependents, which is not possible without the CRD: the dependents would
 * stay. A garbage collector that does not know a new CRD yet needs half a minute.
 */
export async function waitForChildren(
  { host, terminal, signal }: CommandContext,
  { client, operators, resources, timeoutMs }: Wait,
): Promise<void> {
  const kinds = new Map(
    operators
      .flatMap(({ declaration: { children, owns } }) => [
        ...children.map(({ kind }) => kind),
        ...owns,
      ])
      .map((kind) => [`${kind.apiVersion} ${kind.kind}`, kind]),
  )
  const endMs = host.monotonicMs() + timeoutMs
  for (let isPrinted = false; ; isPrinted = true) {
    const left = await Promise.all(
      [...kinds.values()].map(async (kind) => leftOf(client, kind, resources)),
    )
    const titles = left.flat()
    if (titles.length === 0) return
    if (host.monotonicMs() >= endMs) {
      throw new CommandError(
        `children of deleted objects still exist: ${titles.slice(0, 3).join(', ')}`,
        {
          hint: 'the garbage collector needs the CRDs to delete them, so the CRDs were not deleted; run this again later',
        },
      )
    }
    if (!isPrinted) {
      terminal.printProgress(
        terminal.style.dim(
          `waiting until the garbage collector has deleted ${titles.length} ${titles.length === 1 ? 'child' : 'children'}`,
        ),
      )
    }
    await host.sleep(pollMs, signal)
  }
}

interface Owned {
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly ownerReferences?: readonly { readonly apiVersion: string; readonly kind: string }[]
  }
}

/**
 * Objects of a kind whose owners are all of these resources; none without the permission to list
 * them.
 */
async function leftOf(
  client: Client,
  kind: Kind,
  resources: readonly InstalledResource[],
): Promise<string[]> {
  const isUninstalled = (owner: { readonly apiVersion: string; readonly kind: string }): boolean =>
    resources.some(
      (resource) =>
        resource.kind.kind === owner.kind &&
        owner.apiVersion.startsWith(`${resource.definition.group}/`),
    )
  try {
    const objects = (await client.listAll(metadataOf(kind))) as unknown as readonly Owned[]
    return objects
      .filter(({ metadata: { ownerReferences: owners = [] } }) => {
        return owners.length > 0 && owners.every(isUninstalled)
      })
      .map(({ metadata }) => objectTitle(kind, metadata))
  } catch (error) {
    if (isApiError(error, 'API_NOT_FOUND') || isApiError(error, 'API_FORBIDDEN')) return []
    throw error
  }
}
