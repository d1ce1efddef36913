import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import type { AnyOperator } from 'setpoint'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import application from '../../../../operators/01-application/operator.ts'
import database from '../../../../operators/05-sample-db/operator.ts'
import usage from '../../../../operators/07-pod-usage/operator.ts'
import { projectObjects } from '../generate/index.ts'
import type { Project } from '../project/index.ts'
import { chartFiles } from './chart-files.ts'

const run = promisify(execFile)
const helm = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'helm'))
  .find((path) => existsSync(path))

/** The names of skipped tests say what is missing: helm. */
const needsHelm = { skip: helm === undefined }

interface Manifest {
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    labels?: Record<string, string>
    annotations?: Record<string, string>
  }
  readonly [field: string]: unknown
}

/** Writes the chart of operators to a temporary folder. */
async function chartOf(operators: readonly AnyOperator[], settings: Project['settings'] = {}) {
  const project = { folder: '/p', name: 'shop', version: '1.2.3', settings }
  const folder = await mkdtemp(join(tmpdir(), 'setpoint-chart-'))
  for (const { path, text } of chartFiles({ project, operators })) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  const call = async (...words: string[]): Promise<string> => {
    const { stdout } = await run(helm ?? 'helm', words, { maxBuffer: 32 * 1024 * 1024 })
    return stdout
  }
  const render = async (...words: string[]): Promise<Manifest[]> => {
    const where = ['--namespace', 'shop-system', '--kube-version', '1.36.0']
    const text = await call('template', 'shop', folder, ...where, ...words)
    return [parseAllDocuments(text)].flat().flatMap((document) => {
      const manifest = document.toJS() as Manifest | null
      return manifest === null ? [] : [manifest]
    })
  }
  return {
    folder,
    project,
    call,
    render,
    [Symbol.asyncDispose]: async () => rm(folder, { recursive: true }),
  }
}

const byName = (left: Manifest, right: Manifest): number => (nameOf(left) < nameOf(right) ? -1 : 1)

function nameOf({ kind, metadata: { namespace = '', name } }: Manifest): string {
  return `${kind} ${namespace}/${name}`
}

/** Without what Helm decides: who manages an object, the chart, and the name of the Lease. */
function comparable(manifests: readonly Manifest[]): unknown {
  const ours = /^(helm\.sh\/|app\.kubernetes\.io\/(managed-by|instance|version)$)/
  const text = JSON.stringify([...manifests].sort(byName), (name, value: unknown) => {
    if (ours.test(name)) return undefined
    if (name === 'annotations' && JSON.stringify(value) === '{"helm.sh/resource-policy":"keep"}') {
      return undefined
    }
    if (name === 'rules' && JSON.stringify(value).includes('"leases"')) return 'of the Lease'
    if (name === 'env' && Array.isArray(value)) {
      // Helm sorts values by name.
      return (value as { name: string }[])
        .filter((item) => item.name !== 'LEASE_NAME')
        .sort((left, right) => (left.name < right.name ? -1 : 1))
    }
    return value
  })
  return JSON.parse(text)
}

function generated(operators: readonly AnyOperator[], project: Project): Manifest[] {
  const { definitions, userRoles, rights, workload, monitoring, policies } = projectObjects({
    project,
    operators,
  })
  return [definitions, userRoles, rights, workload, monitoring, policies]
    .flat()
    .map(({ manifest }) => manifest)
}

const all = {
  monitoring: { labels: { release: 'prometheus' } },
  networkPolicy: true,
  disruptionBudget: true,
  replicas: 2,
  image: 'registry.example.com/shop',
  env: { URL: 'http://a', TOKEN: { secretKeyRef: { name: 'a', key: 'b' } } },
  envFrom: [{ secretRef: { name: 'c' } }],
  resources: { limits: { memory: '1Gi', cpu: null } },
  pod: { tolerations: [{ key: 'a', operator: 'Exists' }], volumes: [{ name: 'v', emptyDir: {} }] },
  volumeMounts: [{ name: 'v', mountPath: '/v' }],
  podAnnotations: { note: 'x' },
  serviceAccountAnnotations: { role: 'y' },
} as const

