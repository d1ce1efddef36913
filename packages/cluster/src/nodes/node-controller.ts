import { operator } from 'setpoint'
import { Node } from 'setpoint/kinds'
import { nextTaints } from './node-taints.ts'

const ttlAnnotation = 'node.alpha.kubernetes.io/ttl'

/**
 * What the controllers of a cluster do about nodes: taints that follow from conditions and from being closed, the
 * annotation by which kubelets of large clusters ask less often, and the Event that a node is known.
 */
export function nodeController() {
  const known = new Set<string>()
  return operator(Node, {
    ...{ name: 'node-controller', fieldManager: 'kube-controller-manager', failureEvents: false },
  })
    .writes(Node)
    .onEvent(async ({ type, object }) => {
      if (type === 'removed') known.delete(object.metadata.uid)
    })
    .reconcile(async (node, ctx) => {
      const { name, uid, annotations = {}, resourceVersion } = node.metadata
      const taints = nextTaints(node, ctx.now())
      const hasTtl = annotations[ttlAnnotation] !== undefined
      if (taints !== undefined || !hasTtl) {
        await ctx.patch(Node, node, {
          merge: {
            metadata: { resourceVersion, annotations: { [ttlAnnotation]: '0' } },
            ...(taints === undefined
              ? {}
              : { spec: { taints: taints.length > 0 ? taints : null } }),
          },
        })
      }
      if (known.has(uid)) return
      known.add(uid)
      const note = `Node ${name} event: Registered Node ${name} in Controller`
      await ctx.recordEvent({ reason: 'RegisteredNode', note })
    })
}
