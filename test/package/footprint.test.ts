import { expect, test } from 'vitest'
import { bundleOf } from '../bundle.ts'

// Raise a limit only in the commit that needs it; benchmarks/footprint.ts prints the current sizes.
const definitionBytesMax = 215_000
const operatorBytesMax = 613_000

test('the bundled example operator stays below its size limit and contains no unused modules', async () => {
  const bundle = await bundleOf(`import './operators/01-application/main.ts'`)
  expect(bundle.length).toBeLessThan(operatorBytesMax)
  const foreign = ['virtualHost', 'assertRoundTrip', 'typescript', 'LineCounter']
  expect(foreign.filter((word) => bundle.includes(word))).toEqual([])
})

test('a bundled program leaves CEL rules to the server, and says so if it must check them', async () => {
  const bundle = await bundleOf(`
    import { z } from 'zod/mini'
    import { defineResource, rule } from 'setpoint'
    const Range = defineResource({
      group: 'example.com',
      version: 'v1',
      kind: 'Range',
      spec: z.object({ min: z.int() }).check(rule('self.min > 0')),
    })
    export const check = (options) => Range.safeParse({ spec: { min: 0 } }, options).success
  `)
  const url = `data:text/javascript;base64,${Buffer.from(bundle).toString('base64')}`
  const program = (await import(url)) as { check: (options?: object) => boolean }
  expect(program.check()).toBe(true)
  expect(() => program.check({ rules: 'check' })).toThrow(
    "Range: import 'setpoint/cel' to check rules",
  )
})

test('a bundled definition stays below its size limit and contains no unused modules', async () => {
  const bundle = await bundleOf(
    `import { Application } from './operators/01-application/application.ts'; console.log(Application.crd())`,
  )
  expect(bundle.length).toBeLessThan(definitionBytesMax)
  const foreign = ['statefulsets', 'node:http', 'virtualHost', 'assertRoundTrip', 'typescript']
  expect(foreign.filter((word) => bundle.includes(word))).toEqual([])
})
