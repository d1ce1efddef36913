import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import { type Client, isApiError } from 'setpoint/client'
import { documentsIn } from './go-yaml.ts'
import type { Spec } from './helm-release.ts'
import { isMap, type Values } from './set-value.ts'

/** An object of the manifest of a release. */
const releasedObject = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({
    name: z.string(),
    namespace: z.string().optional(),
    annotations: z
      .record(z.string(), z.string())
      .nullish()
      .transform((map) => map ?? undefined),
  }),
})

type ReleasedObject = z.infer<typeof releasedObject>

/** An object that differs from what was released. */
export interface Drift {
  readonly what: string
  /** Writes what was released. */
  correct(this: void): Promise<void>
}

/** The field manager of corrections; helm uses the same name. */
const fieldManager = 'helm'

/** An object of a chart with this annotation and the value `disabled` is not compared. */
const annotation = 'helm.example.com/driftDetection'

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
    const paths = ignoredPaths(ignore, released, namespace)
    if (paths.includes('') || released.metadata.annotations?.[annotation] === 'disabled') continue
    const kind = await client.kindOf(released.apiVersion, released.kind, { signal })
    const name = `${released.kind} ${released.metadata.name}`
    if (kind === undefined) {
      const what = `${name}: the server does not serve ${released.apiVersion} ${released.kind}`
      drifts.push({ what, correct: () => Promise.reject(new Error(what)) })
      continue
    }
    const place = kind.scope === 'Namespaced' ? { namespace } : {}
    const metadata = { ...place, ...released.metadata }
    const live = await client.find(kind, metadata, { signal })
    const object = { ...released, metadata }
    const kept = paths.reduce<unknown>((at, path) => withLive(at, live, namesIn(path)), object)
    const desired = releasedObject.parse(kept)
    const apply = async (dryRun: boolean): Promise<unknown> =>
      client.apply(kind, desired, { fieldManager, force: true, dryRun, signal })
    if (live !== undefined && (await isUnchanged(live, async () => apply(true)))) continue
    drifts.push({
      what: `${name} ${live === undefined ? 'is missing' : 'was changed'}`,
      correct: async () => void (await apply(false)),
    })
  }
  return drifts
}

async function isUnchanged(live: unknown, dryRun: () => Promise<unknown>): Promise<boolean> {
  try {
    return isDeepStrictEqual(content(live), content(await dryRun()))
  } catch (error) {
    // A changed immutable field is drift that cannot be corrected.
    if (isApiError(error, 'API_INVALID')) return false
    throw error
  }
}

function objectsIn(manifest: string): ReleasedObject[] {
  return documentsIn(manifest)
    .filter((document) => document !== null)
    .map((document) => releasedObject.parse(document))
}

type Ignore = Spec['driftDetection']['ignore']

function ignoredPaths(ignore: Ignore, object: ReleasedObject, namespace: string): string[] {
  const { apiVersion, kind, metadata } = object
  const [version = '', group = ''] = apiVersion.split('/').reverse()
  const { name, namespace: own = namespace } = metadata
  const about = { group, version, kind, name, namespace: own }
  return ignore.flatMap(({ paths, target }) => {
    const fields = ['group', 'version', 'kind', 'name', 'namespace'] as const
    return fields.every((field) => (target?.[field] ?? about[field]) === about[field]) ? paths : []
  })
}

/** The names of a JSON pointer. */
function namesIn(pointer: string): string[] {
  const [, ...names] = pointer.split('/')
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The object with the live value at a path, so that a correction leaves it as it is. */
function withLive(object: unknown, live: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return live
  if (Array.isArray(object)) {
    const others: readonly unknown[] = Array.isArray(live) ? live : []
    return object.map((item: unknown, index) =>
      String(index) === name ? withLive(item, others[index], rest) : item,
    )
  }
  if (!isMap(object)) return object
  return { ...object, [name]: withLive(object[name], isMap(live) ? live[name] : undefined, rest) }
}

/** An object without what every write changes. */
function content(object: unknown): Values {
  const { metadata, status: _, ...rest } = isMap(object) ? object : {}
  const {
    managedFields: _managed,
    resourceVersion: _revision,
    generation: _generation,
    ...kept
  } = isMap(metadata) ? metadata : {}
  return { ...rest, metadata: kept }
}
