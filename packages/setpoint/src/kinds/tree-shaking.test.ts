import { expect, test } from 'vitest'
import { bundleOf } from '../../../../test/bundle.ts'
import * as kinds from './index.ts'

const sizeMax = 4352

/** Quoted, because a plural such as `events` may also be an ordinary word of the code. */
function pluralsIn(code: string): string[] {
  return Object.values(kinds)
    .flatMap((value) => ('plural' in value ? [value.plural] : []))
    .filter((plural) => new RegExp(`["'\`]${plural}["'\`]`).test(code))
}

test.each(['Deployment', 'ConfigMap', 'Pod'] as const)(
  'importing %s bundles no other kind and stays small',
  async (name) => {
    const code = await bundleOf(
      `import { ${name} } from 'setpoint/kinds'; console.log(${name}.kind)`,
    )
    expect(pluralsIn(code)).toEqual([kinds[name].plural])
    expect(code.length).toBeLessThan(sizeMax)
  },
)

test('importing only types bundles nothing', async () => {
  const code = await bundleOf(`import type { Pod } from 'setpoint/kinds'; export type P = Pod`)
  expect(code.trim()).toBe('')
})

test('the check finds a second kind when there is one', async () => {
  const code = await bundleOf(
    `import { Deployment, Secret } from 'setpoint/kinds'; console.log(Deployment.kind, Secret.kind)`,
  )
  expect(pluralsIn(code).sort()).toEqual(['deployments', 'secrets'])
})
