import { readFile } from 'node:fs/promises'
import { operator, RetryLaterError, template } from 'setpoint'
import { PersistentVolumeClaim } from 'setpoint/kinds'
import { EphemeralVolumeClaim } from './ephemeral-volume-claim.ts'

const pvcTemplate = await readFile(new URL('pvc.yaml', import.meta.url), 'utf8')

/** Creates a PersistentVolumeClaim for every EphemeralVolumeClaim; updates its size and labels. */
export default operator(EphemeralVolumeClaim)
  .owns(PersistentVolumeClaim)
  .onCreate(async function createFn(claim, ctx) {
    const pvc = await ctx.apply(PersistentVolumeClaim, template(pvcTemplate, claim))
    ctx.log.info({ pvc: pvc.metadata.name }, 'created the PersistentVolumeClaim')
    return { 'pvc-name': pvc.metadata.name }
  })
  .onField('spec.size', async function resizeFn({ status, spec }, ctx) {
    const pvc = ctx.get(PersistentVolumeClaim, status?.createFn?.['pvc-name'] ?? '')
    if (pvc === undefined || !PersistentVolumeClaim.isBound(pvc)) {
      throw new RetryLaterError(PersistentVolumeClaim.progress(pvc), { after: '10s' })
    }
    const resources = { requests: { storage: spec.size } }
    await ctx.patch(PersistentVolumeClaim, pvc, { merge: { spec: { resources } } })
  })
  .onField('metadata.labels', async function relabelFn({ status }, ctx) {
    const pvc = ctx.get(PersistentVolumeClaim, status?.createFn?.['pvc-name'] ?? '')
    if (pvc === undefined) throw new RetryLaterError('the PersistentVolumeClaim does not exist yet')
    const labels = Object.fromEntries(
      ctx.diff.map(({ path, new: value }) => [path[0] ?? '', value ?? null]),
    )
    await ctx.patch(PersistentVolumeClaim, pvc, { merge: { metadata: { labels } } })
  })
