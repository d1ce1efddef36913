import { readFile } from 'node:fs/promises'
import { type Sample, simulate, type SimulateOptions } from '@setpoint/sim'
import '@setpoint/sim/vitest'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import application from '../../operators/01-application/operator.ts'
import elevenStApp from '../../operators/02-elevenst-app/operator.ts'
import memcachedByReconcile from '../../operators/03-memcached/operator-reconcile.ts'
import memcached from '../../operators/03-memcached/operator.ts'
import crontab from '../../operators/04-crontab/operator.ts'
import sampleDb from '../../operators/05-sample-db/operator.ts'
import claims from '../../operators/06-ephemeral-volume-claim/operator.ts'
import bindings from '../../operators/08-service-binding/operator.ts'
import drill from '../../operators/09-failure-drill/operator.ts'
import leader from '../../operators/14-leader/operator.ts'

/** The objects in files, the sample of the operator among them. */
async function objectsIn(...files: readonly string[]): Promise<readonly Sample[]> {
  const texts = files.map(async (file) =>
    readFile(new URL(`../../operators/${file}`, import.meta.url), 'utf8'),
  )
  const documents = (await Promise.all(texts)).flatMap((text) => parseAllDocuments(text))
  return documents.map((document) => document.toJS() as Sample)
}

/** A short workload and one fault of each kind. `setpoint sim` tries all of them. */
const few: Omit<SimulateOptions, 'samples'> = { tier: 'watch', plansMax: 16 }

test.each([
  ['01-application/sample.yaml', application],
  ['02-elevenst-app/sample.yaml', elevenStApp],
  ['03-memcached/sample.yaml', memcached],
  ['03-memcached/sample.yaml', memcachedByReconcile],
  ['04-crontab/sample.yaml', crontab],
  ['06-ephemeral-volume-claim/sample.yaml', claims],
])('%s survives crashes, lost answers and old views', async (file, operator) => {
  const samples = await objectsIn(file)
  expect(await simulate(operator, { ...few, samples })).toHaveNoFindings()
})

test('05-sample-db survives them', async () => {
  const samples = await objectsIn('05-sample-db/sample.yaml')
  // Not the last one, slow controllers: that of Jobs makes more pods if it does not see its own for
  // longer than ten seconds. The one of Kubernetes waits for five minutes.
  const report = await simulate(sampleDb, { ...few, samples, plansMax: 14 })
  expect(report).toHaveNoFindings()
  expect(report.coverage.faults['slow-controllers']?.tried).toBe(0)
})

test('08-service-binding survives them together with the objects that it binds', async () => {
  const samples = await objectsIn('08-service-binding/example.yaml')
  expect(await simulate(bindings, { ...few, samples })).toHaveNoFindings()
})

test('09-failure-drill survives them; changes of a drill that is over have no effect', async () => {
  const samples = await objectsIn('09-failure-drill/web.yaml', '09-failure-drill/sample.yaml')
  expect(await simulate(drill, { ...few, samples, inert: ['spec'] })).toHaveNoFindings()
})

test('14-leader survives them; how long a Lease lasts matters only for its next holder', async () => {
  const samples = await objectsIn('14-leader/web.yaml', '14-leader/sample.yaml')
  const inert = ['spec.leaseSeconds']
  expect(await simulate(leader, { ...few, samples, inert })).toHaveNoFindings()
})
