import { createCluster } from '@setpoint/cluster'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { connectionFromKubeconfig } from '../client/index.ts'
import { defineResource } from '../definition/index.ts'
import { virtualHost } from '../host/index.ts'
import { CustomResourceDefinition, Deployment, Service } from '../kinds/index.ts'
import { operator } from '../operator/index.ts'
import { start } from '../start/index.ts'
import { template } from './template.ts'

const service = `
apiVersion: v1
kind: Service
metadata:
  name: "{name}"
  labels:
    "{group}/app": web-{name}-{port}
spec:
  selector: { app: "{name}" }
  ports:
    - port: {port}
      name: http
  raw: "{{name}} {not a name}"
  list: {ports}
`

test('a placeholder in a text becomes text, one that stands alone becomes the value as it is', () => {
  const values = { name: 'shop', group: 'example.com', port: 80, ports: [1, 2] }
  expect(template(service, values)).toEqual({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'shop', labels: { 'example.com/app': 'web-shop-80' } },
    spec: {
      selector: { app: 'shop' },
      ports: [{ port: 80, name: 'http' }],
      raw: '{name} {not a name}',
      list: [1, 2],
    },
  })
})

test('values are found by path, so that an object can be given as it is', () => {
  const volume = { metadata: { name: 'data' }, spec: { size: '1G' } }
  expect(template('a: "{metadata.name}"\nb: {spec.size}', volume)).toEqual({ a: 'data', b: '1G' })
})

test('no value can change the structure', () => {
  fc.assert(
    fc.property(fc.string(), (value) => {
      const text = 'a: "{v}"\nb:\n  - x-{v}\n  - {v}\n'
      expect(template(text, { v: value })).toEqual({ a: value, b: [`x-${value}`, value] })
    }),
  )
  expect(template('a: "{v}"', { v: '"\nb: 1 {v}' })).toEqual({ a: '"\nb: 1 {v}' })
})

test('a value that is missing is named with its line, and so is one that is no text', () => {
  expect(() => template('a: 1\nb:\n  c: "{size}"\n', {})).toThrow(/no value for \{size\} in line 3/)
  expect(() => template('a: {toString}', {})).toThrow(/no value for \{toString\} in line 1/)
  expect(() => template('a: x{b}', { b: {} })).toThrow(/\{b\} in line 1 .* is an object/)
  expect(() => template('a: [', {})).toThrow(/a template cannot be used/)
  expect(() => template('- a', {})).toThrow(/no object/)
})

const deploymentYaml = `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: "{name}"
  labels:
    app: "{name}"
spec:
  replicas: {replicas}
  selector:
    matchLabels:
      app: "{name}"
  template:
    metadata:
      labels:
        app: "{name}"
    spec:
      containers:
      - name: "{name}"
        image: "{image}"
        ports:
        - containerPort: {port}
`

const serviceYaml = `
apiVersion: v1
kind: Service
metadata:
  name: "{name}"
spec:
  selector:
    app: "{name}"
  ports:
    - name: http
      protocol: TCP
      port: {port}
      targetPort: {port}
`

test('an application becomes a Deployment and a Service from two files, and its status has their names', async () => {
  const Application = defineResource({
    group: 'example.com',
    version: 'v1',
    kind: 'Application',
    spec: z.object({ image: z.string(), replicas: z.int32(), port: z.int32() }),
    status: z.object({
      create: z.object({ deployment: z.string(), service: z.string() }).optional(),
    }),
  })
  const applications = operator(Application)
    .owns(Deployment)
    .owns(Service)
    .onCreate(async function create({ metadata: { name }, spec }, ctx) {
      const values = { name, ...spec }
      const deployment = await ctx.create(Deployment, template(deploymentYaml, values))
      const service = await ctx.create(Service, template(serviceYaml, values))
      return { deployment: deployment.metadata.name, service: service.metadata.name }
    })
  using host = virtualHost({ seed: 5 })
  await using cluster = await createCluster({ host, workloads: 'off' })
  const connection = await connectionFromKubeconfig(host, cluster.kubeconfig())
  await using running = await start([applications], { host, connection })
  const { client } = running
  await client.create(CustomResourceDefinition, Application.crd() as never)
  const spec = { image: 'nginx:latest', replicas: 1, port: 80 }
  const { metadata } = await client.create(Application, { metadata: { name: 'nginx' }, spec })
  await host.sleep(5_000)
  expect((await client.get(Application, 'nginx')).status).toEqual({
    create: { deployment: 'nginx', service: 'nginx' },
  })
  const ownerReferences = [
    { kind: 'Application', name: 'nginx', uid: metadata.uid, controller: true },
  ]
  expect(await client.get(Deployment, 'nginx')).toMatchObject({
    metadata: { ownerReferences },
    spec: {
      replicas: 1,
      template: {
        spec: { containers: [{ image: 'nginx:latest', ports: [{ containerPort: 80 }] }] },
      },
    },
  })
  expect(await client.get(Service, 'nginx')).toMatchObject({
    metadata: { ownerReferences },
    spec: { ports: [{ name: 'http', port: 80, targetPort: 80 }] },
  })
})
