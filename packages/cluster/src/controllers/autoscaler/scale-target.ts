import type { Kind, ReconcileContext } from 'setpoint'
import { isApiError } from 'setpoint/client'
import { CustomResourceDefinition, type HorizontalPodAutoscaler } from 'setpoint/kinds'
import { builtinKinds, kindOfDefinition } from '../served-kinds.ts'

/** The target of an autoscaler, read from its `scale` subresource. */
export interface ScaleTarget {
  readonly kind: Kind
  readonly name: string
  readonly namespace: string
  readonly specReplicas: number
  readonly statusReplicas: number
  readonly selector: string
}

/** Why the target cannot be read or written. */
export class TargetError extends Error {}

type TargetContext = Pick<
  ReconcileContext<typeof CustomResourceDefinition>,
  'client' | 'list' | 'signal'
>

/** Reads the scale of an autoscaler's target of any kind. */
export async function readTarget(
  { spec, metadata: { namespace } }: Pick<HorizontalPodAutoscaler, 'spec' | 'metadata'>,
  ctx: TargetContext,
): Promise<ScaleTarget> {
  const { apiVersion = '', kind: named, name } = spec.scaleTargetRef
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''
  const isMeant = (kind: Kind): boolean => kind.group === group && kind.kind === named
  const kind =
    builtinKinds.find(isMeant) ??
    ctx
      .list(CustomResourceDefinition)
      .flatMap((definition) => kindOfDefinition(definition) ?? [])
      .find(isMeant)
  if (kind === undefined) {
    throw new TargetError(
      `no matches for kind ${JSON.stringify(named)} in group ${JSON.stringify(group)}`,
    )
  }
  try {
    const { client, signal } = ctx
    const scale = await client.get(kind, { namespace, name }, { subresource: 'scale', signal })
    const { spec, status } = scale as Scale
    return {
      kind,
      name,
      namespace,
      specReplicas: spec?.replicas ?? 0,
      statusReplicas: status?.replicas ?? 0,
      selector: status?.selector ?? '',
    }
  } catch (error) {
    if (!isApiError(error)) throw error
    throw new TargetError(error.status.message)
  }
}

interface Scale {
  readonly spec?: { readonly replicas?: number }
  readonly status?: { readonly replicas?: number; readonly selector?: string }
}

/**
 * Writes the scale of a target. The patch has no optimistic lock, because the replicas are an
 * absolute number.
 */
export async function writeTarget(
  { kind, name, namespace }: ScaleTarget,
  replicas: number,
  { client, signal }: TargetContext,
): Promise<void> {
  try {
    await client.patch(
      kind,
      { namespace, name },
      {
        merge: { spec: { replicas } },
        subresource: 'scale',
        fieldManager: 'kube-controller-manager',
        signal,
      },
    )
  } catch (error) {
    if (!isApiError(error)) throw error
    throw new TargetError(error.status.message)
  }
}
