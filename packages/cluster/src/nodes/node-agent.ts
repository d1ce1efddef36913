import { isSetpointError, operator, type AnyOperator } from 'setpoint'
import type { Client } from 'setpoint/client'
import { Lease, Node } from 'setpoint/kinds'
import { nodeObject } from './node-objects.ts'
import type { SimulatedNode } from './node-options.ts'

const leaseNamespace = 'kube-node-lease'

/**
 * Removes the taint that the API server gives to new nodes, in a cluster without the node
 * controller, which does this otherwise.
 */
export async function admitNodes(client: Client, nodes: readonly SimulatedNode[]): Promise<void> {
  for (const { name, options } of nodes) {
    await client.patch(Node, name, { merge: { spec: { taints: [...(options.taints ?? [])] } } })
  }
}

/** The Events of a kubelet that has started. Events about nodes have the node's name as the uid. */
const startEvents: readonly (readonly [reason: string, note: (name: string) => string])[] = [
  ['Starting', () => 'Starting kubelet.'],
  ...['NodeHasSufficientMemory', 'NodeHasNoDiskPressure', 'NodeHasSufficientPID'].map(
    (reason) => [reason, (name: string) => `Node ${name} status is now: ${reason}`] as const,
  ),
  ['NodeAllocatableEnforced', () => 'Updated Node Allocatable limit across pods'],
]

/** Registers nodes as their kubelets do at start. An existing node is not changed. */
export async function registerNodes(
  client: Client,
  nodes: readonly SimulatedNode[],
  nowMs: number,
): Promise<void> {
  for (const node of nodes) {
    try {
      await client.create(Node, nodeObject(node, nowMs), { fieldManager: 'kubelet' })
    } catch (error) {
      if (!isSetpointError(error, 'API_ALREADY_EXISTS')) throw error
    }
  }
}

/**
 * The heartbeat of the simulated nodes: a Lease for each, renewed at an interval. Nothing else is
 * written in the steady state. As with real kubelets, a node that a user deletes is not registered
 * again.
 */
export function nodeAgent(nodes: readonly SimulatedNode[], renewMs: number): AnyOperator {
  const names = new Set(nodes.map(({ name }) => name))
  return operator(Node, {
    name: 'node-agent',
    fieldManager: 'kubelet',
    eventSource: 'kubelet',
    failureEvents: false,
  })
    .writes(Lease)
    .reconcile(async (node, ctx) => {
      const { name, uid } = node.metadata
      if (!names.has(name)) return
      const nowMs = ctx.now()
      const lease = ctx.get(Lease, `${leaseNamespace}/${name}`)
      const renewTime = microTime(nowMs)
      if (lease === undefined) {
        await createLease(ctx.client, { name, uid, renewTime, renewMs })
        const regarding = { ...node, metadata: { ...node.metadata, uid: name } }
        for (const [reason, note] of startEvents) {
          await ctx.recordEvent({ reason, message: note(name), node: name, regarding })
        }
        return { recheckAfter: renewMs }
      }
      const dueMs = Date.parse(lease.spec.renewTime ?? '') + renewMs
      const leaseDurationSeconds = leaseSeconds(renewMs)
      const hasCurrentDuration = lease.spec.leaseDurationSeconds === leaseDurationSeconds
      if (hasCurrentDuration && dueMs > nowMs) return { recheckAfter: dueMs - nowMs }
      await ctx.patch(Lease, lease, { merge: { spec: { renewTime, leaseDurationSeconds } } })
      return { recheckAfter: renewMs }
    })
}

async function createLease(
  client: Client,
  node: { readonly name: string; readonly uid: string; renewTime: string; renewMs: number },
): Promise<void> {
  const { name, uid, renewTime, renewMs } = node
  const owner = { apiVersion: 'v1', kind: 'Node', name, uid }
  const leaseDurationSeconds = leaseSeconds(renewMs)
  const lease = {
    metadata: { name, namespace: leaseNamespace, ownerReferences: [owner] },
    spec: { holderIdentity: name, leaseDurationSeconds, renewTime },
  }
  try {
    await client.create(Lease, lease, { fieldManager: 'kubelet' })
  } catch (error) {
    // The cache does not have it yet.
    if (!isSetpointError(error, 'API_ALREADY_EXISTS')) throw error
  }
}

/** A Lease is valid for four heartbeats. */
function leaseSeconds(renewMs: number): number {
  return (4 * renewMs) / 1000
}

/** A time in the format of Kubernetes' MicroTime. */
function microTime(epochMs: number): string {
  return new Date(epochMs).toISOString().replace('Z', '000Z')
}
