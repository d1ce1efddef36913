import type { Container, EndpointSlice, EnvVar, Pod, Volume } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import { commandLine } from './container/container-command.ts'
import { containerEnv } from './container/container-env.ts'
import { containerPlan } from './container/container-plan.ts'
import { expandVariables } from './container/expand-variables.ts'
import { fieldValue, resourceValue } from './field-values.ts'
import { rewritePaths } from './container/mount-paths.ts'
import { mountPathOf } from './mount-path-of.ts'
import type { PodSources } from './pod-sources.ts'
import { ProbeCount } from './container/probe-count.ts'
import { imageFor, type ProcessImage } from './process-options.ts'
import { targetsOf } from './service-targets.ts'
import { volumeContent } from './volume-files.ts'

const pod = {
  metadata: {
    name: 'web-0',
    namespace: 'shop',
    uid: 'u-1',
    resourceVersion: '1',
    labels: { b: '2', a: '1' },
  },
  spec: { nodeName: 'node-1', serviceAccountName: 'web', containers: [] },
} as unknown as Pod
const facts = { pod, podIP: '127.64.0.2', hostIP: '127.64.255.1' }
const app: Container = { name: 'app', image: 'app' }
const utf8 = (data: string | Uint8Array): string => Buffer.from(data).toString()
const base64 = (text: string): string => Buffer.from(text).toString('base64')

const metadata = {
  name: '',
  namespace: 'shop',
  uid: '',
  resourceVersion: '',
  creationTimestamp: '',
}
const sources: PodSources = {
  configMap: (name) =>
    name === 'settings'
      ? {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata,
          data: { level: 'debug', 'app.conf': 'x=1' },
        }
      : undefined,
  secret: (name) =>
    name === 'keys'
      ? { apiVersion: 'v1', kind: 'Secret', metadata, data: { password: base64('s3cret') } }
      : undefined,
  volumeOf: (claim) => (claim === 'data' || claim === 'web-0-scratch' ? `pv-${claim}` : undefined),
  services: () => [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { ...metadata, name: 'my-db' },
      spec: { clusterIP: '127.65.1.1', ports: [{ name: 'sql', port: 5432 }] },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { ...metadata, name: 'headless' },
      spec: { clusterIP: 'None', ports: [{ port: 1 }] },
    },
  ],
  token: (audience) => `token for ${audience ?? 'the API'}`,
  apiUrl: 'https://127.0.0.1:6443',
}

test.each([
  ['plain', 'plain'],
  ['$(A) and $(B)', '1 and $(B)'],
  ['$$(A)', '$(A)'],
  ['$$$(A)', '$1'],
  ['$A $( $', '$A $( $'],
  ['$(toString)', '$(toString)'],
])('expands the variables in %j to %j', (text, expanded) => {
  expect(expandVariables(text, { A: '1' })).toBe(expanded)
})

test.each([
  ['/data', '/v/data'],
  ['--dir=/data/db', '--dir=/v/data/db'],
  ['/data/deep/x:/data', '/v/deep/x:/v/data'],
  ['cat /data/a "/data"', 'cat /v/data/a "/v/data"'],
  ['/database /data.old /data-2', '/database /data.old /data-2'],
  ['http://host/data ../data', 'http://host/data ../data'],
])('rewrites the paths in %j to %j', (text, rewritten) => {
  const mounts = [
    { inside: '/data', outside: '/v/data' },
    { inside: '/data/deep', outside: '/v/deep' },
    { inside: '/', outside: '/v/root' },
  ]
  expect(rewritePaths(text, mounts)).toBe(rewritten)
})

test.each([
  ['/bindings', '/v/root/bindings'],
  ['--root=/bindings', '--root=/v/root/bindings'],
  ['/bindings/db/type', '/v/root/bindings/db/type'],
  ['/bindings/other', '/bindings/other'],
])(
  'rewrites a directory that contains volumes only where it is the whole path: %j',
  (text, rewritten) => {
    const mounts = [
      { inside: '/bindings/db', outside: '/v/root/bindings/db' },
      { inside: '/bindings', outside: '/v/root/bindings', isParent: true },
    ]
    expect(rewritePaths(text, mounts)).toBe(rewritten)
  },
)

test.each([
  ['at one path', [['db:/bindings/db'], ['db:/bindings/db', 'x:/x']], '/bindings/db'],
  ['at two paths', [['db:/a'], ['db:/b']], undefined],
  ['at the path of another volume', [['db:/a'], ['x:/a']], undefined],
  ['below another volume', [['db:/a/b', 'x:/a']], undefined],
  ['above another volume', [['db:/a', 'x:/a/b']], undefined],
  ['at a path with dots', [['db:/a/../b']], undefined],
  ['nowhere', [['x:/x']], undefined],
])('a volume that is mounted %s has the place %s', (_, containers, path) => {
  const spec = {
    containers: containers.map((mounts, index) => ({
      name: `${index}`,
      volumeMounts: mounts.map((mount) => {
        const [name = '', mountPath = ''] = mount.split(':')
        return { name, mountPath }
      }),
    })),
  }
  expect(mountPathOf({ spec }, 'db')).toBe(path)
})

