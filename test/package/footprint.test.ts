import { expect, test } from 'vitest'
import { bundleOf } from '../bundle.ts'

// Raise a limit only in the commit that needs it; benchmarks/footprint.ts prints the current sizes.
const definitionBytesMax = 215_000
const operatorBytesMax = 517_300

test('the bundled example operator stays below its size limit and contains no unused modules', async () => {
  const bundle = await bundleOf(`import './operators/01-application/main.ts'`)
  expect(bundle.length).toBeLessThan(operatorBytesMax)
  const foreign = ['virtualHost', 'assertRoundTrip', 'typescript', 'LineCounter']
  expect(foreign.filter((word) => bundle.includes(word))).toEqual([])
})

test('a bundled definition stays below its size limit and contains no unused modules', async () => {
  const bundle = await bundleOf(
    `import { Application } from './operators/01-application/application.ts'; console.log(Application.crd())`,
  )
  expect(bundle.length).toBeLessThan(definitionBytesMax)
  const foreign = ['statefulsets', 'node:http', 'virtualHost', 'assertRoundTrip', 'typescript']
  expect(foreign.filter((word) => bundle.includes(word))).toEqual([])
})
