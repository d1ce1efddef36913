import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { bundleOf } from '../../../../test/bundle.ts'
import * as kinds from './index.ts'

/** Including the protobuf tables that a kind needs: a Pod has a hundred messages. */
const sizeMax = { ConfigMap: 4_352, Deployment: 12_000, Pod: 14_000 }

/** Quoted, because a plural such as `events` may also be an ordinary word of the code. */
function pluralsIn(code: string): string[] {
  return Object.values(kinds)
    .flatMap((value) => ('plural' in value ? [value.plural] : []))
    .filter((plural) => new RegExp(`["'\`]${plural}["'\`]`).test(code))
}

test.each(['Deployment', 'ConfigMap', 'Pod'] as const)(
  'bundles only %s when only it is imported, and stays small',
  async (name) => {
    const code = await bundleOf(
      `import { ${name} } from 'setpoint/kinds'; console.log(${name}.kind)`,
    )
    expect(pluralsIn(code)).toEqual([kinds[name].plural])
    expect(code.length).toBeLessThan(sizeMax[name])
  },
)

test('keeps the protobuf tables of all kinds small, and those of an operator smaller', async () => {
  const folder = 'packages/setpoint/src/kinds/generated/messages'
  const files = readdirSync(new URL('generated/messages/', import.meta.url))
  const imports = files.map((file, index) => `import * as m${index} from './${folder}/${file}'`)
  const names = files.map((_, index) => `m${index}`)
  const all = await bundleOf(`${imports.join('\n')}\nconsole.log(${names.join()})`)
  expect(all.length).toBeLessThan(60_000)
  const two = await bundleOf(
    `import { Deployment, Service } from 'setpoint/kinds'; console.log(Deployment, Service)`,
  )
  expect(two.length).toBeLessThan(22_000)
})

test('bundles nothing when only types are imported', async () => {
  const code = await bundleOf(`import type { Pod } from 'setpoint/kinds'; export type P = Pod`)
  expect(code.trim()).toBe('')
})

test('the check detects an unwanted kind', async () => {
  const code = await bundleOf(
    `import { Deployment, Secret } from 'setpoint/kinds'; console.log(Deployment.kind, Secret.kind)`,
  )
  expect(pluralsIn(code).sort()).toEqual(['deployments', 'secrets'])
})
