import type { Frozen, ReconcileContext } from 'setpoint'
import { type Client, isApiError } from 'setpoint/client'
import { Lease, Pod } from 'setpoint/kinds'
import { type Choice, leaderLabel, type LeaderChoice } from './leader-choice.ts'
import type { Action } from './next-action.ts'
import { formerAnnotation, idOf, podNameOf } from './read-state.ts'

/** The annotation that makes a patch a change: an older write to the pod then fails. */
const fencedAnnotation = 'leadership.example.com/fenced'

type Written = typeof Pod | typeof Lease

/** The objects as they were read from the server. */
interface ActContext {
  readonly ctx: ReconcileContext<Written, Written, typeof LeaderChoice>
  readonly pods: readonly Pod[]
  readonly lease: Lease | undefined
}

/** Does one write. It throws a conflict if the object has changed since it was read. */
export async function act(choice: Choice, action: Action, at: ActContext): Promise<void> {
  const { ctx, lease, pods } = at
  const podWith = (id: string): Pod | undefined => pods.find((pod) => idOf(pod) === id)
  const label = leaderLabel(choice)
  switch (action.do) {
    case 'wait':
      return
    case 'choose':
      return choose(choice, action, at)
    case 'renew':
      return writeLease(choice, at, { spec: { ...lease?.spec, renewTime: microTime(ctx.now()) } })
    case 'label': {
      const pod = podWith(action.pod)
      if (pod === undefined) return
      const { resourceVersion } = pod.metadata
      const merge = { metadata: { resourceVersion, labels: { [label]: 'true' } } }
      await ctx.patch(Pod, pod, { merge })
      return
    }
    case 'unlabel': {
      const pod = podWith(action.pod)
      if (pod !== undefined) await unlabel(ctx, pod, { label })
      return
    }
    case 'fence': {
      const pod = podWith(action.pod)
      const fence = lease?.metadata.resourceVersion ?? ''
      if (pod !== undefined) await unlabel(ctx, pod, { label, fence })
      return writeLease(choice, at, { spec: lease?.spec ?? {} })
    }
  }
}

async function choose(
  choice: Choice,
  { holder, former }: Extract<Action, { do: 'choose' }>,
  at: ActContext,
): Promise<void> {
  const { ctx, lease } = at
  const now = microTime(ctx.now())
  const isFirst = lease?.spec.leaseTransitions === undefined
  const spec = {
    holderIdentity: holder,
    acquireTime: now,
    renewTime: now,
    leaseDurationSeconds: choice.spec.leaseSeconds,
    leaseTransitions: (lease?.spec.leaseTransitions ?? 0) + (isFirst || holder === '' ? 0 : 1),
  }
  await writeLease(choice, at, { spec, former })
  const text = holder === '' ? 'no pod is ready to lead' : `${podNameOf(holder)} leads`
  await ctx.recordEvent({ type: 'Normal', reason: 'LeaderChosen', message: text })
}

/** Creates the Lease, or replaces it if it has not changed since it was read. */
async function writeLease(
  { metadata: { name } }: Choice,
  { ctx, lease }: ActContext,
  { spec, former = '' }: { readonly spec: Lease['spec']; readonly former?: string },
): Promise<void> {
  const { [formerAnnotation]: _, ...others } = lease?.metadata.annotations ?? {}
  const annotations = former === '' ? others : { ...others, [formerAnnotation]: former }
  if (lease === undefined) await ctx.create(Lease, { metadata: { name, annotations }, spec })
  else await ctx.update(Lease, { ...lease, metadata: { ...lease.metadata, annotations }, spec })
}

async function unlabel(
  ctx: ActContext['ctx'],
  pod: Frozen<Pod>,
  { label, fence }: { readonly label: string; readonly fence?: string },
): Promise<void> {
  const annotations = fence === undefined ? {} : { [fencedAnnotation]: fence }
  const { uid } = pod.metadata
  await ctx.patch(Pod, pod, {
    merge: { metadata: { uid, labels: { [label]: null }, annotations } },
  })
}

/** Whether another write was faster: the object has changed, exists already, or is gone. */
export function isOutdated(error: unknown): boolean {
  return isApiError(error, 'API_CONFLICT', 'API_ALREADY_EXISTS', 'API_NOT_FOUND')
}

/** The cleanup of a deleted LeaderChoice. Its Lease and its Service are deleted after it. */
export async function removeLabels(
  choice: Choice,
  client: Client,
  signal: AbortSignal,
): Promise<void> {
  const label = leaderLabel(choice)
  const { namespace } = choice.metadata
  for (const { metadata } of await client.listAll(Pod, {
    namespace,
    labelSelector: label,
    signal,
  })) {
    const merge = { metadata: { uid: metadata.uid, labels: { [label]: null } } }
    try {
      await client.patch(Pod, metadata, { merge, signal })
    } catch (error) {
      if (!isOutdated(error)) throw error
    }
  }
}

function microTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z')
}
