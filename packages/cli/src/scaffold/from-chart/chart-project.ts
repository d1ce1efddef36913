import type { ResourceNames } from '../names.ts'
import type { ProjectFiles } from '../resource-files.ts'
import type { ChartKind } from './chart-kinds.ts'
import type { Chart } from './read-chart.ts'
import { renderChartText } from './render-chart-text.ts'
import { literal, zodText } from './zod-text.ts'

/** The sources of a project from a chart; the chart itself is copied to `src/chart`. */
export function chartProjectFiles(names: ResourceNames, chart: Chart): ProjectFiles {
  const { file, kind } = names
  return {
    [`src/${file}.ts`]: operatorText(names, chart),
    [`src/${file}.test.ts`]: testText(names),
    'src/kinds.ts': kindsText(chart.kinds),
    'src/render-chart.ts': renderChartText,
    [`config/samples/${kind.toLowerCase()}.yaml`]: sampleText(names),
  }
}

/** The files of a chart in a project. */
export function chartCopies({ files }: Chart): Map<string, Uint8Array> {
  return new Map([...files].map(([path, content]) => [`src/chart/${path}`, content]))
}

function operatorText(names: ResourceNames, { schema, values, isCrossNamespace }: Chart): string {
  const { kind, group, version } = names
  const isMap = schema['type'] === 'object' || schema['properties'] !== undefined
  const spec = isMap ? zodText({ ...schema, type: 'object' }, values) : 'z.looseObject({})'
  const imported = ['defineResource', 'operator']
  if (spec.includes('intOrString()')) imported.splice(1, 0, 'intOrString')
  const options = isCrossNamespace
    ? '\n      // The chart has objects in other namespaces than that of its release.\n      { crossNamespace: true },'
    : ''
  return `import * as z from 'zod'
import { ${imported.join(', ')} } from 'setpoint'
import { kinds } from './kinds.ts'
import { childrenOf, renderChart } from './render-chart.ts'

/** The custom resource: its spec has the values of the chart, which also has their defaults. */
export const ${kind} = defineResource({
  group: '${group}',
  version: '${version}',
  kind: '${kind}',
  spec: ${spec},
  conditions: ['Ready'],
  columns: { Ready: '.status.conditions[?(@.type=="Ready")].status' },
})

/** Maintains what the chart renders for every ${kind}. */
export default kinds.reduce(
  (all, kind) =>
    all.children(
      kind.plural,
      kind,${options}
      (_, { prepared }) => childrenOf(prepared(renderChart), kind),
    ),
  operator(${kind}).prepare(renderChart),
)
`
}

function kindsText(kinds: readonly ChartKind[]): string {
  const used = kinds.filter(({ isUsed }) => isUsed)
  const unused = kinds.filter(({ isUsed }) => !isUsed)
  const builtin = used.flatMap((one) => one.builtin ?? [])
  const own = used.filter((one) => one.builtin === undefined)
  const imports = [
    ...builtin,
    ...(own.length > 0 ? ['defineKind'] : []),
    'type Kind',
    ...(own.length > 0 ? ['type StoredMetadata'] : []),
  ]
  const interfaces = [...scopesOf(own)].map(interfaceText).join('')
  const missing = [...scopesOf(unused)].filter((scope) => !scopesOf(own).has(scope))
  const needed = [
    ...(own.length > 0 || unused.length === 0
      ? []
      : ["import { defineKind, type StoredMetadata } from 'setpoint/kinds'"]),
    ...missing.map((scope) => interfaceText(scope).trim()),
  ]
  const list = [
    ...builtin.map((name) => `  ${name},\n`),
    ...own.map((kind) => `  ${definedText(kind)},\n`),
    ...(unused.length === 0
      ? []
      : [
          '  // In templates of the chart, and not rendered by default. A kind here must exist in the cluster.\n',
        ]),
    ...needed.flatMap((text) => text.split('\n').map((line) => `  // ${line}\n`)),
    ...unused.map((kind) => `  // ${definedText(kind)},\n`),
  ]
  return `import {
${imports.map((name) => `  ${name},\n`).join('')}} from 'setpoint/kinds'
${interfaces}
/**
 * The kinds of the objects that the chart renders, in the order in which they are created. The
 * operator watches them, and its role allows to write them. Add a kind when the chart uses another.
 */
export const kinds: readonly Kind[] = [
${list.join('')}]
`
}

function scopesOf(kinds: readonly ChartKind[]): ReadonlySet<ChartKind['scope']> {
  return new Set(kinds.map(({ scope }) => scope))
}

function interfaceText(scope: ChartKind['scope']): string {
  return `
interface ${scope}Object {
  apiVersion: string
  kind: string
  metadata: StoredMetadata<'${scope}'>
}
`
}

function definedText({ apiVersion, kind, plural, scope }: ChartKind): string {
  const fields = { apiVersion, kind, plural, scope }
  const texts = Object.entries(fields).map(([name, value]) => `${name}: ${literal(value)}`)
  return `defineKind<${scope}Object>({ ${texts.join(', ')} })`
}

function testText({ kind, variable, file }: ResourceNames): string {
  return `import { spawnSync } from 'node:child_process'
import { createCluster } from '@setpoint/cluster'
import { start } from 'setpoint'
import { connectionFromKubeconfig } from 'setpoint/client'
import { nodeHost } from 'setpoint/host'
import { conditionOf, metadataOf } from 'setpoint/kinds'
import { expect, onTestFinished, test, vi } from 'vitest'
import ${variable}, { ${kind} } from './${file}.ts'
import { kinds } from './kinds.ts'
import { renderedObject } from './render-chart.ts'

const isHelmMissing = spawnSync(process.env['HELM_BIN'] ?? 'helm', ['version']).error !== undefined
const options = { timeout: 30_000, interval: 100 }

// In real time, because helm is a program of this machine.
test(
  'creates what the chart renders, and creates it again after a deletion',
  { skip: isHelmMissing, timeout: 90_000 },
  async () => {
    const host = nodeHost({ log: () => undefined })
    const cluster = await createCluster({ host })
    onTestFinished(() => cluster.dispose())
    const connection = await connectionFromKubeconfig(host, cluster.kubeconfig())
    const running = await start([${variable}], { host, connection, install: true })
    onTestFinished(() => running.stop())
    const { client } = cluster
    const owner = await client.create(${kind}, { metadata: { name: 'hello' }, spec: {} })
    await vi.waitFor(async () => {
      const ready = conditionOf(await client.get(${kind}, 'hello'), 'Ready')
      expect(ready?.status, ready?.message).toBe('True')
    }, options)

    const children = async () => {
      const found = await Promise.all(
        kinds.map(async (kind) =>
          (await client.listAll(kind)).map((object) => ({
            kind: metadataOf(kind),
            metadata: renderedObject.parse(object).metadata,
          })),
        ),
      )
      const marked = owner.metadata.uid
      return found.flat().filter(({ metadata }) => JSON.stringify(metadata).includes(marked))
    }
    const [child] = await children()
    if (child === undefined) throw new Error('the chart rendered nothing')
    await client.delete(child.kind, child.metadata)
    await vi.waitFor(async () => {
      const names = (await children()).map(({ metadata }) => metadata.name)
      expect(names).toContain(child.metadata.name)
    }, options)
  },
)
`
}

function sampleText({ kind, group, version, file }: ResourceNames): string {
  return `apiVersion: ${group}/${version}
kind: ${kind}
metadata:
  name: ${file}-sample
# Values of the chart. What is left out has the default of src/chart/values.yaml.
spec: {}
`
}
