import type { ResourceNames } from './names.ts'

/** Files by their paths relative to the project's folder. */
export type ProjectFiles = Readonly<Record<string, string>>

/** A resource with its operator, a test and a sample, as a starting point for the author. */
export function resourceFiles(names: ResourceNames): ProjectFiles {
  const { file, kind } = names
  return {
    [`src/${file}.ts`]: operatorText(names),
    [`src/${file}.test.ts`]: testText(names),
    // The name that `setpoint generate` uses, so that it does not write a second sample.
    [`config/samples/${kind.toLowerCase()}.yaml`]: sampleText(names),
  }
}

function operatorText({ kind, group, version }: ResourceNames): string {
  return `import * as z from 'zod'
import { defineResource, operator } from 'setpoint'
import { Deployment, Service } from 'setpoint/kinds'

/** The custom resource; its CRD, validation and types follow from this definition. */
export const ${kind} = defineResource({
  group: '${group}',
  version: '${version}',
  kind: '${kind}',
  spec: z.object({
    image: z.string().min(1).describe('The container image to run.'),
    replicas: z.int32().min(0).default(1).describe('The number of pods.'),
    port: z.int32().min(1).max(65535).default(80).describe('The port it listens on.'),
  }),
  status: z.object({
    url: z.string().optional().describe('The URL inside of the cluster.'),
  }),
  conditions: ['Ready'],
  columns: {
    Image: '.spec.image',
    Ready: '.status.conditions[?(@.type=="Ready")].status',
    URL: { jsonPath: '.status.url', priority: 1 },
  },
})

/** Maintains a Deployment and a Service for every ${kind}. */
export default operator(${kind})
  .child('deployment', Deployment, ({ metadata: { name: app }, spec }) => ({
    spec: {
      replicas: spec.replicas,
      selector: { matchLabels: { app } },
      template: {
        metadata: { labels: { app } },
        spec: {
          containers: [{ name: app, image: spec.image, ports: [{ containerPort: spec.port }] }],
        },
      },
    },
  }))
  .child('service', Service, ({ metadata: { name: app }, spec }) => ({
    spec: { selector: { app }, ports: [{ port: spec.port }] },
  }))
  .status(({ metadata: { name, namespace }, spec }) => ({
    url: \`http://\${name}.\${namespace}.svc:\${spec.port}\`,
  }))
`
}

function testText({ kind, variable, file }: ResourceNames): string {
  return `import { createCluster } from '@setpoint/cluster'
import { virtualHost } from 'setpoint/host'
import { conditionOf, Deployment } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import ${variable}, { ${kind} } from './${file}.ts'

// An embedded cluster in virtual time: no real waiting, and every run has the same result.
test('runs the desired number of pods and becomes ready', async () => {
  using host = virtualHost({ seed: 1 })
  await using cluster = await createCluster({ host, operators: [${variable}] })
  const { client } = cluster
  await client.create(${kind}, {
    metadata: { name: 'hello' },
    spec: { image: 'nginx:1.29', replicas: 2 },
  })
  await cluster.settle()
  const { status } = await client.get(Deployment, 'hello')
  expect(status?.readyReplicas).toBe(2)
  expect(conditionOf(await client.get(${kind}, 'hello'), 'Ready')?.status).toBe('True')
})

test('reverts manual changes of the Deployment', async () => {
  using host = virtualHost({ seed: 1 })
  await using cluster = await createCluster({ host, operators: [${variable}] })
  const { client } = cluster
  await client.create(${kind}, { metadata: { name: 'hello' }, spec: { image: 'nginx:1.29' } })
  await cluster.settle()
  await client.setScale(Deployment, 'hello', { replicas: 5 })
  await cluster.settle()
  expect((await client.get(Deployment, 'hello')).spec.replicas).toBe(1)
})
`
}

function sampleText({ kind, group, version, file }: ResourceNames): string {
  return `apiVersion: ${group}/${version}
kind: ${kind}
metadata:
  name: ${file}-sample
spec:
  image: nginx:1.29
  replicas: 2
`
}
