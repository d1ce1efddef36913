import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { nodeHost } from 'setpoint/host'
import { afterAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { compileStrict } from '../../../../../test/compile-strict.ts'
import { type CommandContext, parseCommand } from '../../command/index.ts'
import { newCommand } from '../../commands/new-command.ts'
import { RecordingTerminal } from '../../system/testdata/recording-terminal.ts'
import { chartKinds } from './chart-kinds.ts'
import { goDocuments } from './go-yaml.ts'
import { inferSchema } from './infer-schema.ts'
import { zodText } from './zod-text.ts'

const root = mkdtempSync(join(tmpdir(), 'setpoint-from-chart-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** The names of skipped tests say what is missing: helm. */
const needsHelm = {
  skip: spawnSync(process.env['HELM_BIN'] ?? 'helm', ['version']).error !== undefined,
}

async function call(words: readonly string[], variables: Readonly<Record<string, string>> = {}) {
  const terminal = new RecordingTerminal({})
  const parsed = parseCommand([newCommand], ['new', ...words, '--yes', '--no-install'])
  if (parsed.wants !== 'run') throw new Error(parsed.wants)
  const host = nodeHost()
  const env = (name: string): string | undefined => variables[name] ?? host.env(name)
  const { signal } = new AbortController()
  const context: CommandContext = { host: { ...host, env }, terminal, folder: root, signal }
  const run = await parsed.command.load()
  return { code: await run(context, parsed.input), terminal }
}

/** Writes a chart, and returns its folder. */
function chartIn(name: string, files: Readonly<Record<string, string>>): string {
  const about = { 'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n` }
  for (const [path, text] of Object.entries({ ...about, ...files })) {
    const file = join(root, 'charts', name, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  return join('charts', name)
}

const readIn = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8')

const exported = z.object({
  default: z.custom<(zod: typeof z, intOrString: () => z.ZodType) => z.ZodType>(),
})

/** The zod schema of a source text. */
async function evaluated(text: string): Promise<z.ZodType> {
  const file = join(root, `schema-${text.length}.mjs`)
  writeFileSync(file, `export default (z, intOrString) => ${text}`)
  const module: unknown = await import(pathToFileURL(file).href)
  return exported.parse(module).default(z, () => z.union([z.int(), z.string()]))
}

describe('an inferred schema', () => {
  const values = goDocuments(`
replicaCount: 1
ratio: 0.5
image: { repository: nginx, tag: "", digest: null }
service: { port: 80 }
resources: {}
hosts: [{ host: a, paths: [{ path: / }] }, { host: b, tls: true }]
mixed: [1, a]
empty: []
"quoted.key/a'b": on
`)[0]
  const schemaOf = async () => evaluated(zodText(inferSchema(values), values))

  test('accepts the defaults of the chart, none of them, and more', async () => {
    const schema = await schemaOf()
    expect(schema.parse(values)).toEqual(values)
    expect(schema.parse({})).toEqual({})
    expect(
      schema.parse({ image: { more: 1 }, other: 1, mixed: [true], service: { port: 'http' } }),
    ).toBeDefined()
  })

  test('refuses values of another type', async () => {
    const schema = await schemaOf()
    for (const wrong of [{ replicaCount: 'a' }, { image: 'nginx' }, { hosts: {} }]) {
      expect(schema.safeParse(wrong).success).toBe(false)
    }
  })
})

test('a schema of the chart keeps its limits, and requires what has no default', async () => {
  const text = zodText(
    {
      type: 'object',
      additionalProperties: false,
      required: ['host', 'level'],
      properties: {
        host: { type: 'string', minLength: 1, description: 'Its name, in "quotes" and \'more\'.' },
        level: { enum: ['low', 'high'] },
        count: { type: 'integer', minimum: 0, maximum: 9 },
        any: { oneOf: [{ type: 'string' }, { type: 'integer' }] },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
      },
    },
    { level: 'low' },
  )
  const schema = await evaluated(text)
  expect(schema.parse({ host: 'a', any: 1, labels: { b: 'c' } })).toBeDefined()
  for (const wrong of [{}, { host: '' }, { host: 'a', count: 10 }, { host: 'a', level: 'mid' }]) {
    expect(schema.safeParse(wrong).success).toBe(false)
  }
  expect(schema.safeParse({ host: 'a', labels: { b: 1 } }).success).toBe(false)
})

describe('the kinds of a chart', () => {
  const kindsOf = (parts: Partial<Parameters<typeof chartKinds>[0]>): string[] =>
    chartKinds({ rendered: [], templates: [], crds: [], ...parts }).map(
      ({ kind, plural, isUsed, builtin }) =>
        `${kind} ${plural} ${builtin === undefined ? 'own' : 'builtin'} ${isUsed ? 'used' : 'unused'}`,
    )

  test('are those of rendered objects and of templates, in the order of helm', () => {
    const rendered = goDocuments('apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: a }\n')
    const templates = [
      '{{- if .Values.a }}\napiVersion: v1\nkind: Secret\n{{- end }}\n---\nkind: Ingress\napiVersion: {{ include "v" . }}\n',
      'apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\n',
    ]
    expect(kindsOf({ rendered, templates })).toEqual([
      'Secret secrets builtin used',
      'Deployment deployments builtin used',
      'Ingress ingresses builtin used',
      'ServiceMonitor servicemonitors own unused',
    ])
  })

  test('have the plural and scope of a CRD in the chart', () => {
    const crds = goDocuments(`
kind: CustomResourceDefinition
spec:
  group: example.com
  scope: Cluster
  names: { kind: Box, plural: boxen }
  versions: [{ name: v1 }]
`)
    expect(kindsOf({ templates: ['apiVersion: example.com/v1\nkind: Box\n'], crds })).toEqual([
      'Box boxen own used',
    ])
  })

  test('do not include hooks', () => {
    const templates = [
      'apiVersion: batch/v1\nkind: Job\nmetadata:\n  annotations:\n    helm.sh/hook: pre-install\n',
    ]
    expect(kindsOf({ templates })).toEqual([])
  })
})

const configMap = `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}
data:
  text: {{ .Values.text | quote }}
`

test(
  'a project from a chart compiles strictly, and has a copy of the chart',
  needsHelm,
  async () => {
    const chart = chartIn('the-shop', {
      'values.yaml': 'text: hello\nport: 80\n',
      'templates/a.yaml': configMap,
      'templates/b.yaml':
        '{{- if .Values.monitor }}\napiVersion: a.example.com/v1\nkind: Monitor\n{{- end }}\n',
      'templates/c.yaml': '# {{ randAlphaNum 5 }}\n',
      'templates/hook.yaml':
        '{{- if .Values.x }}\nmetadata:\n  annotations:\n    "helm.sh/hook": pre-install\n{{- end }}\n',
      'crds/a.yaml': 'kind: CustomResourceDefinition\n',
    })
    const { terminal } = await call(['shop', '--from-chart', chart, '--group', 'example.com'])
    expect(readIn('shop/src/the-shop.ts')).toContain("kind: 'TheShop'")
    expect(readIn('shop/src/chart/templates/a.yaml')).toBe(configMap)
    const notes = terminal.lines.filter((line) => line.includes('note:')).join('\n')
    expect(notes).toContain('hooks are not run: templates/hook.yaml')
    expect(notes).toContain('unless the template uses lookup: templates/c.yaml')
    expect(notes).toContain('CRDs are not children; install them yourself: crds/a.yaml')
    expect(notes).toContain('Monitor (not used by default)')
    const names = ['the-shop.ts', 'kinds.ts', 'render-chart.ts', 'operators.ts', 'the-shop.test.ts']
    const sources = names.map((name) => [name, readIn('shop/src', name)] as const)
    expect(compileStrict(Object.fromEntries(sources), { types: ['node'] })).toEqual([])
  },
)

test('what is not a chart is refused', async () => {
  mkdirSync(join(root, 'empty'), { recursive: true })
  await expect(call(['a', '--from-chart', 'empty'])).rejects.toThrow('it has no Chart.yaml')
  await expect(call(['a', '--from-chart', 'nowhere'])).rejects.toThrow('there is no folder')
})

test('without helm the error says how to get it', async () => {
  const chart = chartIn('plain', { 'templates/a.yaml': configMap })
  const missing = call(['b', '--from-chart', chart], { HELM_BIN: '/no/such/helm' })
  await expect(missing).rejects.toMatchObject({
    message: 'helm is not installed',
    hint: 'put Helm 3 on the PATH, or its path in HELM_BIN: it renders the chart, now and in the operator',
  })
})
