import type { Run } from '../../controller/index.ts'
import { openWorkspace } from '../../host/index.ts'
import type { ApiResource } from '../../kinds/api-resource.ts'
import type { Kind } from '../../kinds/kind.ts'
import type { Logger } from '../../log/index.ts'
import type { ReconcileContext } from '../declare/contexts.ts'
import { childManifest, type ChildManifest } from '../manifest/child-manifest.ts'
import { ownerView } from '../owner/owner-view.ts'
import type { StatusDraft } from '../status/status-draft.ts'
import type { ObjectWriter } from '../write/object-writer.ts'
import { writeObject } from '../write/write-object.ts'
import type { OperatorServices } from './operator-services.ts'

/** The dependencies of a context. */
interface ContextParts extends Pick<
  OperatorServices,
  'host' | 'client' | 'metrics' | 'caches' | 'events' | 'followed'
> {
  readonly run: Run
  readonly log: Logger
  readonly owner: ApiResource
  readonly writer: ObjectWriter
  readonly status: StatusDraft
}

/** Creates the context in which the author's functions work on one object. */
export function reconcileContext(parts: ContextParts): ReconcileContext {
  const { host, client, metrics, caches, events, followed } = parts
  const { run, log, owner, writer, status } = parts
  const manifestOf = (kind: Kind, desired: unknown): ChildManifest =>
    childManifest({
      owner,
      kind,
      name: owner.metadata.name,
      desired: desired as Partial<ApiResource>,
      mayBeCrossNamespace: false,
    })
  // The types of each call are the author's. Below this point objects have no static type.
  return {
    client,
    signal: run.signal,
    log,
    metrics,
    reasons: run.reasons,
    now: () => host.now(),
    workspace: async () => openWorkspace(host, run.signal),
    recordEvent: async (event) => events.record(event.regarding ?? owner, event, run.signal),
    ...ownerView(owner.metadata.namespace, caches),
    kindOf: async (apiVersion, kind) => followed.find(apiVersion, kind, run.signal),
    follow: async (kind: Kind, where = {}) => {
      const { namespace } = owner.metadata
      const isScoped = kind.scope === 'Namespaced'
      return followed.follow(run, kind, isScoped ? { namespace, ...where } : where) as never
    },
    owned: (kind) => caches.owned(kind, owner) as never,
    apply: async (kind, desired, { adopt: adopts = false } = {}) => {
      const manifest = manifestOf(kind, desired)
      return (await writeObject(writer, kind, { owner, manifest, adopts })).object as never
    },
    create: async (kind, desired) =>
      (await writer.create(kind, manifestOf(kind, desired).object)) as never,
    patch: async (kind, object, patch) =>
      (await writer.patch(kind, object as ApiResource, patch)) as never,
    update: async (kind, object) => (await writer.update(kind, object)) as never,
    delete: async (kind, object, options) => writer.delete(kind, object as ApiResource, options),
    updateStatus: async (fields) => status.update(fields as Parameters<typeof status.update>[0]),
  }
}
