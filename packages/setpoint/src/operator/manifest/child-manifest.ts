import { keyOf } from '../../cache/index.ts'
import { SetpointError } from '../../errors/index.ts'
import type { ApiResource } from '../../kinds/api-resource.ts'
import type { Kind } from '../../kinds/kind.ts'
import { listTypesOf } from '../../kinds/list-types-of.ts'
import { isSecretObject } from '../../kinds/is-secret-object.ts'
import { type ContentHash, contentHash } from '../../patch/index.ts'
import { hasFields } from '../../schema/json-value.ts'
import type { ChildDeclaration, OperatorDeclaration } from '../declare/operator-declaration.ts'
import type { DeletionPolicy } from '../declare/operator-types.ts'
import {
  canReference,
  ownerAnnotation,
  ownerReference,
  ownerText,
  ownerUidLabel,
} from '../owner/owner-reference.ts'
import { plainManifest } from './plain-manifest.ts'

/** The annotation with the deletion policy of a child, unless it is `background`. */
export const deletionAnnotation = 'setpoint.dev/deletion'

/** The annotation `operator/child` of a child. Only objects with it are pruned. */
export const childAnnotation = 'setpoint.dev/child'

/** The desired state of an object: what the author returned, with name, namespace and owner. */
export interface ChildManifest {
  readonly object: {
    readonly apiVersion: string
    readonly kind: string
    readonly metadata: {
      readonly name: string
      readonly namespace?: string
      readonly annotations?: Readonly<Record<string, string>>
      readonly [field: string]: unknown
    }
    readonly [field: string]: unknown
  }
  /** Compares this manifest with the one that was written last. */
  readonly hash: ContentHash
  /** The values of `childAnnotation` that this child has, or had under a former name. */
  readonly marks: readonly string[]
  /** The generation of the owner that this manifest follows from; built-in kinds may have none. */
  readonly generation: number | undefined
  /** Whether the garbage collector deletes it with its owner. */
  readonly isCollected: boolean
}

/** The parts of a manifest. */
interface ManifestParts {
  readonly owner: ApiResource
  readonly kind: Kind
  /** The name, unless the author gives one. */
  readonly name: string
  readonly desired: Partial<ApiResource>
  readonly deletion?: DeletionPolicy | undefined
  /** Whether it may be in another namespace than its owner, or cluster-scoped. */
  readonly mayBeCrossNamespace: boolean
  /** `operator/child`, and then the same with former names; none for objects of `.reconcile`. */
  readonly marks?: readonly string[] | undefined
}

/** Turns the result of the author's function into a complete manifest. */
export function childManifest(parts: ManifestParts): ChildManifest {
  const { owner, kind, desired, marks = [], deletion = 'background' } = parts
  const [child] = marks
  const what = `${child ?? 'the object'} (${kind.kind}) of ${owner.kind} ${keyOf(owner.metadata)}`
  const { metadata: given = {}, ...fields } = writable(kind, plainManifest(desired, what))
  const namespace = kind.scope === 'Cluster' ? undefined : (given.namespace ?? homeOf(owner, kind))
  checkPlace(parts, namespace)
  const isReferenced = canReference(owner, namespace) && deletion !== 'retain'
  // With `generateName` the server makes the name.
  const isGenerated = given.name === undefined && given['generateName'] !== undefined
  const name = isGenerated ? '' : (given.name ?? nameWithin(parts, namespace))
  const identity = namespace === undefined ? { name } : { name, namespace }
  const ownerFields = isReferenced ? referenceTo(owner, given) : ownerLabels(owner, given, identity)
  const annotations = {
    ...given.annotations,
    ...ownerFields.annotations,
    ...(child === undefined ? {} : { [childAnnotation]: child }),
    ...(deletion === 'background' ? {} : { [deletionAnnotation]: deletion }),
  }
  const metadata = { ...given, ...identity, ...ownerFields, annotations }
  const object = { ...fields, apiVersion: kind.apiVersion, kind: kind.kind, metadata }
  const hash = contentHash(withoutSecretValues(object), listTypesOf(kind))
  const { generation } = owner.metadata
  const isCollected = isReferenced && deletion === 'background'
  return { object, hash, marks, generation, isCollected }
}

/**
 * What is hashed: everything, but of a Secret only the names of its data. The hash is written into
 * an annotation, and could confirm a guessed value. `isUpToDate` compares the values themselves.
 */
function withoutSecretValues(object: ChildManifest['object']): object {
  if (!isSecretObject(object) || !hasFields(object['data'])) return object
  return {
    ...object,
    data: Object.fromEntries(Object.keys(object['data']).map((key) => [key, ''])),
  }
}

/** Fields that the server sets. A manifest copied from `kubectl get` has them. */
const setByServer = [
  'creationTimestamp',
  'generation',
  'managedFields',
  'resourceVersion',
  'selfLink',
  'uid',
]

