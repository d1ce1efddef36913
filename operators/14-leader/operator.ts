import { operator, when } from 'setpoint'
import { Lease, Pod, Service } from 'setpoint/kinds'
import { act, isOutdated, removeLabels } from './act.ts'
import { leaderLabel, LeaderChoice } from './leader-choice.ts'
import { nextAction } from './next-action.ts'
import { idOf, readState } from './read-state.ts'

/** More writes than these in one reconcile mean that something else changes the objects. */
const writesMax = 10

/** Chooses a leader among pods, and keeps a Service that follows it. */
export default operator(LeaderChoice)
  .index('byNamespace', ({ metadata: { namespace, name } }) => [
    [namespace, `${namespace}/${name}`],
  ])
  .watch(Pod, ({ metadata }, view) => view.index('byNamespace').get(metadata.namespace))
  .writes(Pod)
  .owns(Lease)
  .child('service', Service, (choice) => ({
    spec: {
      selector: { ...choice.spec.selector, [leaderLabel(choice)]: 'true' },
      ports: choice.spec.ports.map((port) => ({ ...port })),
    },
  }))
  .reconcile(async (choice, ctx) => {
    const { namespace, name } = choice.metadata
    const known = readState(choice, ctx.list(Pod, namespace), {
      lease: ctx.get(Lease, name),
      nowMs: ctx.now(),
    })
    let action = nextAction(known)
    // The cache may be stale. What is written is decided from the state on the server.
    for (let writes = 0; action.do !== 'wait' && writes < writesMax; writes += 1) {
      const { signal } = ctx
      // The pods before the Lease: a label is written only to a pod that did not change since the
      // Lease named it.
      const pods = await ctx.client.listAll(Pod, { namespace, signal })
      const lease = await ctx.client.find(Lease, { namespace, name }, { signal })
      action = nextAction(readState(choice, pods, { lease, nowMs: ctx.now() }))
      try {
        await act(choice, action, { ctx, pods, lease })
      } catch (error) {
        if (!isOutdated(error)) throw error
      }
    }
    if (action.do !== 'wait') return { recheckAfter: '1s' }
    return action.ms === Infinity ? undefined : { recheckAfter: action.ms }
  })
  .status((choice, _, { get, list }) => {
    const { namespace, name } = choice.metadata
    const { holderIdentity, leaseTransitions = 0, acquireTime } = get(Lease, name)?.spec ?? {}
    const leader = list(Pod, namespace).find(
      (pod) =>
        idOf(pod) === holderIdentity && pod.metadata.labels?.[leaderLabel(choice)] === 'true',
    )
    const text = leader === undefined ? 'no pod is ready to lead' : `${leader.metadata.name} leads`
    return {
      leader: leader?.metadata.name,
      since: leader === undefined ? undefined : acquireTime,
      transitions: leaseTransitions,
      conditions: {
        Ready: when(leader !== undefined && Pod.isReady(leader), 'Chosen', {
          message: leader && !Pod.isReady(leader) ? `${text}, but is not ready` : text,
          otherwise: leader === undefined ? 'NoLeader' : 'LeaderNotReady',
        }),
      },
    }
  })
  .onDelete(async (choice, { client, signal }) => removeLabels(choice, client, signal))
