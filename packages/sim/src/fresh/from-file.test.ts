import { expect, test } from 'vitest'
import { fromFile, type Program, simulate } from '../index.ts'
import { reliesOnMemory, remembersEarly, Shop } from '../testdata/remembering.ts'
import '../vitest.ts'

const file = new URL('../testdata/remembering.ts', import.meta.url)
const options = { samples: { metadata: { name: 'oak' }, spec: {} }, inert: ['spec'] }
const only = { step: 0, faults: [{ type: 'crash-before', write: 1 }] } as const

test('a crash loses the memory of modules, so that a right program has no findings', async () => {
  const program = await fromFile(file, { export: 'remembersEarly' })
  expect(await simulate(program, options)).toHaveNoFindings()
})

test('an imported program keeps the memory of its modules over a crash', async () => {
  const { findings } = await simulate([remembersEarly], { ...options, only })
  expect(findings.flatMap(({ details }) => details)).toContain('/configmaps default/oak is missing')
})

test('a program that relies on the memory of its modules is found, at its line', async () => {
  const program = await fromFile(file, { export: 'reliesOnMemory' })
  const { findings } = await simulate(program, { ...options, resource: Shop })
  expect(findings.map(({ oracle }) => oracle)).toContain('O12')
  expect(findings.map(({ story }) => story).join('\n')).toContain('testdata/remembering.ts:34')
})

test('an imported program hides that a new process has an empty memory', async () => {
  const crash = { step: 0, faults: [{ type: 'crash-after', write: 1 }] } as const
  const extra = async (program: Program) => {
    const { findings } = await simulate(program, { ...options, resource: Shop, only: crash })
    return findings.flatMap(({ details }) => details).filter((detail) => detail.endsWith('extra'))
  }
  const fresh = await fromFile(file, { export: 'reliesOnMemory' })
  expect(await extra([reliesOnMemory])).toEqual([])
  expect(await extra(fresh)).not.toEqual([])
})

test('a file without a program, and one that does not compile, are refused', async () => {
  await expect(fromFile(file, { export: 'other' })).rejects.toThrow('is not a program')
  await expect(fromFile('missing.ts')).rejects.toThrow('cannot be bundled')
})
