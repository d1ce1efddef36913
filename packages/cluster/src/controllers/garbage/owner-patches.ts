import type { Kind, ReconcileContext } from 'setpoint'
import { ignoreApiError } from '../ignore-api-error.ts'
import type { AnyObject } from '../served-kinds.ts'

type AnyKind = Kind<AnyObject>
type Context = ReconcileContext<AnyKind, AnyKind>

/** Removes a finalizer from an object that was read before. */
export async function removeFinalizer(
  ctx: Pick<Context, 'patch'>,
  kind: AnyKind,
  { object, finalizer }: { object: AnyObject; finalizer: string },
): Promise<void> {
  const { finalizers = [], resourceVersion } = object.metadata
  const kept = finalizers.filter((one) => one !== finalizer)
  await ignoreApiError(
    ctx.patch(kind, object, { merge: { metadata: { resourceVersion, finalizers: kept } } }),
    'API_NOT_FOUND',
  )
}

/** Removes owners from an object. */
export async function patchOwners(
  ctx: Pick<Context, 'client'>,
  kind: AnyKind,
  { object, gone }: { object: AnyObject; gone: ReadonlySet<string> },
): Promise<void> {
  const { ownerReferences = [], uid, resourceVersion } = object.metadata
  const kept = ownerReferences.filter((owner) => !gone.has(owner.uid))
  if (kept.length === ownerReferences.length) return
  const merge = {
    metadata: { uid, resourceVersion, ownerReferences: kept.length === 0 ? null : kept },
  }
  await ignoreApiError(ctx.client.patch(kind, object.metadata, { merge }), 'API_NOT_FOUND')
}
