/** Where the compiler reports an error in a child or a status, and how long the message is. */
import { expect, test } from 'vitest'
import { diagnose } from '../diagnose.ts'

const imports = `import * as z from 'zod'
import { type Desired, defineResource, operator, when } from 'setpoint'
import { ConfigMap, Deployment, Job } from 'setpoint/kinds'
const Site = defineResource({
  group: 'example.com', version: 'v1', kind: 'Site',
  spec: z.object({ text: z.string() }),
  status: z.object({ url: z.string() }),
  conditions: ['Ready'],
})
const template = { spec: { containers: [{ name: 'a', image: 'b' }] } }
export const use = [z, operator(Site), when, ConfigMap, Deployment, Job, template] as const
export type Use = Desired<typeof Job>
`

/** The error is between `<<` and `>>`; the second text is the expected message. */
const atTheField: Readonly<Record<string, readonly [source: string, message: RegExp]>> = {
  'a misspelt field': [
    `operator(Site).child('web', Deployment, ({ spec }) => ({
      metadata: { labels: { text: spec.text } },
      spec: {
        replicas: 1,
        <<replica>>: 1,
        template,
      },
    }))`,
    /NoSuchField/,
  ],
  'a misspelt field of a function without parameters': [
    `operator(Site).child('web', Deployment, () => ({ spec: { template, <<replica>>: 1 } }))`,
    /NoSuchField/,
  ],
  'a misspelt field deep in a template': [
    `operator(Site).child('web', Deployment, ({ spec: { text } }) => ({
      spec: {
        template: {
          spec: { containers: [{ name: 'a', image: text, ports: [{ containerPort: 80, <<prot>>: 80 }] }] },
        },
      },
    }))`,
    /NoSuchField/,
  ],
  'a wrong type': [
    `operator(Site).child('web', Deployment, ({ spec: { text } }) => ({
      spec: { <<replicas>>: text, template },
    }))`,
    /^Type 'string' is not assignable to type 'number'\.$/,
  ],
  'a wrong text': [
    `operator(Site).child('web', Job, ({ spec: { text } }) => ({
      spec: { template: { spec: { <<restartPolicy>>: 'Nevr', containers: [{ name: text }] } } },
    }))`,
    /Did you mean '"Never"'\?$/,
  ],
  'a misspelt field of a child with options': [
    `operator(Site).child('web', Deployment, { deletion: 'retain' }, () => ({
      spec: { template, <<replica>>: 1 },
    }))`,
    /NoSuchField/,
  ],
  'a misspelt field of a member of a set': [
    `operator(Site).children('maps', ConfigMap, ({ spec: { text } }) => ({
      [text]: { data: {} },
      b: { data: {}, <<dota>>: { text } },
    }))`,
    /NoSuchField/,
  ],
  'a misspelt option': [
    `operator(Site).child('web', ConfigMap, { <<createOnce>>: true }, () => ({}))`,
    /does not exist in type 'ChildOptions</,
  ],
  'a misspelt field of the status': [
    `operator(Site).status(({ spec: { text } }) => ({ url: text, <<ulr>>: text }))`,
    /NoSuchField/,
  ],
  'a wrong type in the status': [
    `operator(Site).status(() => ({ <<url>>: 5 }))`,
    /^Type 'number' is not assignable to type 'string'\.$/,
  ],
  'an undeclared condition': [
    `operator(Site).status(() => ({ url: '', conditions: { <<Reedy>>: when(true, 'A', 'b') } }))`,
    /Did you mean to write 'Ready'\?$/,
  ],
  'a misspelt field in a block, with the return type': [
    `operator(Site).child('web', Deployment, ({ spec }): Desired<typeof Deployment> | null => {
      if (spec.text === '') return null
      return { spec: { template, <<replica>>: 1 } }
    })`,
    /'replica' does not exist in type/,
  ],
  'a wrong type in one of several returns, with the return type': [
    `operator(Site).child('web', Deployment, ({ spec }): Desired<typeof Deployment> => {
      if (spec.text === '') return { spec: { replicas: 1, template } }
      return { spec: { template, <<replicas>>: spec.text } }
    })`,
    /^Type 'string' is not assignable to type 'number'\.$/,
  ],
  'a misspelt field of a conditional result, with the return type': [
    `operator(Site).child('web', Deployment, ({ spec }): Desired<typeof Deployment> | null =>
      spec.text === '' ? null : { spec: { template, <<replica>>: 1 } })`,
    /'replica' does not exist in type/,
  ],
}

/** Here the compiler reports the whole function; the last line of its message names the field. */
const atTheFunction: Readonly<Record<string, readonly [source: string, message: RegExp]>> = {
  'a misspelt field in a block': [
    `operator(Site).child('web', Deployment, <<({ spec }) => {
      if (spec.text === '') return null
      return { spec: { template, replica: 1 } }
    }>>)`,
    /The types of 'spec\.replica' are incompatible.*\n.*NoSuchField/,
  ],
  'a wrong type in a block': [
    `operator(Site).child('web', Deployment, <<({ spec }) => {
      const { text } = spec
      return { spec: { template, replicas: text } }
    }>>)`,
    /'spec\.replicas' are incompatible.*\n.*'string' is not assignable to type 'number'/,
  ],
}

function marked(source: string): { text: string; start: number } {
  return {
    text: imports + source.replaceAll(/<<|>>/g, ''),
    start: imports.length + source.indexOf('<<'),
  }
}

const cases = { ...atTheField, ...atTheFunction }
const found = diagnose(
  Object.fromEntries(Object.entries(cases).map(([what, [source]]) => [what, marked(source).text])),
)

test.each(Object.keys(atTheField))('reports %s at the field, in one or two lines', (what) => {
  const [source = '', message = /^/] = atTheField[what] ?? []
  const [problem, ...more] = found[what] ?? []
  expect(more).toEqual([])
  expect(problem?.message).toMatch(message)
  expect(problem?.start).toBe(marked(source).start)
  expect(problem?.message.split('\n').length).toBeLessThanOrEqual(2)
})

test.each(Object.keys(atTheFunction))('reports %s with its path', (what) => {
  const [source = '', message = /^/] = atTheFunction[what] ?? []
  const [problem, ...more] = found[what] ?? []
  expect(more).toEqual([])
  expect(problem?.message).toMatch(message)
  expect(problem?.start).toBe(marked(source).start)
  expect(problem?.message.split('\n').length).toBeLessThanOrEqual(6)
})