const image: ProcessImage = { command: ['serve', '--fast'], args: ['all'], lastArgs: ['$(POD_IP)'] }

test.each([
  [{}, ['serve', '--fast', 'all', 'IP']],
  [{ args: ['$(A)'] }, ['serve', '--fast', '1', 'IP']],
  [{ command: ['other'] }, ['other', 'IP']],
  [{ command: ['other'], args: ['x', '$(POD_IP)'] }, ['other', 'x', '$(POD_IP)', 'IP']],
])('builds the command line of %j: %j', (container, line) => {
  expect(commandLine({ image, container, env: { A: '1' }, facts: { POD_IP: 'IP' } })).toEqual(line)
})

test.each([
  ['memcached', 'exact'],
  ['memcached:1.6', 'longer'],
  ['mem', 'shorter'],
  ['nginx', undefined],
  ['toString', undefined],
])('runs the image %s with %s', (name, command) => {
  const images = {
    'mem*': { command: 'shorter' },
    'memcached*': { command: 'longer' },
    memcached: { command: 'exact' },
  }
  expect(imageFor(images, { ...app, image: name }, pod)?.command).toBe(command)
})

test.each<[Omit<EnvVar, 'name'>, string | undefined]>([
  [{ value: 'plain $(FIRST) $(MY_DB_SERVICE_HOST)' }, 'plain 1 127.65.1.1'],
  [{ valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }, 'node-1'],
  [{ valueFrom: { resourceFieldRef: { resource: 'limits.memory', divisor: '1Mi' } } }, '64'],
  [{ valueFrom: { configMapKeyRef: { name: 'settings', key: 'level' } } }, 'debug'],
  [{ valueFrom: { secretKeyRef: { name: 'keys', key: 'password' } } }, 's3cret'],
  [{ valueFrom: { secretKeyRef: { name: 'no', key: 'no', optional: true } } }, undefined],
  [{ valueFrom: { secretKeyRef: { name: 'keys', key: 'no', optional: true } } }, undefined],
])('resolves the variable %j to %j', (variable, value) => {
  const env = [
    { name: 'FIRST', value: '1' },
    { ...variable, name: 'V' },
  ]
  const container = { ...app, env, resources: { limits: { memory: '64Mi' } } }
  expect(containerEnv(facts, container, sources)['V']).toBe(value)
})

test.each<[Omit<EnvVar, 'name'>, string]>([
  [{ valueFrom: { configMapKeyRef: { name: 'no', key: 'a' } } }, 'configmap "no" not found'],
  [
    { valueFrom: { secretKeyRef: { name: 'keys', key: 'no' } } },
    "couldn't find key no in Secret shop/keys",
  ],
  [{ valueFrom: { fieldRef: { fieldPath: 'spec.no' } } }, 'unsupported fieldPath: spec.no'],
])('for the missing source %j, throws: %s', (variable, message) => {
  const container = { ...app, env: [{ ...variable, name: 'V' }] }
  expect(() => containerEnv(facts, container, sources)).toThrow(message)
})

test('adds services, then envFrom, then env', () => {
  const envFrom = [
    { configMapRef: { name: 'settings' }, prefix: 'C_' },
    { secretRef: { name: 'keys' } },
  ]
  const env = [{ name: 'C_level', value: 'mine' }]
  expect(containerEnv(facts, { ...app, env, envFrom }, sources)).toEqual({
    MY_DB_SERVICE_HOST: '127.65.1.1',
    MY_DB_SERVICE_PORT: '5432',
    MY_DB_SERVICE_PORT_SQL: '5432',
    KUBERNETES_SERVICE_HOST: '127.0.0.1',
    KUBERNETES_SERVICE_PORT: '6443',
    KUBERNETES_SERVICE_PORT_HTTPS: '6443',
    C_level: 'mine',
    'C_app.conf': 'x=1',
    password: 's3cret',
  })
})

test.each([
  ['metadata.uid', 'u-1'],
  ["metadata.labels['a']", '1'],
  ["metadata.annotations['no']", ''],
  ['metadata.labels', 'a="1"\nb="2"'],
  ['status.podIP', '127.64.0.2'],
])('resolves the field %s to %j', (path, value) => {
  expect(fieldValue(facts, path)).toBe(value)
})

test.each([
  ['limits.cpu', undefined, '2'],
  ['limits.cpu', '1m', '1500'],
  ['requests.cpu', undefined, '2'],
  ['requests.memory', undefined, '0'],
])('resolves the resource %s in units of %s to %s', (resource, divisor, value) => {
  const container = { ...app, resources: { limits: { cpu: '1500m' } } }
  const selector = { resource, ...(divisor === undefined ? {} : { divisor }) }
  expect(resourceValue(container, selector)).toBe(value)
})

