import { operator, type Frozen, type ReconcileContext, type AnyOperator } from 'setpoint'
import { isApiError } from 'setpoint/client'
import { Lease, Node, Pod } from 'setpoint/kinds'
import { formatTime } from '../object/index.ts'
import {
  lostAtMs,
  lostConditions,
  nextHealth,
  readyCondition,
  type NodeHealth,
} from './node-health.ts'
import { nextTaints } from './node-taints.ts'
import { ZoneEvictionRate } from './zone-eviction-rate.ts'

type NodeObject = Frozen<Node>
type NodeContext = ReconcileContext<
  typeof Node | typeof Lease | typeof Pod,
  typeof Node | typeof Pod,
  typeof Node
>

const ttlAnnotation = 'node.alpha.kubernetes.io/ttl'
const leaseNamespace = 'kube-node-lease'

/** Labels with a deprecated name, which is set too. */
const renamedLabels = ['os', 'arch']

/**
 * The node controllers of a cluster. A node without heartbeat gets Unknown conditions, and its pods
 * become unready. NoSchedule taints follow from conditions and from `unschedulable`. NoExecute
 * taints are set one node after the other. Also sets the TTL annotation and the deprecated labels,
 * and records Events about nodes.
 */
export function nodeController(): AnyOperator {
  const health = new Map<string, NodeHealth>()
  /** Lost nodes whose pods have not been set to unready yet. */
  const unreported = new Set<string>()
  const evictionRate = new ZoneEvictionRate()
  return operator(Node, {
    name: 'node-controller',
    fieldManager: 'kube-controller-manager',
    failureEvents: false,
  })
    .writes(Node)
    .writes(Pod)
    .watch(Lease, ({ metadata }) => (metadata.namespace === leaseNamespace ? [metadata.name] : []))
    .watch(Node, (_, view) => view.list(Node).filter(isFailing).map(nameOf), {
      // The number of failing nodes decides about evictions.
      filter: ({ type, object, old }) =>
        type === 'removed' || old === undefined || isFailing(object) !== isFailing(old),
    })
    .onEvent(async ({ type, object }, { recordEvent }) => {
      const { name, uid } = object.metadata
      if (type !== 'removed') return
      const message = `Node ${name} event: Removing Node ${name} from Controller`
      if (health.delete(uid)) await recordEvent({ reason: 'RemovingNode', message })
      unreported.delete(uid)
    })
    .reconcile(async (node, ctx) => {
      const { name, uid } = node.metadata
      const nowMs = ctx.now()
      const known = health.get(uid)
      const lease = ctx.get(Lease, `${leaseNamespace}/${name}`)
      const current = nextHealth(known, { node, lease }, nowMs)
      health.set(uid, current)
      if (known === undefined) {
        const message = `Node ${name} event: Registered Node ${name} in Controller`
        await ctx.recordEvent({ reason: 'RegisteredNode', message })
      }
      const leftMs = lostAtMs(node, current, lease) - nowMs
      const lost = leftMs <= 0 ? lostConditions(node, nowMs) : undefined
      if (lost !== undefined) {
        if (!isFailing(node)) unreported.add(uid)
        await ctx.updateStatus({ ...node.status, conditions: lost })
        // The next reconcile reads the new conditions.
        return { recheckAfter: 1 }
      }
      if (unreported.has(uid)) await recordLost(node, ctx)
      unreported.delete(uid)
      const onRecovery = (): void => {
        for (const [one, seen] of health) health.set(one, { ...seen, seenMs: nowMs })
      }
      const nodes = isFailing(node) ? ctx.list(Node) : []
      const { evictionTaint, waitMs = Infinity } = evictionRate.decide(node, {
        nodes,
        nowMs,
        onRecovery,
      })
      await updateNode(node, { taints: nextTaints(node, evictionTaint, nowMs), ctx })
      const nextMs = Math.min(leftMs > 0 ? leftMs : Infinity, waitMs)
      return nextMs === Infinity ? undefined : { recheckAfter: nextMs }
    })
}

/** Writes taints, annotation and labels, if one of them has to change. */
async function updateNode(
  node: NodeObject,
  { taints, ctx }: { readonly taints: ReturnType<typeof nextTaints>; readonly ctx: NodeContext },
): Promise<void> {
  const { annotations = {}, labels = {}, resourceVersion } = node.metadata
  const renamed = renamedLabels
    .map((label) => [`beta.kubernetes.io/${label}`, labels[`kubernetes.io/${label}`]] as const)
    .filter(([old, value]) => value !== undefined && labels[old] !== value)
  const hasTtl = annotations[ttlAnnotation] !== undefined
  if (taints === undefined && hasTtl && renamed.length === 0) return
  await ctx.patch(Node, node, {
    merge: {
      metadata: {
        resourceVersion,
        ...(hasTtl ? {} : { annotations: { [ttlAnnotation]: '0' } }),
        ...(renamed.length === 0 ? {} : { labels: Object.fromEntries(renamed) }),
      },
      ...(taints === undefined ? {} : { spec: { taints: taints.length > 0 ? taints : null } }),
    },
  })
}

/** Sets the pods of a lost node to unready. */
async function recordLost(node: NodeObject, ctx: NodeContext): Promise<void> {
  const { name } = node.metadata
  const message = `Node ${name} status is now: NodeNotReady`
  await ctx.recordEvent({ reason: 'NodeNotReady', message })
  const lastTransitionTime = formatTime(ctx.now())
  for (const pod of ctx.list(Pod)) {
    const isReady = pod.status?.conditions?.some(
      ({ type, status }) => type === 'Ready' && status === 'True',
    )
    if (pod.spec.nodeName !== name || isReady !== true) continue
    const conditions = [{ type: 'Ready', status: 'False', lastTransitionTime }]
    const event = { type: 'Warning', reason: 'NodeNotReady', message: 'Node is not ready' } as const
    try {
      await ctx.patch(Pod, pod, { strategic: { status: { conditions } }, subresource: 'status' })
      await ctx.recordEvent({ ...event, regarding: pod })
    } catch (error) {
      if (!isApiError(error, 'API_NOT_FOUND')) throw error
    }
  }
}

function isFailing(node: NodeObject): boolean {
  return readyCondition(node)?.status !== 'True'
}

function nameOf({ metadata }: NodeObject): string {
  return metadata.name
}
