import type { AnyOperator, Kind } from 'setpoint'
import { type Client, isApiError } from 'setpoint/client'
import { metadataOf } from 'setpoint/kinds'
import { type CommandContext, CommandError } from '../command/index.ts'
import { objectTitle } from './object-title.ts'
import type { InstalledResource } from './plan/resource-counts.ts'

const lookMs = 500

interface Wait {
  readonly client: Client
  readonly operators: readonly AnyOperator[]
  /** The resources whose CRDs are about to go, and whose objects are gone. */
  readonly resources: readonly InstalledResource[]
  readonly timeoutMs: number
}

/**
 * Waits until what belonged to objects is gone, too. The garbage collector of a cluster asks for owners before it deletes
 * what they had, and what has no CRD any more cannot be asked for: it would stay for ever. One that has not heard of a
 * young CRD yet needs half a minute.
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
  for (let isTold = false; ; isTold = true) {
    const left = await Promise.all(
      [...kinds.values()].map(async (kind) => leftOf(client, kind, resources)),
    )
    const titles = left.flat()
    if (titles.length === 0) return
    if (host.monotonicMs() >= endMs) {
      throw new CommandError(
        `what belonged to deleted objects is still there: ${titles.slice(0, 3).join(', ')}`,
        {
          hint: 'the garbage collector of the cluster removes it, but cannot do so without the CRDs: they stay until then',
        },
      )
    }
    if (!isTold) {
      terminal.note(terminal.style.dim(`waiting for ${titles.length} of their children to go`))
    }
    await host.sleep(lookMs, signal)
  }
}

interface Owned {
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly ownerReferences?: readonly { readonly apiVersion: string; readonly kind: string }[]
  }
}

/** Objects of a kind that nobody else owns; none where we may not look. */
async function leftOf(
  client: Client,
  kind: Kind,
  resources: readonly InstalledResource[],
): Promise<string[]> {
  const isGone = (owner: { readonly apiVersion: string; readonly kind: string }): boolean =>
    resources.some(
      (resource) =>
        resource.kind.kind === owner.kind &&
        owner.apiVersion.startsWith(`${resource.definition.group}/`),
    )
  try {
    const objects = (await client.listAll(metadataOf(kind))) as unknown as readonly Owned[]
    return objects
      .filter(({ metadata: { ownerReferences: owners = [] } }) => {
        return owners.length > 0 && owners.every(isGone)
      })
      .map(({ metadata }) => objectTitle(kind, metadata))
  } catch (error) {
    if (isApiError(error, 'API_NOT_FOUND') || isApiError(error, 'API_FORBIDDEN')) return []
    throw error
  }
}