test.each<[Omit<Volume, 'name'>, object]>([
  [{ emptyDir: {} }, { isEmpty: true }],
  [{ hostPath: { path: '/x' } }, { path: '/x' }],
  [{ persistentVolumeClaim: { claimName: 'data' } }, { volume: 'pv-data' }],
  [{ ephemeral: {} }, { volume: 'pv-web-0-scratch' }],
  [{ configMap: { name: 'no', optional: true } }, { files: [] }],
])('resolves the volume %j to %j', (volume, content) => {
  expect(volumeContent(facts, { ...volume, name: 'scratch' }, sources)).toEqual(content)
})

test.each<[Omit<Volume, 'name'>, Record<string, string>]>([
  [{ configMap: { name: 'settings' } }, { level: '644 debug', 'app.conf': '644 x=1' }],
  [
    { secret: { secretName: 'keys', items: [{ key: 'password', path: 'a/b', mode: 0o400 }] } },
    { 'a/b': '400 s3cret' },
  ],
  [
    { downwardAPI: { items: [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }] } },
    { name: '644 web-0' },
  ],
  [
    {
      projected: {
        defaultMode: 0o440,
        sources: [
          { serviceAccountToken: { path: 'token' } },
          { configMap: { name: 'settings', items: [{ key: 'level', path: 'ca.crt' }] } },
        ],
      },
    },
    { token: '600 token for the API', 'ca.crt': '440 debug' },
  ],
])('creates for %j the files %j', (volume, files) => {
  const content = volumeContent(facts, { ...volume, name: 'v' }, sources)
  const found = 'files' in content ? content.files : []
  expect(
    Object.fromEntries(
      found.map(({ path, data, mode }) => [path, `${mode.toString(8)} ${utf8(data)}`]),
    ),
  ).toEqual(files)
})

test.each<[Omit<Volume, 'name'>, string]>([
  [{ secret: { secretName: 'no' } }, 'secret "no" not found'],
  [
    { configMap: { name: 'settings', items: [{ key: 'no', path: 'p' }] } },
    'references non-existent config key: no',
  ],
  [{ persistentVolumeClaim: { claimName: 'no' } }, 'persistentvolumeclaim "no" is not bound'],
  [{ nfs: { server: 's', path: '/' } }, 'process nodes do not support this volume type'],
])('refuses the volume %j: %s', (volume, message) => {
  expect(() => volumeContent(facts, { ...volume, name: 'v' }, sources)).toThrow(message)
})

test('rewrites every path of a container, and writes a kubeconfig', () => {
  const container: Container = {
    ...app,
    command: ['run', '/data/x', '/etc/app.conf', '/dev/termination-log'],
    env: [{ name: 'DIR', value: '/data' }],
    workingDir: '/work',
    volumeMounts: [
      { name: 'data', mountPath: '/data/' },
      { name: 'etc', mountPath: '/etc/app.conf', subPath: 'app.conf' },
      { name: 'account', mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' },
    ],
  }
  const volumes = new Map(['data', 'etc', 'account'].map((name) => [name, `/v/${name}`]))
  const plan = containerPlan({
    facts,
    container,
    image: { command: 'no' },
    sources,
    volumes,
    home: '/own',
    path: '/bin',
  })
  expect(plan.line).toEqual(['run', '/v/data/x', '/v/etc/app.conf', '/own/termination-log'])
  expect(plan.directory).toBe('/own/work')
  expect(plan.env).toMatchObject({
    PATH: '/bin',
    HOME: '/own',
    HOSTNAME: 'web-0',
    DIR: '/v/data',
    KUBECONFIG: '/own/kubeconfig',
  })
  expect(plan.kubeconfig).toContain('"tokenFile":"/v/account/token"')
})

test.each([
  ['+', ['passed']],
  ['---', [undefined, undefined, 'failed']],
  ['--+-', [undefined, undefined, 'passed', undefined]],
])('after the probe results %s, reaches the thresholds %j', (results, thresholds) => {
  const count = new ProbeCount({ failureThreshold: 3 })
  expect([...results].map((result) => count.add(result === '+'))).toEqual(thresholds)
})

test('forwards to the ready endpoints of the port', () => {
  const slice = {
    ports: [{ name: 'sql', port: 5432 }],
    endpoints: [
      { addresses: ['127.64.0.2'], conditions: { ready: true } },
      { addresses: ['127.64.0.3'], conditions: { ready: false } },
    ],
  } as unknown as EndpointSlice
  expect(targetsOf([slice], 'sql')).toEqual([{ hostname: '127.64.0.2', port: 5432 }])
  expect(targetsOf([slice], 'other')).toEqual([])
})
