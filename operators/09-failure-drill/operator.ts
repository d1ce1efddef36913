import { GiveUpError, operator } from 'setpoint'
import { durationMs } from 'setpoint/host'
import { NetworkPolicy, Pod } from 'setpoint/kinds'
import { FailureDrill } from './failure-drill.ts'
import { isolatedLabel, type Victims, readyPods, victimsOf } from './victims.ts'

/** Stops or isolates pods of an application once, and checks that it recovers in time. */
export default operator(FailureDrill)
  .writes(Pod)
  .owns(NetworkPolicy)
  .runbook('drill', { on: 'create' }, ({ step }) => [
    step('steady', {
      until: ({ spec, metadata: { namespace } }, { list }) => {
        const ready = readyPods({ namespace, labels: spec.selector }, list)
        const missing = spec.count + 1 - ready.length
        return missing <= 0 || `${missing} ready pods are missing: one at least must stay`
      },
      timeout: '5m',
    }),
    step('choose', async ({ spec, metadata: { namespace, uid } }, { list, now }) => {
      const ready = readyPods({ namespace, labels: spec.selector }, list)
      return victimsOf(ready, { count: spec.count, seed: uid, atMs: now() })
    }),
    step(
      'stop',
      async ({ metadata: { namespace } }, { results, client, signal }) => {
        const { names } = results['choose'] as Victims
        // Deleting a pod that is gone already is not an error: the step may be repeated.
        for (const name of names) await client.delete(Pod, { name, namespace }, { signal })
      },
      { when: ({ spec }) => spec.action === 'stop' },
    ),
    step(
      'isolate',
      async ({ metadata, spec }, { results, client, apply, delete: remove, sleep, signal }) => {
        const { names } = results['choose'] as Victims
        const { namespace } = metadata
        const label = async (value: string | null) => {
          for (const name of names) {
            const merge = { metadata: { labels: { [isolatedLabel]: value } } }
            await client.patch(Pod, { name, namespace }, { merge, signal })
          }
        }
        const podSelector = { matchLabels: { [isolatedLabel]: metadata.name } }
        const policyTypes = ['Ingress', 'Egress'] as const
        const policy = await apply(NetworkPolicy, { spec: { podSelector, policyTypes } })
        await label(metadata.name)
        await sleep(spec.isolateFor)
        await label(null)
        await remove(NetworkPolicy, policy)
      },
      { when: ({ spec }) => spec.action === 'isolate' },
    ),
    step('recover', {
      every: '1s',
      until: ({ spec, metadata: { namespace } }, { list, results, now }) => {
        const { readyBefore, uids, atMs } = results['choose'] as Victims
        const ready = readyPods({ namespace, labels: spec.selector }, list)
        const isStopped = spec.action === 'stop'
        const healthy = ready.filter(({ metadata }) => !isStopped || !uids.includes(metadata.uid))
        if (healthy.length >= readyBefore) return true
        if (now() - atMs > durationMs(spec.recoverWithin, 'recoverWithin')) {
          throw new GiveUpError(`only ${healthy.length} of ${readyBefore} pods recovered in time`)
        }
        return `${healthy.length} of ${readyBefore} pods are ready`
      },
    }),
    step('report', async (_, { results, now, updateStatus }) => {
      const { atMs } = results['choose'] as Victims
      await updateStatus({ recoverySeconds: Math.round((now() - atMs) / 1000) })
    }),
  ])
  .status(({ status }) => ({ recoverySeconds: status?.recoverySeconds }))
