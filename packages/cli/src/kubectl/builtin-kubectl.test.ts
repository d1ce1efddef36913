import { expect, test } from 'vitest'
import { kubectlWorld } from './testdata/kubectl-world.ts'

const config = (name: string, data: Record<string, string>): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data })

test('refuses unsupported commands and flags, with a link to kubectl', async () => {
  await using world = await kubectlWorld()
  const hint = 'install kubectl: https://kubernetes.io/docs/tasks/tools/'
  for (const [args, what] of [
    [['exec', 'web', '--', 'ls'], 'exec'],
    [['get', 'pods', '--chunk-size=5'], 'the flag --chunk-size of get'],
    [['get', 'pods', '-x'], 'the flag -x of get'],
    [['get', 'pods', '-o', 'go-template={{.}}'], 'the output format "go-template"'],
  ] as const) {
    expect(await world.run(args)).toEqual({
      stdout: '',
      stderr: `error: the kubectl in setpoint does not support ${what}; ${hint}\n`,
      exitCode: 1,
    })
  }
})

test('accepts flags before the command, with joined and separate values', async () => {
  await using world = await kubectlWorld()
  for (const args of [
    ['-n', 'kube-system', 'get', 'sa', 'default', '-oname'],
    ['get', '-nkube-system', 'sa/default', '-o=name'],
    ['get', '--namespace=kube-system', 'sa', 'default', '--output', 'name'],
  ]) {
    expect((await world.run(args)).stdout).toBe('serviceaccount/default\n')
  }
})

test('reads manifests from folders, lists and the standard input', async () => {
  await using world = await kubectlWorld({
    'all/b.yaml': config('b', {}),
    'all/a.json': config('a', {}),
    'all/notes.txt': 'not a manifest',
    'all/deep/c.yml': config('c', {}),
  })
  const created = (...names: string[]): string =>
    names.map((name) => `configmap/${name} created\n`).join('')
  expect((await world.run(['apply', '-f', 'all'])).stdout).toBe(created('a', 'b'))
  expect((await world.run(['create', '-R', '-f', 'all/deep'])).stdout).toBe(created('c'))
  const piped = await world.run(['apply', '-f', '-'], {
    readInput: async () => `${config('d', {})}\n---\n${config('e', {})}`,
  })
  expect(piped.stdout).toBe(created('d', 'e'))
})

test('reports invalid YAML with its file and line', async () => {
  await using world = await kubectlWorld({ 'broken.yaml': 'a: [1\nb: 2\n' })
  const { stderr, exitCode } = await world.run(['apply', '-f', 'broken.yaml'])
  expect(exitCode).toBe(1)
  expect(stderr).toMatch(
    /^error: error parsing broken\.yaml: error converting YAML to JSON: yaml: line \d+: /,
  )
})

test('applies the other objects after a failure', async () => {
  await using world = await kubectlWorld({
    'some.yaml': [config('a', {}), config('A!', {}), config('b', {})].join('\n---\n'),
  })
  const { stdout, stderr, exitCode } = await world.run(['apply', '-f', 'some.yaml'])
  expect(stdout).toBe('configmap/a created\nconfigmap/b created\n')
  expect(stderr).toContain('The ConfigMap "A!" is invalid: metadata.name: Invalid value: "A!"')
  expect(exitCode).toBe(1)
})

