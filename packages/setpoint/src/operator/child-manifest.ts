import { SetpointError } from '../errors/index.ts'
import type { Kind } from '../kinds/kind.ts'
import { contentHash } from './content-hash.ts'
import type { ApiResource, ChildDeclaration, OperatorDeclaration } from './operator-declaration.ts'

/** Tells whether what was applied last is what is wanted now: a field that is no longer wanted leaves no other trace. */
export const appliedAnnotation = 'setpoint.dev/applied'

/** What is applied for a child: what the author wants, with name, namespace and owner. */
export interface ChildManifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly annotations: Readonly<Record<string, string>>
    readonly ownerReferences: readonly object[]
    readonly [field: string]: unknown
  }
  readonly [field: string]: unknown
}

/** An object that belongs to an owner. */
interface Belonging {
  readonly owner: ApiResource
  readonly kind: Kind
  /** Its name unless the author gives one. */
  readonly name: string
  readonly wanted: Partial<ApiResource>
}

/** Completes what an author wants of an object that belongs to an owner. */
export function childManifest({ owner, kind, name, wanted }: Belonging): ChildManifest {
  const { metadata = {}, ...fields } = wanted as { metadata?: Partial<ChildManifest['metadata']> }
  const namespace =
    kind.scope === 'Cluster' ? undefined : (metadata.namespace ?? owner.metadata.namespace)
  checkOwnable(owner, kind, namespace)
  const manifest = {
    ...fields,
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    metadata: {
      ...metadata,
      name: metadata.name ?? name,
      ...(namespace === undefined ? {} : { namespace }),
      ownerReferences: [ownerReference(owner), ...(metadata.ownerReferences ?? [])],
    },
  }
  const annotations = { ...metadata.annotations, [appliedAnnotation]: contentHash(manifest) }
  return { ...manifest, metadata: { ...manifest.metadata, annotations } }
}

/** The first child of a kind is called like its owner, further ones carry their own name too. */
export function childName(
  { children }: OperatorDeclaration,
  child: ChildDeclaration,
  owner: ApiResource,
): string {
  const first = children.find(
    ({ kind }) => kind.apiVersion === child.kind.apiVersion && kind.kind === child.kind.kind,
  )
  const { name } = owner.metadata
  return first === child ? name : `${name}-${child.name.toLowerCase()}`
}

function ownerReference({ apiVersion, kind, metadata: { name, uid } }: ApiResource): object {
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }
}

/** Owner references work within a namespace, or to cluster-scoped owners; anything else is garbage at once. */
function checkOwnable(owner: ApiResource, kind: Kind, namespace: string | undefined): void {
  const ownerNamespace = owner.metadata.namespace
  if (ownerNamespace === undefined || ownerNamespace === namespace) return
  const where = namespace === undefined ? 'cluster-scoped' : `in the namespace ${namespace}`
  throw new SetpointError(
    'OPERATOR_INVALID',
    `${owner.kind} ${ownerNamespace}/${owner.metadata.name} cannot own a ${kind.kind} that is ${where}`,
    { hint: 'leave metadata.namespace out: children live beside their owner' },
  )
}
