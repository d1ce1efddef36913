import { type HttpHandler, readText, virtualHost } from 'setpoint/host'
import { ConfigMap, ValidatingWebhookConfiguration } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import { serverOne } from '../../../../setpoint/src/host/testdata/certificates.ts'
import { createCluster } from '../../cluster/index.ts'

/** A webhook that denies configmaps of this name, after two seconds. */
function denying(name: string, wait: () => Promise<void>): HttpHandler {
  return async ({ body }) => {
    const { request } = JSON.parse(await readText(body, 1_000_000)) as {
      request: { uid: string; name: string }
    }
    await wait()
    const allowed = request.name !== name
    const response = { uid: request.uid, allowed, ...(allowed ? {} : { status: { code: 418 } }) }
    const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response }
    return { status: 200, body: JSON.stringify(review) }
  }
}

async function createWorld() {
  const host = virtualHost({ seed: 'admission metrics' })
  const lines: string[] = []
  const log = (line: string): void => void lines.push(line)
  const server = await host.listen({
    tls: serverOne,
    handle: denying('bad', () => host.sleep(2000)),
  })
  const options = { host, workloads: 'off', auth: 'off', tls: 'off', audit: { log } } as const
  const cluster = await createCluster(options)
  const webhook = (name: string, url: string, failurePolicy: 'Fail' | 'Ignore') => ({
    name: `${name}.example.com`,
    clientConfig: { url },
    failurePolicy,
    rules: [
      {
        operations: ['CREATE' as const],
        apiGroups: [''],
        apiVersions: ['v1'],
        resources: ['configmaps'],
      },
    ],
    sideEffects: 'None' as const,
    admissionReviewVersions: ['v1'],
  })
  await cluster.client.create(ValidatingWebhookConfiguration, {
    metadata: { name: 'hooks' },
    webhooks: [
      webhook('slow', `${server.url}/check`, 'Fail'),
      webhook('missing', 'https://127.0.0.1:1/check', 'Ignore'),
    ],
  })
  return {
    lines,
    create: (name: string) => cluster.client.create(ConfigMap, { metadata: { name } }),
    metrics: async () => {
      const { body } = await host.request({ method: 'GET', url: `${cluster.url}/metrics` })
      return readText(body, 10_000_000)
    },
    [Symbol.asyncDispose]: async () => {
      await cluster.dispose()
      host.stop()
    },
  }
}

test('webhooks, rejections and ignored failures are counted as on a real server', async () => {
  await using world = await createWorld()
  await world.create('good')
  await expect(world.create('bad')).rejects.toThrow('denied the request')
  const text = await world.metrics()
  for (const line of [
    'apiserver_admission_webhook_request_total{code="200",name="slow.example.com",operation="CREATE",rejected="false",type="validating"} 1',
    'apiserver_admission_webhook_request_total{code="418",name="slow.example.com",operation="CREATE",rejected="true",type="validating"} 1',
    'apiserver_admission_webhook_request_total{code="503",name="missing.example.com",operation="CREATE",rejected="false",type="validating"} 2',
    'apiserver_admission_webhook_rejection_count{error_type="no_error",name="slow.example.com",operation="CREATE",rejection_code="418",type="validating"} 1',
    'apiserver_admission_webhook_fail_open_count{name="missing.example.com",type="validating"} 2',
    'apiserver_admission_webhook_admission_duration_seconds_bucket{name="slow.example.com",operation="CREATE",rejected="false",type="validating",le="1"} 0',
    'apiserver_admission_webhook_admission_duration_seconds_bucket{name="slow.example.com",operation="CREATE",rejected="false",type="validating",le="2.5"} 1',
    'apiserver_admission_step_admission_duration_seconds_count{operation="CREATE",rejected="true",type="validate"} 1',
    'etcd_request_duration_seconds_count{group="",operation="create",resource="configmaps"} 1',
    'apiserver_watch_cache_events_received_total{group="",resource="configmaps"} 1',
  ]) {
    expect(text).toContain(`\n${line}\n`)
  }
})

test('the audit event of a slow request has its latencies', async () => {
  await using world = await createWorld()
  await world.create('good')
  const events = world.lines.map(
    (line) => JSON.parse(line) as { stage: string; annotations?: Record<string, string> },
  )
  const slow = events.find(
    ({ annotations = {} }) => 'apiserver.latency.k8s.io/total' in annotations,
  )
  expect(slow?.stage).toBe('ResponseComplete')
  const { annotations = {} } = slow ?? {}
  expect(annotations['apiserver.latency.k8s.io/total']).toMatch(/^2(\.\d+)?s$/)
  expect(annotations['apiserver.latency.k8s.io/validating-webhook']).toMatch(/^2(\.\d+)?s$/)
})
