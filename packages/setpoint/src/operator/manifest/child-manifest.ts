import { keyOf } from '../../cache/index.ts'
import { SetpointError } from '../../errors/index.ts'
import type { Kind } from '../../kinds/kind.ts'
import { listTypesOf } from '../../kinds/list-types-of.ts'
import { hasFields } from '../../schema/json-value.ts'
import { type ContentHash, contentHash } from '../../patch/index.ts'
import type {
  ApiResource,
  ChildDeclaration,
  OperatorDeclaration,
} from '../declare/operator-declaration.ts'
import type { DeletionPolicy } from '../declare/operator-types.ts'
import { plainManifest } from './plain-manifest.ts'
import {
  canReference,
  ownerAnnotation,
  ownerReference,
  ownerText,
  ownerUidLabel,
} from '../owner/ownership.ts'

/** An annotation that says how an object goes, where that is not the usual way. */
export const deletionAnnotation = 'setpoint.dev/deletion'

/** An annotation that says which operator wants an object, and as which of its children: what has it can be pruned. */
export const childAnnotation = 'setpoint.dev/child'

/** What is wanted of a child: what the author wants, with name, namespace and owner. */
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
  /** Tells this manifest from others. */
  readonly hash: ContentHash
  /** Whether it goes with its owner without our doing. */
  readonly isCollected: boolean
}

/** An object that belongs to an owner. */
interface Belonging {
  readonly owner: ApiResource
  readonly kind: Kind
  /** Its name unless the author gives one. */
  readonly name: string
  readonly wanted: Partial<ApiResource>
  readonly deletion?: DeletionPolicy | undefined
  /** Whether it may live where owner references do not reach. */
  readonly mayBeCrossNamespace: boolean
  /** Which child it is: `operator/child`. What `.reconcile` makes is none. */
  readonly child?: string | undefined
}

/** Completes what an author wants of an object that belongs to an owner. */
export function childManifest(belonging: Belonging): ChildManifest {
  const { owner, kind, wanted, child, deletion = 'background' } = belonging
  const what = `${child ?? 'what is wanted'} (${kind.kind}) of ${owner.kind} ${keyOf(owner.metadata)}`
  const { metadata: given = {}, ...fields } = writable(kind, plainManifest(wanted, what))
  const namespace = kind.scope === 'Cluster' ? undefined : (given.namespace ?? homeOf(owner, kind))
  checkPlace(belonging, namespace)
  const isReferenced = canReference(owner, namespace) && deletion !== 'retain'
  // A name that the server completes is in `given`, and there is none besides.
  const isGenerated = given.name === undefined && given['generateName'] !== undefined
  const name = isGenerated ? '' : (given.name ?? nameWithin(belonging, namespace))
  const place = namespace === undefined ? { name } : { name, namespace }
  const marks = isReferenced ? referenceTo(owner, given) : marksOf(owner, given, place)
  const annotations = {
    ...given.annotations,
    ...marks.annotations,
    ...(child === undefined ? {} : { [childAnnotation]: child }),
    ...(deletion === 'background' ? {} : { [deletionAnnotation]: deletion }),
  }
  const metadata = { ...given, ...place, ...marks, annotations }
  const object = { ...fields, apiVersion: kind.apiVersion, kind: kind.kind, metadata }
  const hash = contentHash(object, listTypesOf(kind))
  return { object, hash, isCollected: isReferenced && deletion === 'background' }
}

/** What a server sets by itself, and manifests that were printed have. */
const setByServer = [
  'creationTimestamp',
  'generation',
  'managedFields',
  'resourceVersion',
  'selfLink',
  'uid',
]

/** What servers store of a manifest: what they do not would be missing at every look. */
function writable(
  { group, kind, subresources }: Kind,
  { status, ...wanted }: Record<string, unknown>,
): { readonly metadata?: Given; readonly [field: string]: unknown } {
  const object: Record<string, unknown> = wanted
  if (status !== undefined && !subresources.includes('status')) object['status'] = status
  const { metadata, stringData, data, binaryData, spec } = wanted
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
  // It leaves the choice to the server, which then says what it chose.
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

/** Base64 as servers write it, without the ends of lines that some programs put into it. */
function withoutSpace(data: unknown): object {
  const values = Object.entries(data ?? {}).map(([name, value]: [string, unknown]) => [
    name,
    hasSpace(value) ? String(value).replace(/\s/g, '') : value,
  ])
  return Object.fromEntries(values) as object
}

/** The first child of a kind is called like its owner, further ones carry their own name too. */
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

interface Marks {
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly ownerReferences?: readonly object[]
}

type Given = Partial<ChildManifest['object']['metadata']> & Marks

function referenceTo(owner: ApiResource, given: Given): Marks {
  return { ownerReferences: [ownerReference(owner), ...(given.ownerReferences ?? [])] }
}

function marksOf(
  owner: ApiResource,
  given: Given,
  place: { name: string; namespace?: string },
): Marks {
  return {
    labels: { ...given.labels, [ownerUidLabel]: owner.metadata.uid },
    annotations: { [ownerAnnotation]: ownerText(owner, place) },
  }
}

/** Children live beside their owner, or in it when it is a namespace. */
function homeOf({ apiVersion, kind, metadata }: ApiResource, child: Kind): string {
  const home = apiVersion === 'v1' && kind === 'Namespace' ? metadata.name : metadata.namespace
  if (home !== undefined) return home
  throw new SetpointError(
    'OPERATOR_INVALID',
    `${kind} ${metadata.name} is in no namespace, and its ${child.kind} does not say in which one it is`,
    { hint: 'give the child a metadata.namespace' },
  )
}

/** What lives elsewhere needs a finalizer to be cleaned up, and its operator the right to set one: that is said beforehand. */
function checkPlace(
  { owner, kind, mayBeCrossNamespace }: Belonging,
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

/** Owners of one name may live in many namespaces: what they have in common places must not meet. */
function nameWithin({ owner, name }: Belonging, namespace: string | undefined): string {
  return canReference(owner, namespace) ? name : `${owner.metadata.namespace}-${name}`
}