test('stores an edited object, and reopens the editor with the reason after a refusal', async () => {
  await using world = await kubectlWorld({ 'a.yaml': config('a', { x: '1' }) })
  await world.run(['apply', '-f', 'a.yaml'])
  const seen: string[] = []
  const replacements = [
    ['x: "1"', 'x: [1]'],
    ['x: [1]', 'x: "2"'],
  ] as const
  const edit = async (file: string): Promise<number> => {
    const text = new TextDecoder().decode(await world.host.readFile(file))
    const [from, to] = replacements[seen.length] ?? ['', '']
    seen.push(text)
    await world.host.writeFile(file, text.replace(from, to))
    return 0
  }
  const outcome = await world.run(['edit', 'cm/a'], { edit })
  expect(outcome.stdout).toBe('configmap/a edited\n')
  expect(seen[0]).toMatch(/^# Please edit the object below/)
  expect(seen[1]).toContain('# The request is invalid: patch: Invalid value')
  const { stdout } = await world.run(['get', 'cm', 'a', '-o', 'jsonpath={.data}'])
  expect(stdout).toBe('{"x":"2"}')
})

test('cancels an edit without changes', async () => {
  await using world = await kubectlWorld({ 'a.yaml': config('a', {}) })
  await world.run(['apply', '-f', 'a.yaml'])
  const outcome = await world.run(['edit', 'cm', 'a'])
  expect(outcome).toEqual({
    stdout: '',
    stderr: 'Edit cancelled, no changes made.\n',
    exitCode: 0,
  })
})

test('--watch prints the objects, then every change, until Ctrl-C', async () => {
  await using world = await kubectlWorld({ 'a.yaml': config('a', {}), 'b.yaml': config('b', {}) })
  await world.run(['create', 'ns', 'here'])
  await world.run(['apply', '-n', 'here', '-f', 'a.yaml'])
  const stop = new AbortController()
  const watching = world.run(
    ['get', 'cm', '-n', 'here', '-w', '--field-selector', 'metadata.name!=kube-root-ca.crt'],
    {
      signal: stop.signal,
    },
  )
  await world.host.sleep(1000)
  await world.run(['apply', '-n', 'here', '-f', 'b.yaml'])
  await world.run(['delete', '-n', 'here', 'cm', 'a'])
  await world.host.sleep(1000)
  stop.abort()
  const { stdout, exitCode } = await watching
  expect(exitCode).toBe(0)
  expect(stdout.replace(/ +\d+s/g, '')).toBe('NAME   DATA   AGE\na      0\nb      0\na      0\n')
})

test('keeps a container of another manager when a file is applied again', async () => {
  const pod = (...containers: string[]): string =>
    JSON.stringify({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: {
        replicas: 0,
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: { containers: containers.map((name) => ({ name, image: `${name}:1` })) },
        },
      },
    })
  await using world = await kubectlWorld({
    'two.json': pod('one', 'two'),
    'one.json': pod('one'),
  })
  await world.run(['apply', '-f', 'two.json'])
  const added = { spec: { template: { spec: { containers: [{ name: 'other', image: 'x' }] } } } }
  await world.run(['patch', 'deploy', 'web', '-p', JSON.stringify(added)])
  expect((await world.run(['apply', '-f', 'one.json'])).stdout).toBe(
    'deployment.apps/web configured\n',
  )
  const path = 'jsonpath={.spec.template.spec.containers[*].name}'
  const { stdout } = await world.run(['get', 'deploy', 'web', '-o', path])
  expect(stdout.split(' ').sort()).toEqual(['one', 'other'])
})

test('follows a log until the container ends', async () => {
  const behaviour = {
    logs: ['first', { text: 'second', after: 2000 }],
    exits: [{ code: 0, after: 5000 }],
  }
  await using world = await kubectlWorld({
    'pod.yaml': JSON.stringify({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: 'talker',
        annotations: { 'setpoint.dev/pod-behaviour': JSON.stringify(behaviour) },
      },
      spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'x' }] },
    }),
  })
  await world.run(['apply', '-f', 'pod.yaml'])
  const outcome = await world.run(['logs', '-f', 'talker'])
  expect(outcome).toEqual({ stdout: 'first\nsecond\n', stderr: '', exitCode: 0 })
})

test('throws connection errors instead of printing them as kubectl errors', async () => {
  await using world = await kubectlWorld()
  await expect(world.run(['get', 'pods', '--kubeconfig', '/project/none'])).rejects.toMatchObject({
    code: 'FILE_NOT_FOUND',
  })
})
