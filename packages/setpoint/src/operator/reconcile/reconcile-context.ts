import { keyOf, type KindCache } from '../../cache/index.ts'
import type { Client } from '../../client/index.ts'
import type { Run } from '../../controller/index.ts'
import type { Host } from '../../host/index.ts'
import type { Kind } from '../../kinds/kind.ts'
import { asSelector } from '../../kinds/label-selector.ts'
import type { Logger } from '../../log/index.ts'
import { childManifest, type ChildManifest } from '../manifest/child-manifest.ts'
import type { ObjectsWhere, OwnerView, ReconcileContext } from '../declare/contexts.ts'
import type { ApiResource } from '../declare/operator-declaration.ts'
import type { OwnedWriter } from '../write/owned-writer.ts'
import type { RecordedEvent } from '../declare/recorded-event.ts'

/** What a context is made of. */
interface ContextParts {
  readonly host: Host
  readonly client: Client
  readonly run: Run
  readonly log: Logger
  readonly owner: ApiResource
  readonly writer: OwnedWriter
  /** Replaces the status of the owner. */
  readonly updateStatus: (status: object) => Promise<void>
  readonly cacheOf: (kind: Kind) => KindCache
  readonly owned: (kind: Kind) => ApiResource[]
  readonly recordEvent: (event: RecordedEvent) => Promise<void>
}

/** What an author's functions may do for one object, during one run. */
export function reconcileContext(parts: ContextParts): ReconcileContext {
  const { host, client, run, log, owner, writer, updateStatus, owned, recordEvent } = parts
  const manifestOf = (kind: Kind, wanted: unknown): ChildManifest =>
    childManifest({
      owner,
      kind,
      name: owner.metadata.name,
      wanted: wanted as Partial<ApiResource>,
      mayBeCrossNamespace: false,
    })
  // The types of each call are the author's; the engine handles objects of all types.
  return {
    client,
    signal: run.signal,
    log,
    reasons: run.reasons,
    now: () => host.now(),
    recordEvent,
    ...ownerView(parts),
    owned: (kind) => owned(kind) as never,
    apply: async (kind, wanted) => (await writer.apply(kind, manifestOf(kind, wanted))) as never,
    create: async (kind, wanted) =>
      (await writer.create(kind, manifestOf(kind, wanted).object)) as never,
    patch: async (kind, object, patch) =>
      (await writer.patch(kind, object as ApiResource, patch)) as never,
    update: async (kind, object) => (await writer.update(kind, object)) as never,
    delete: async (kind, object, options) => writer.delete(kind, object as ApiResource, options),
    updateStatus,
  }
}

/** What the declared kinds hold, seen from an owner: a name alone means its namespace. */
export function ownerView({ owner, cacheOf }: Pick<ContextParts, 'owner' | 'cacheOf'>): OwnerView {
  const keyFor = (kind: Kind, key: string): string =>
    kind.scope === 'Cluster' || key.includes('/')
      ? key
      : keyOf({ namespace: owner.metadata.namespace, name: key })
  return {
    get: (kind, key) => cacheOf(kind).get(keyFor(kind, key)) as never,
    list: (kind, where) => listed(cacheOf(kind), where) as never,
  }
}

/** The objects of a cache that are meant. */
export function listed(cache: KindCache, where: string | ObjectsWhere | undefined): unknown[] {
  const { namespace, labels } = typeof where === 'object' ? where : { namespace: where }
  return labels === undefined
    ? [...cache.list(namespace)]
    : cache.select(asSelector(labels), namespace)
}