/**
 * The fields of a manifest that a server stores. Others would look like drift in every reconcile.
 */
function writable(
  { group, kind, subresources }: Kind,
  { status, ...desired }: Record<string, unknown>,
): { readonly metadata?: Given; readonly [field: string]: unknown } {
  const object: Record<string, unknown> = desired
  if (status !== undefined && !subresources.includes('status')) object['status'] = status
  const { metadata, stringData, data, binaryData, spec } = desired
  if (hasFields(metadata) && setByServer.some((field) => field in metadata)) {
    const kept = Object.entries(metadata).filter(([field]) => !setByServer.includes(field))
    object['metadata'] = Object.fromEntries(kept)
  }
  if (group === '' && kind === 'Secret') {
    const texts = Object.entries(stringData ?? {}).map(([name, text]) => [name, base64Of(text)])
    const isPlain = texts.length === 0 && !Object.values(data ?? {}).some(hasSpace)
    if (!isPlain) object['data'] = { ...withoutSpace(data), ...Object.fromEntries(texts) }
    delete object['stringData']
  }
  if (group === '' && kind === 'ConfigMap' && Object.values(binaryData ?? {}).some(hasSpace)) {
    object['binaryData'] = withoutSpace(binaryData)
  }
  // An empty clusterIP asks the server to allocate one, so the allocated address is not drift.
  if (group === '' && kind === 'Service' && hasFields(spec) && spec['clusterIP'] === '') {
    object['spec'] = { ...spec, clusterIP: undefined }
  }
  return object
}

function base64Of(text: unknown): string {
  return Buffer.from(String(text)).toString('base64')
}

function hasSpace(value: unknown): boolean {
  return typeof value === 'string' && /\s/.test(value)
}

/** Base64 without line breaks, as the server returns it. */
function withoutSpace(data: unknown): object {
  const values = Object.entries(data ?? {}).map(([name, value]: [string, unknown]) => [
    name,
    hasSpace(value) ? String(value).replace(/\s/g, '') : value,
  ])
  return Object.fromEntries(values) as object
}

/** The first child of a kind has the name of its owner; further ones have `owner-child`. */
export function childName(
  { children }: OperatorDeclaration,
  child: ChildDeclaration,
  { owner, key }: { readonly owner: ApiResource; readonly key?: string | undefined },
): string {
  const first = children.find(
    ({ kind }) => kind.apiVersion === child.kind.apiVersion && kind.kind === child.kind.kind,
  )
  const own = first === child ? [] : [child.name.toLowerCase()]
  return [owner.metadata.name, ...own, ...(key === undefined ? [] : [key])].join('-')
}

interface OwnerFields {
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly ownerReferences?: readonly object[]
}

type Given = Partial<ChildManifest['object']['metadata']> & OwnerFields

function referenceTo(owner: ApiResource, given: Given): OwnerFields {
  return { ownerReferences: [ownerReference(owner), ...(given.ownerReferences ?? [])] }
}

function ownerLabels(
  owner: ApiResource,
  given: Given,
  identity: { name: string; namespace?: string },
): OwnerFields {
  return {
    labels: { ...given.labels, [ownerUidLabel]: owner.metadata.uid },
    annotations: { [ownerAnnotation]: ownerText(owner, identity) },
  }
}

/** A child is in the namespace of its owner, or in the owner if that is a Namespace. */
function homeOf({ apiVersion, kind, metadata }: ApiResource, child: Kind): string {
  const home = apiVersion === 'v1' && kind === 'Namespace' ? metadata.name : metadata.namespace
  if (home !== undefined) return home
  throw new SetpointError(
    'OPERATOR_INVALID',
    `${kind} ${metadata.name} is cluster-scoped, and its ${child.kind} has no metadata.namespace`,
    { hint: 'give the child a metadata.namespace' },
  )
}

/** A child in another namespace has to be declared: its owner needs a finalizer. */
function checkPlace(
  { owner, kind, mayBeCrossNamespace }: ManifestParts,
  namespace: string | undefined,
): void {
  if (mayBeCrossNamespace || canReference(owner, namespace)) return
  const { metadata } = owner
  const where = namespace === undefined ? 'cluster-scoped' : `in the namespace ${namespace}`
  throw new SetpointError(
    'OPERATOR_INVALID',
    `${owner.kind} ${keyOf(metadata)} cannot own a ${kind.kind} that is ${where}`,
    { hint: 'declare it as a child with `crossNamespace: true`, or leave metadata.namespace out' },
  )
}

/** Owners with one name in several namespaces must not get children with one name. */
function nameWithin({ owner, name }: ManifestParts, namespace: string | undefined): string {
  return canReference(owner, namespace) ? name : `${owner.metadata.namespace}-${name}`
}
