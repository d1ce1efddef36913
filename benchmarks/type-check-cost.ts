/**
 * The cost of definitions and operators for the type checker: instantiations and time for resources
 * of growing size and operators with more and more children, measured in one run against an empty
 * file with the same imports. Instantiations are exact and repeatable; the time depends on the
 * machine.
 */
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { table } from './table.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

function resourceWith(fieldCount: number): string {
  const kinds = [
    'z.string()',
    'z.int32().min(0).default(1)',
    "z.enum(['a', 'b']).optional()",
    'z.record(z.string(), z.string()).optional()',
    'z.array(z.object({ name: z.string(), port: z.int32() })).optional()',
  ]
  const fields = Array.from(
    { length: fieldCount },
    (_, index) => `    field${index}: ${kinds[index % kinds.length] ?? ''},`,
  )
  return `
export const Big = defineResource({
  group: 'example.com', version: 'v1', kind: 'Big',
  spec: z.object({\n${fields.join('\n')}\n  }),
  conditions: ['Ready'],
  columns: { First: '.spec.field0', Ready: '.status.conditions[?(@.type=="Ready")].status' },
})
export type Big = InferResource<typeof Big>
export const first = (big: Big): string => big.spec.field0
`
}

function operatorWith(childCount: number): string {
  const child = (index: number): string => `
  .child('web${index}', Deployment, ({ metadata: { name: app }, spec: { image } }) => ({
    spec: {
      replicas: 1,
      selector: { matchLabels: { app } },
      strategy: { type: 'Recreate' },
      template: {
        metadata: { labels: { app } },
        spec: {
          containers: [{ name: app, image, ports: [{ containerPort: 80 }], env: [{ name: 'A', value: 'b' }] }],
          volumes: [{ name: 'data', emptyDir: {} }],
        },
      },
    },
  }))`
  return `import * as z from 'zod'
import { defineResource, operator } from 'setpoint'
import { Deployment } from 'setpoint/kinds'
const Site = defineResource({
  group: 'example.com', version: 'v1', kind: 'Site',
  spec: z.object({ image: z.string() }),
  status: z.object({ url: z.string() }),
})
export const kind = Deployment
export const site = operator(Site)${Array.from({ length: childCount }, (_, index) => child(index)).join('')}
  .status(() => ({ url: 'x' }))
`
}

function definitionOf(fieldCount: number): string {
  const imports = `import * as z from 'zod'\nimport { defineResource, type InferResource } from 'setpoint'\n`
  return fieldCount === 0
    ? `${imports}export const nothing = [z, defineResource] as const\nexport type X = InferResource<never>\n`
    : imports + resourceWith(fieldCount)
}

function measure(text: string): { instantiations: number; checkMs: number } {
  const path = `${root}operators/type-check-cost.ts`
  const config = ts.readConfigFile(`${root}tsconfig.json`, (file) => ts.sys.readFile(file))
  const { compilerOptions } = config.config as { compilerOptions: object }
  const { options } = ts.convertCompilerOptionsFromJson(compilerOptions, root)
  const host = ts.createCompilerHost(options)
  const readFile = host.readFile.bind(host)
  const fileExists = host.fileExists.bind(host)
  host.readFile = (file) => (file === path ? text : readFile(file))
  host.fileExists = (file) => file === path || fileExists(file)
  const program = ts.createProgram([path], options, host)
  const startedMs = performance.now()
  const problems = program.getSemanticDiagnostics(program.getSourceFile(path))
  const checkMs = performance.now() - startedMs
  if (problems.length > 0) {
    throw new Error(ts.formatDiagnostics(problems, { ...host, getCurrentDirectory: () => root }))
  }
  return { instantiations: program.getInstantiationCount(), checkMs }
}

export function typeCheckCost(): string {
  measure(definitionOf(0))
  const rowsOf = (counts: readonly number[], textOf: (count: number) => string) =>
    counts.map((count) => {
      const { instantiations, checkMs } = measure(textOf(count))
      return [count, instantiations, Math.round(checkMs)]
    })
  return (
    'Fields of the spec against type instantiations (exact) and the time of the check (TypeScript 6, ms).\n' +
    'The row with no fields is the price of the imports.\n\n' +
    table(['fields', 'instantiations', 'check, ms'], rowsOf([0, 10, 100, 300], definitionOf)) +
    '\n\nThe same for the children of an operator, each a Deployment; the row with no children has a status.\n\n' +
    table(['children', 'instantiations', 'check, ms'], rowsOf([0, 1, 5, 20], operatorWith))
  )
}
