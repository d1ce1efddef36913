import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type AnyOperator, operator } from 'setpoint'
import { nodeHost } from 'setpoint/host'
import { ConfigMap } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import application from '../../../../operators/01-application/operator.ts'
import usage from '../../../../operators/07-pod-usage/operator.ts'
import { parseCommand } from '../command/index.ts'
import { chartCommand } from '../commands/chart-command.ts'
import { RecordingTerminal } from '../system/testdata/recording-terminal.ts'
import { chartFiles } from './chart-files.ts'

const project = { folder: '/p', name: 'shop', version: '1.2.3', settings: { replicas: 3 } }
const plain = operator(ConfigMap, { name: 'configmaps' }).reconcile(async () => undefined)
const examples: readonly (readonly [string, readonly AnyOperator[]])[] = [
  ['an operator with webhooks', [application]],
  ['an aggregated API', [usage].flat()],
  ['an operator of a built-in kind', [plain]],
]

function valuesOf(operators: readonly AnyOperator[]): unknown {
  const files = chartFiles({ project, operators })
  return parse(files.find(({ path }) => path === 'values.yaml')?.text ?? '')
}

function paths(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [at]
  const entries = Object.entries(value)
  return entries.length === 0
    ? [at]
    : entries.flatMap(([name, each]) => paths(each, at === '' ? name : `${at}.${name}`))
}

test.each(examples)(
  'the templates of %s read only values that exist, and all of them',
  (_, operators) => {
    const templates = chartFiles({ project, operators }).filter(({ path }) =>
      path.startsWith('templates/'),
    )
    const text = templates.map((file) => file.text).join('\n')
    const read = new Set([...text.matchAll(/\.Values\.([\w.]+)/g)].map(([, path = '']) => path))
    const known = paths(valuesOf(operators))
    const isBelow = (one: string, other: string): boolean =>
      one === other || one.startsWith(`${other}.`)
    expect([...read].filter((path) => !known.some((one) => isBelow(one, path)))).toEqual([])
    expect(known.filter((one) => ![...read].some((path) => isBelow(one, path)))).toEqual([])
  },
)

test.each(examples)(
  'the templates of %s are balanced and have no placeholder left',
  (_, operators) => {
    for (const { path, text } of chartFiles({ project, operators })) {
      expect(text, path).not.toMatch(/zz-|INDENT|CHART/)
      const opened = [...text.matchAll(/\{\{-? (if|with|range|define) /g)].length
      const closed = [...text.matchAll(/\{\{-? end /g)].length
      expect(closed, path).toBe(opened)
    }
  },
)

test('values.yaml has a comment for every value, and the defaults of the project', () => {
  const files = chartFiles({ project, operators: [application] })
  const text = files.find(({ path }) => path === 'values.yaml')?.text ?? ''
  expect(parse(text)).toMatchObject({
    replicas: 3,
    image: { repository: 'shop', tag: '1.2.3' },
    networkPolicy: { enabled: true },
  })
  const lines = text.split('\n')
  const uncommented = lines.filter(
    (line, index) => /^\w+:/.test(line) && !/^#/.test(lines[index - 1] ?? ''),
  )
  expect(uncommented).toEqual([])
})

test('text of Prometheus in braces is not evaluated by Helm', () => {
  const files = chartFiles({ project, operators: [application] })
  const alerts = files.find(({ path }) => path === 'templates/monitoring-alerts.yaml')?.text ?? ''
  expect(alerts).toContain('{{ "{{" }} $labels.pod }}')
  expect(alerts).not.toMatch(/\{\{ \$labels/)
})

test('Chart.yaml has what package.json says about the project', () => {
  const about = {
    description: 'Runs shops.',
    keywords: ['shop'],
    homepage: 'https://shop.example.com',
    maintainers: [{ name: 'Jane', email: 'jane@example.com' }],
  }
  const files = chartFiles({ project: { ...project, about }, operators: [plain] })
  expect(parse(files.find(({ path }) => path === 'Chart.yaml')?.text ?? '')).toMatchObject({
    apiVersion: 'v2',
    name: 'shop',
    version: '1.2.3',
    appVersion: '1.2.3',
    description: 'Runs shops.',
    home: 'https://shop.example.com',
    maintainers: [{ name: 'Jane', email: 'jane@example.com' }],
  })
})

test('writes a chart, checks it, and refuses a folder of the user', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'setpoint-chart-'))
  const file = fileURLToPath(
    new URL('../../../../operators/01-application/operator.ts', import.meta.url),
  )
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'shop', version: '1.0.0' }))
  const chart = async (...words: string[]) => {
    const terminal = new RecordingTerminal()
    const line = parseCommand([chartCommand], ['chart', file, '--no-typecheck', ...words])
    if (line.wants !== 'run') throw new Error('not a command to run')
    const context = { host: nodeHost(), terminal, folder, signal: new AbortController().signal }
    const exitCode = (await (await chartCommand.load())(context, line.input)) ?? 0
    return { exitCode, lines: terminal.lines }
  }
  expect((await chart('--check')).exitCode).toBe(1)
  expect((await chart()).lines).toContain('created  chart/Chart.yaml')
  expect(await chart('--check')).toMatchObject({ exitCode: 0, lines: ['23 files are up to date'] })
  await writeFile(join(folder, 'chart/templates/old.yaml'), '')
  await writeFile(join(folder, 'chart/values.yaml'), 'replicas: 5\n')
  expect((await chart()).lines).toEqual([
    'removed  chart/templates/old.yaml',
    'changed  chart/values.yaml',
  ])
  expect(await readFile(join(folder, 'chart/Chart.yaml'), 'utf8')).toMatch(
    /^# Made by `setpoint chart`/,
  )
  await writeFile(join(folder, 'chart/Chart.yaml'), 'name: mine\n')
  await expect(chart()).rejects.toThrow('was not made by setpoint chart and would be overwritten')
  await rm(folder, { recursive: true })
})
