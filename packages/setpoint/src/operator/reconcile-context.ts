import { keyOf, type KindCache } from '../cache/index.ts'
import type { Client } from '../client/index.ts'
import type { Run } from '../controller/index.ts'
import type { Kind } from '../kinds/kind.ts'
import type { Logger } from '../log/index.ts'
import { childManifest, type ChildManifest } from './child-manifest.ts'
import type { ReconcileContext } from './contexts.ts'
import type { ApiResource } from './operator-declaration.ts'
import type { OwnedWriter } from './owned-writer.ts'
import type { RecordedEvent } from './recorded-event.ts'

/** What a context is made of. */
interface ContextParts {
  readonly client: Client
  readonly run: Run
  readonly log: Logger
  readonly owner: ApiResource
  readonly writer: OwnedWriter
  readonly cacheOf: (kind: Kind) => KindCache
  readonly owned: (kind: Kind) => ApiResource[]
  readonly recordEvent: (event: RecordedEvent) => Promise<void>
}

/** What an author's functions may do for one object, during one run. */
export function reconcileContext(parts: ContextParts): ReconcileContext {
  const { client, run, log, owner, writer, cacheOf, owned, recordEvent } = parts
  const keyFor = (kind: Kind, key: string): string =>
    kind.scope === 'Cluster' || key.includes('/')
      ? key
      : keyOf({ namespace: owner.metadata.namespace, name: key })
  const manifestOf = (kind: Kind, wanted: unknown): ChildManifest =>
    childManifest({
      owner,
      kind,
      name: owner.metadata.name,
      wanted: wanted as Partial<ApiResource>,
      mayBeElsewhere: false,
    })
  // The types of each call are the author's; the engine handles objects of all types.
  return {
    client,
    signal: run.signal,
    log,
    reasons: run.reasons,
    recordEvent,
    get: (kind, key) => cacheOf(kind).get(keyFor(kind, key)) as never,
    list: (kind, namespace) => [...cacheOf(kind).list(namespace)] as never,
    owned: (kind) => owned(kind) as never,
    apply: async (kind, wanted) => (await writer.apply(kind, manifestOf(kind, wanted))) as never,
    create: async (kind, wanted) => (await writer.create(kind, manifestOf(kind, wanted))) as never,
    patch: async (kind, object, patch) =>
      (await writer.patch(kind, object as ApiResource, patch)) as never,
    delete: async (kind, object) => writer.delete(kind, object as ApiResource),
  }
}
