import { isDeepStrictEqual } from 'node:util'
import { parseAllDocuments } from 'yaml'
import { type Client, isApiError } from 'setpoint/client'
import type { Spec } from './helm-release.ts'

/** An object of the manifest of a release. */
interface ReleasedObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string }
}

/** An object that differs from what was released. */
export interface Drift {
  readonly what: string
  /** Writes what was released. */
  correct(): Promise<void>
}

/** The field manager of corrections; helm uses the same name. */
const fieldManager = 'helm'

/**
 * The objects of a release that are missing or were changed. A dry run of server-side apply says
 * what a correction would change, with the defaults of the server.
 */
export async function driftOf(
  { manifest, namespace }: { readonly manifest: string; readonly namespace: string },
  { ignore }: Spec['driftDetection'],
  { client, signal }: { readonly client: Client; readonly signal: AbortSignal },
): Promise<Drift[]> {
  const drifts: Drift[] = []
  for (const released of objectsIn(manifest)) {
    const kind = await client.kindOf(released.apiVersion, released.kind, { signal })
    if (kind === undefined) continue
    const metadata =
      kind.scope === 'Namespaced' ? { namespace, ...released.metadata } : released.metadata
    const object = without({ ...released, metadata }, ignoredPaths(ignore, released.kind))
    const apply = async (dryRun: boolean) =>
      client.apply(kind, object as never, { fieldManager, force: true, dryRun, signal })
    const live = await client.find(kind, metadata, { signal })
    try {
      if (live !== undefined && isDeepStrictEqual(content(live), content(await apply(true)))) {
        continue
      }
    } catch (error) {
      // A change of an immutable field: it has drifted, and cannot be corrected.
      if (!isApiError(error, 'API_INVALID')) throw error
    }
    const what = `${released.kind} ${metadata.name} ${live === undefined ? 'is missing' : 'was changed'}`
    drifts.push({ what, correct: async () => void (await apply(false)) })
  }
  return drifts
}

function objectsIn(manifest: string): ReleasedObject[] {
  return parseAllDocuments(manifest).flatMap((document) => {
    const object = document.toJS() as ReleasedObject | null
    return object === null ? [] : [object]
  })
}

function ignoredPaths(ignore: Spec['driftDetection']['ignore'], kind: string): readonly string[] {
  return ignore.filter((rule) => (rule.kind ?? kind) === kind).flatMap(({ paths }) => paths)
}

/** The object without the fields at these JSON pointers. */
function without(object: object, paths: readonly string[]): object {
  const copy = structuredClone(object)
  for (const path of paths) {
    const names = path.split('/').slice(1)
    const last = names.pop() ?? ''
    let at: unknown = copy
    for (const name of names) at = (at as Record<string, unknown> | undefined)?.[name]
    if (at !== null && typeof at === 'object') delete (at as Record<string, unknown>)[last]
  }
  return copy
}

/** An object without what every write changes. */
function content(object: object): object {
  const {
    metadata,
    status: _,
    ...rest
  } = object as {
    metadata: Record<string, unknown>
    status?: unknown
  }
  const { managedFields: _m, resourceVersion: _r, generation: _g, ...kept } = metadata
  return { ...rest, metadata: kept }
}
