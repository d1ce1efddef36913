import { createCluster } from '@setpoint/cluster'
import { virtualHost } from 'setpoint/host'
import { CustomResourceDefinition } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { compileStrict } from '../../../../test/compile-strict.ts'
import { Application } from '../../../../operators/01-application/application.ts'
import { CronTab } from '../../../../operators/04-crontab/crontab.ts'
import { parseCommand } from '../command/index.ts'
import { kindsCommand } from '../commands/kinds-command.ts'
import { RecordingTerminal } from '../system/testdata/recording-terminal.ts'
import { runKinds } from './run-kinds.ts'

type TestHost = ReturnType<typeof virtualHost>

async function call(
  host: TestHost,
  words: readonly string[],
): Promise<{ code: unknown; text: string }> {
  const terminal = new RecordingTerminal()
  const parsed = parseCommand([kindsCommand], ['kinds', ...words])
  if (parsed.wants !== 'run') throw new Error(parsed.wants)
  const context = { host, terminal, folder: '/project', signal: new AbortController().signal }
  return { code: await runKinds(context, parsed.input), text: terminal.text }
}

async function hostWithCrds(): Promise<TestHost> {
  const host = virtualHost({ seed: 1 })
  await host.makeDirectory('/project')
  const documents = [Application.crd(), { apiVersion: 'v1', kind: 'Namespace' }, CronTab.crd()]
  await host.writeFile('/project/crds.yaml', documents.map((each) => stringify(each)).join('---\n'))
  return host
}

test('writes a module that compiles for every CRD of a file', async () => {
  using host = await hostWithCrds()
  expect(await call(host, ['--from', 'crds.yaml'])).toEqual({
    code: 0,
    text: 'created   src/kinds/application.ts\ncreated   src/kinds/cron-tab.ts',
  })
  const text = new TextDecoder().decode(await host.readFile('/project/src/kinds/application.ts'))
  expect(compileStrict({ 'application.ts': text })).toEqual([])
  expect((await call(host, ['--from', 'crds.yaml'])).text).toMatch(/^unchanged .*\nunchanged /)
})

test('writes only the named kinds, and refuses an unknown name', async () => {
  using host = await hostWithCrds()
  expect((await call(host, ['--from', 'crds.yaml', 'CronTab'])).text).toBe(
    'created   src/kinds/cron-tab.ts',
  )
  await expect(call(host, ['--from', 'crds.yaml', 'Cron'])).rejects.toThrow('there is no CRD Cron')
})

test('writes kinds of the same name to different files', async () => {
  using host = await hostWithCrds()
  const text = stringify(CronTab.crd())
  const other = text.replaceAll(CronTab.group, 'other.example.com')
  await host.writeFile('/project/both.yaml', `${text}---\n${other}`)
  expect((await call(host, ['--from', 'both.yaml'])).text).toBe(
    `created   src/kinds/cron-tab.${CronTab.group}.ts\ncreated   src/kinds/cron-tab.other.example.com.ts`,
  )
  await host.writeFile('/project/other.yaml', other)
  await call(host, ['--from', 'crds.yaml', 'CronTab'])
  await expect(call(host, ['--from', 'other.yaml'])).rejects.toThrow(
    'src/kinds/cron-tab.ts was not generated from crontabs.other.example.com',
  )
})

test('refuses to overwrite a file of the author', async () => {
  using host = await hostWithCrds()
  await host.makeDirectory('/project/src/kinds')
  await host.writeFile('/project/src/kinds/cron-tab.ts', 'mine')
  await expect(call(host, ['--from', 'crds.yaml', 'CronTab'])).rejects.toThrow(
    'was not generated from',
  )
})

test('puts no text of a CRD into code, and refuses an incomplete CRD', async () => {
  using host = await hostWithCrds()
  const crd = CronTab.crd()
  const named = { ...crd, metadata: { name: 'x\nprocess.exit() //' } }
  await host.writeFile('/project/named.yaml', stringify(named))
  await expect(call(host, ['--from', 'named.yaml'])).rejects.toThrow('not PLURAL.GROUP')
  await host.writeFile('/project/half.yaml', stringify({ ...crd, spec: { group: 'a.b' } }))
  await expect(call(host, ['--from', 'half.yaml'])).rejects.toThrow('a CRD needs spec.group')
})

test('reads YAML with aliases, and refuses too many aliases', async () => {
  using host = await hostWithCrds()
  const crd = stringify(CronTab.crd())
  await host.writeFile('/project/alias.yaml', `${crd}extra: [&a [1], *a]\n`)
  expect((await call(host, ['--from', 'alias.yaml'])).code).toBe(0)
  const levels = ['b', 'c', 'd', 'e'].map((name, index) => {
    const before = String.fromCharCode(name.charCodeAt(0) - 1)
    return `${index === 0 ? 'a: &a [x, x, x, x, x, x, x, x, x]\n' : ''}${name}: &${name} [${`*${before}, `.repeat(9)}]\n`
  })
  await host.writeFile('/project/bomb.yaml', levels.join(''))
  await expect(call(host, ['--from', 'bomb.yaml'])).rejects.toThrow(/bomb\.yaml: .*alias/i)
})

test('--check writes nothing and exits with 1 until the files are up to date', async () => {
  using host = await hostWithCrds()
  expect((await call(host, ['--from', 'crds.yaml', '--check'])).code).toBe(1)
  expect(await host.fileInfo('/project/src')).toBeUndefined()
  await call(host, ['--from', 'crds.yaml'])
  expect((await call(host, ['--from', 'crds.yaml', '--check'])).code).toBe(0)
})

test('selects the CRDs of a cluster by group', async () => {
  using host = await hostWithCrds()
  await using cluster = await createCluster({ host, workloads: 'off' })
  await host.writeFile('/project/kubeconfig', cluster.kubeconfig())
  await cluster.client.create(CustomResourceDefinition, CronTab.crd())
  const words = ['--from', 'cluster', '--kubeconfig', '/project/kubeconfig']
  expect((await call(host, [...words, 'stable.example.com'])).text).toBe(
    'created   src/kinds/cron-tab.ts',
  )
  await expect(call(host, words)).rejects.toThrow('--from cluster needs NAME')
})

test('refuses a file without CRDs, invalid YAML and v1beta1 CRDs', async () => {
  using host = await hostWithCrds()
  await host.writeFile('/project/none.yaml', 'kind: Namespace\napiVersion: v1\n')
  await host.writeFile('/project/broken.yaml', 'kind: [\n')
  await host.writeFile(
    '/project/old.yaml',
    'kind: CustomResourceDefinition\napiVersion: apiextensions.k8s.io/v1beta1\n',
  )
  await expect(call(host, ['--from', 'none.yaml'])).rejects.toThrow('no CRDs found')
  await expect(call(host, ['--from', 'broken.yaml'])).rejects.toThrow('/project/broken.yaml: ')
  await expect(call(host, ['--from', 'old.yaml'])).rejects.toThrow(
    'the apiVersion of a CRD is apiextensions.k8s.io/v1beta1',
  )
  await expect(call(host, ['--from', 'nowhere.yaml'])).rejects.toThrow(
    'there is no file nowhere.yaml',
  )
  await expect(call(host, [])).rejects.toThrow('--from is missing')
})
