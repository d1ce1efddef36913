import { expect, test } from 'vitest'
import { bundleOf } from '../bundle.ts'

// Raised only in the commit that causes it; benchmarks/footprint.ts prints the current numbers.
const definitionBytesMax = 215_000
const operatorBytesMax = 499_500

test('the bundled example operator stays below its ceiling and carries nothing it does not need', async () => {
  const bundle = await bundleOf(`import './operators/01-application/main.ts'`)
  expect(bundle.length).toBeLessThan(operatorBytesMax)
  const foreign = ['virtualHost', 'assertRoundTrip', 'typescript', 'LineCounter']
  expect(foreign.filter((word) => bundle.includes(word))).toEqual([])
})

test('a bundled definition stays below its ceiling and carries nothing it does not need', async () => {
  const bundle = await bundleOf(
    `import { Application } from './operators/01-application/application.ts'; console.log(Application.crd())`,
  )
  expect(bundle.length).toBeLessThan(definitionBytesMax)
  const foreign = ['statefulsets', 'node:http', 'virtualHost', 'assertRoundTrip', 'typescript']
  expect(foreign.filter((word) => bundle.includes(word))).toEqual([])
})