const projects: readonly (readonly [string, readonly AnyOperator[], Project['settings']])[] = [
  ['an operator with webhooks', [application], {}],
  ['all settings', [application], all],
  ['watched namespaces', [application], { ...all, watch: ['a', 'b'] }],
  ['a database', [database].flat(), {}],
  ['an aggregated API', [usage].flat(), {}],
]

test.each(projects)(
  'helm: with default values, the chart of %s has the objects of generate',
  needsHelm,
  async (_, operators, settings) => {
    await using chart = await chartOf(operators, settings)
    expect(comparable(await chart.render())).toEqual(
      comparable(generated(operators, chart.project)),
    )
  },
)

test('helm: lint accepts the charts without warnings', needsHelm, async () => {
  for (const [, operators, settings] of projects) {
    await using chart = await chartOf(operators, settings)
    const printed = await chart.call('lint', '--strict', chart.folder)
    expect(printed).not.toMatch(/WARNING|ERROR/)
  }
})

test('helm: values change what they name', needsHelm, async () => {
  await using chart = await chartOf([application], { monitoring: true })
  const kinds = async (...words: string[]) => (await chart.render(...words)).map(({ kind }) => kind)
  expect(await kinds('--set', 'crds.enabled=false')).not.toContain('CustomResourceDefinition')
  expect(await kinds('--set', 'webhooks.register=false')).not.toContain(
    'ValidatingWebhookConfiguration',
  )
  expect(await kinds('--set', 'monitoring.alerts.enabled=false')).not.toContain('PrometheusRule')
  const set = [
    'watchNamespaces={a,b}',
    'image.digest=sha256:00',
    'logLevel=debug',
    'env.COUNT=3',
    'serviceAccount.create=false',
    'serviceAccount.name=mine',
    'webhooks.failurePolicy=Ignore',
  ]
  const rendered = await chart.render('--set', set.join(','), '--set', 'commonLabels.team=shop')
  const of = (kind: string) => rendered.filter((manifest) => manifest.kind === kind)
  expect(of('ClusterRole').map(nameOf)).not.toContain('ClusterRole /shop')
  expect(of('Role').map(nameOf)).toEqual(
    expect.arrayContaining(['Role a/shop', 'Role b/shop', 'Role shop-system/shop-election']),
  )
  expect(of('ServiceAccount')).toEqual([])
  expect(of('RoleBinding')[0]?.['subjects']).toMatchObject([{ name: 'mine' }])
  expect(of('ValidatingWebhookConfiguration')[0]?.['webhooks']).toMatchObject([
    { failurePolicy: 'Ignore', namespaceSelector: { matchExpressions: [{ values: ['a', 'b'] }] } },
  ])
  for (const { metadata } of rendered) expect(metadata.labels?.['team']).toBe('shop')
  expect(of('Deployment')[0]?.['spec']).toMatchObject({
    template: {
      spec: {
        serviceAccountName: 'mine',
        containers: [
          {
            image: 'shop@sha256:00',
            env: expect.arrayContaining([
              { name: 'WATCH_NAMESPACES', value: 'a,b' },
              { name: 'LOG_LEVEL', value: 'debug' },
              { name: 'COUNT', value: '3' },
            ]) as unknown,
          },
        ],
      },
    },
  })
})

test('helm: the schema refuses unknown and wrong values', needsHelm, async () => {
  await using chart = await chartOf([application])
  await expect(chart.render('--set', 'replica=2')).rejects.toThrow(/replica/)
  await expect(chart.render('--set', 'logLevel=loud')).rejects.toThrow(/logLevel/)
  await expect(chart.render('--set', 'image.tags=1')).rejects.toThrow(/tags/)
})
