import type { JsonPatchOperation } from '../../client/index.ts'
import type { ApiResource } from '../../kinds/api-resource.ts'
import { isSecretObject } from '../../kinds/is-secret-object.ts'
import { type ContentHash, pointerToken } from '../../patch/index.ts'
import { hasFields } from '../../schema/json-value.ts'
import { childAnnotation, type ChildManifest } from '../manifest/child-manifest.ts'

/**
 * The annotation with the hashes of the manifest that was written last, and the generation of the
 * owner at that time. A field that is no longer
 * desired leaves no other trace, so without the hashes each reconcile would have to apply.
 */
const appliedAnnotation = 'setpoint.dev/applied'

/** The suffix of the annotation while plain writes own fields: see `mergeOwnership`. */
const updateSuffix = '.w'

/** How an object was written: by server-side apply, or by create, replace or patch. */
type Operation = 'apply' | 'update'

/**
 * Whether the manifest that was written last is the desired one. The hash of a Secret does not
 * depend on its values, which are compared with the live ones.
 */
export function isUpToDate(live: ApiResource, { hash, object }: ChildManifest): boolean {
  if (appliedHash(live)?.content !== hash.content) return false
  const { data } = object
  if (!isSecretObject(object) || !hasFields(data)) return true
  const values = hasFields(live['data']) ? live['data'] : {}
  return Object.keys(data).every((key) => data[key] === values[key])
}

/**
 * Whether the manifest that was written last has the same fields and list items as the desired one.
 */
export function hasSameShape(live: ApiResource, { hash }: ChildManifest): boolean {
  return appliedHash(live)?.shape === hash.shape
}

/**
 * Whether the object was written for a newer generation of its owner. Then the cache shows an old
 * owner, and writing this manifest would undo a change. Only writes record the generation, so a
 * generation that changes nothing costs no write.
 */
export function isFromNewerOwner(
  { metadata }: ApiResource,
  { generation }: ChildManifest,
): boolean {
  const [, , recorded = ''] = metadata.annotations?.[appliedAnnotation]?.split('.') ?? []
  return (
    generation !== undefined && /^g\d+$/.test(recorded) && Number(recorded.slice(1)) > generation
  )
}

/**
 * Whether an object was written as this child, or by `ctx.apply`. It may have lost its owner
 * reference since then, and even its mark: the hash of this manifest contains both.
 */
export function isMarked(live: ApiResource, { marks, hash }: ChildManifest): boolean {
  const applied = appliedHash(live)
  if (applied === undefined) return false
  const mark = live.metadata.annotations?.[childAnnotation]
  if (mark !== undefined) return marks.includes(mark)
  return marks.length === 0 || applied.content === hash.content
}

/** Whether plain writes may own fields of the object. Without the annotation it is unknown. */
export function mayHaveUpdatedFields({ metadata }: ApiResource): boolean {
  return metadata.annotations?.[appliedAnnotation]?.endsWith(updateSuffix) !== false
}

/** A manifest with its annotation, as it is sent. */
export function withApplied(manifest: ChildManifest, by: Operation): ChildManifest['object'] {
  const { object } = manifest
  const annotations = {
    ...object.metadata.annotations,
    [appliedAnnotation]: appliedText(manifest, by),
  }
  return { ...object, metadata: { ...object.metadata, annotations } }
}

/** Changes of an object, with the change of its annotation. */
export function withAppliedChange(
  { metadata }: ApiResource,
  manifest: ChildManifest,
  operations: readonly JsonPatchOperation[],
): readonly JsonPatchOperation[] {
  const value = appliedText(manifest, 'update')
  if (metadata.annotations?.[appliedAnnotation] === value) return operations
  return [...operations, { op: 'add', path: appliedPath, value }]
}

const appliedPath = `/metadata/annotations/${pointerToken(appliedAnnotation)}`

function appliedHash({ metadata }: ApiResource): ContentHash | undefined {
  const [content, shape] = metadata.annotations?.[appliedAnnotation]?.split('.') ?? []
  return content === undefined || shape === undefined ? undefined : { content, shape }
}

function appliedText({ hash, generation }: ChildManifest, by: Operation): string {
  const recorded = generation === undefined ? '' : `.g${generation}`
  return `${hash.content}.${hash.shape}${recorded}${by === 'update' ? updateSuffix : ''}`
}
