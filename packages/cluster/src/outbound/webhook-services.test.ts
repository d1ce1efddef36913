import { expect, test } from 'vitest'
import {
  ConfigMap,
  Deployment,
  type Manifest,
  Service,
  ValidatingWebhookConfiguration,
} from 'setpoint/kinds'
import { type HttpHandler, readText, virtualHost } from 'setpoint/host'
import { createCluster } from '../cluster/index.ts'

interface Review {
  readonly request: { readonly uid: string; readonly name?: string }
}

/** A webhook that denies objects of this name. */
function denying(name: string): HttpHandler {
  return async ({ body, path }) => {
    const { request } = JSON.parse(await readText(body, 1_000_000)) as Review
    const isAllowed = request.name !== name
    const status = isAllowed
      ? {}
      : { status: { message: `${path.split('?')[0] ?? ''}: no ${name}` } }
    const response = { uid: request.uid, allowed: isAllowed, ...status }
    const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response }
    return { status: 200, body: JSON.stringify(review) }
  }
}

const configuration: Manifest<ValidatingWebhookConfiguration> = {
  metadata: { name: 'names' },
  webhooks: [
    {
      name: 'names.example.com',
      clientConfig: { service: { namespace: 'default', name: 'hook', path: '/check' } },
      rules: [
        { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] },
      ],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      timeoutSeconds: 2,
    },
  ],
}

async function createWorld() {
  const host = virtualHost({ seed: 'webhook services' })
  const cluster = await createCluster({ host })
  return {
    host,
    cluster,
    client: cluster.client,
    create: (name: string) => cluster.client.create(ConfigMap, { metadata: { name } }),
    [Symbol.asyncDispose]: async () => {
      await cluster.dispose()
      host.stop()
    },
  }
}

/** A Deployment of the webhook, and its Service. */
async function deployHook({ client, cluster }: Awaited<ReturnType<typeof createWorld>>) {
  await client.create(Deployment, {
    metadata: { name: 'hook', namespace: 'default' },
    spec: {
      selector: { matchLabels: { app: 'hook' } },
      template: {
        metadata: { labels: { app: 'hook' } },
        spec: {
          containers: [{ name: 'hook', image: 'hook:1', ports: [{ containerPort: 9443 }] }],
        },
      },
    },
  })
  await client.create(Service, {
    metadata: { name: 'hook', namespace: 'default' },
    spec: { selector: { app: 'hook' }, ports: [{ port: 443, targetPort: 9443 }] },
  })
  await cluster.settle()
}

test('a webhook behind a Service is answered by the pods that the Service selects', async () => {
  await using world = await createWorld()
  world.cluster.pods.behave('hook:1', { http: denying('bad') })
  await deployHook(world)
  await world.client.create(ValidatingWebhookConfiguration, configuration)
  await world.create('good')
  await expect(world.create('bad')).rejects.toThrow(
    'admission webhook "names.example.com" denied the request: /check: no bad',
  )
})

test('a Service without a pod that answers refuses the connection', async () => {
  await using world = await createWorld()
  await deployHook(world)
  await world.client.create(ValidatingWebhookConfiguration, configuration)
  await expect(world.create('good')).rejects.toThrow(
    /failed calling webhook "names.example.com": failed to call webhook: Post "https:\/\/hook\.default\.svc:443\/check\?timeout=2s": dial tcp 10\.96\.\d+\.\d+:443: connect: connection refused/,
  )
})

test('a pod that does not answer in time fails the write at the timeout of the webhook', async () => {
  await using world = await createWorld()
  world.cluster.pods.behave('hook:1', { http: () => new Promise(() => undefined) })
  await deployHook(world)
  await world.client.create(ValidatingWebhookConfiguration, configuration)
  const beginMs = world.host.monotonicMs()
  await expect(world.create('good')).rejects.toThrow('context deadline exceeded')
  expect(world.host.monotonicMs() - beginMs).toBeGreaterThanOrEqual(2_000)
})

test('a forwarded Service leads to a server of this process', async () => {
  await using world = await createWorld()
  const server = await world.host.listen({ handle: denying('bad') })
  using _forwarded = world.cluster.forwardService('default/hook', server.url)
  await world.client.create(ValidatingWebhookConfiguration, configuration)
  await world.create('good')
  await expect(world.create('bad')).rejects.toThrow('no bad')
})
