import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createCluster, type ProcessImages } from '@setpoint/cluster'
import { type CrdManifest, start } from 'setpoint'
import { Client, connectionFromKubeconfig } from 'setpoint/client'
import { nodeHost } from 'setpoint/host'
import { CustomResourceDefinition, Deployment, Service } from 'setpoint/kinds'
import { expect, onTestFinished, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { PrometheusRule } from './kinds/prometheus-rule.ts'
import { ServiceMonitor } from './kinds/service-monitor.ts'
import { MonitoringStack } from './monitoring-stack.ts'
import monitoring from './operator.ts'

const host = nodeHost({ log: () => undefined })

const read = (name: string): Promise<string> => readFile(new URL(name, import.meta.url), 'utf8')

/** Retries until `check` does not throw; after a minute it throws the last error. */
async function eventually<T>(check: () => Promise<T>): Promise<T> {
  const untilMs = host.monotonicMs() + 60_000
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (host.monotonicMs() > untilMs) throw error
      await host.sleep(200)
    }
  }
}

/** A server with one metric, as an image of this machine. */
const metricServer = `require('node:http')
  .createServer((_, response) => response.end('shop_orders 7\\n'))
  .listen(8080, process.env.LISTEN)`

async function startCluster(): Promise<Client> {
  const images = {
    ...(parse(await read('images.yaml')) as ProcessImages),
    shop: { command: [process.execPath, '-e', metricServer], env: { LISTEN: '$(POD_IP)' } },
  } as ProcessImages
  const cluster = await createCluster({ host, nodes: { process: { images } } })
  onTestFinished(() => cluster.dispose())
  const connection = await connectionFromKubeconfig(host, cluster.kubeconfig())
  const client = new Client(host, connection)
  for (const crd of parseAllDocuments(await read('crds.yaml'))) {
    await client.create(CustomResourceDefinition, crd.toJS() as CrdManifest)
  }
  const running = await start([monitoring], { host, connection, install: true })
  onTestFinished(() => running.stop())
  return running.client
}

async function createShop(client: Client): Promise<void> {
  const labels = { app: 'shop' }
  const container = { name: 'shop', image: 'shop', ports: [{ name: 'http', containerPort: 8080 }] }
  await client.create(Deployment, {
    metadata: { name: 'shop' },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container] } },
    },
  })
  await client.create(Service, {
    metadata: { name: 'shop', labels },
    spec: { selector: labels, ports: [{ name: 'http', port: 8080 }] },
  })
}

async function createMonitor(client: Client): Promise<void> {
  await client.create(ServiceMonitor, {
    metadata: { name: 'shop' },
    spec: { selector: { matchLabels: { app: 'shop' } }, endpoints: [{ port: 'http', path: '/' }] },
  })
}

async function createRule(client: Client, name: string, expr: string): Promise<void> {
  const rules = [{ alert: name, expr }]
  await client.create(PrometheusRule, {
    metadata: { name: name.toLowerCase() },
    spec: { groups: [{ name, rules }] },
  })
}

async function ask(client: Client, path: string): Promise<unknown> {
  const { spec } = await client.get(Service, 'platform-prometheus')
  const url = `http://${spec.clusterIP ?? ''}:9090/api/v1/${path}`
  // A Prometheus that is starting accepts a connection, and may never answer it.
  const response = await fetch(url, { signal: AbortSignal.timeout(5000) })
  return ((await response.json()) as { data: unknown }).data
}

/** The value of each series of a query. */
async function values(client: Client, query: string): Promise<string[]> {
  const found = await ask(client, `query?query=${encodeURIComponent(query)}`)
  return (found as { result: { value: [number, string] }[] }).result.map(({ value }) => value[1])
}

async function firing(client: Client): Promise<string[]> {
  const { alerts } = (await ask(client, 'alerts')) as {
    alerts: { state: string; labels: { alertname: string } }[]
  }
  return alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname)
}

test('a real Prometheus scrapes new monitors, and an alert fires when replicas are missing', async ({
  skip,
}) => {
  skip(spawnSync('prometheus', ['--version']).error !== undefined, 'prometheus is not installed')
  const client = await startCluster()
  await client.create(MonitoringStack, {
    metadata: { name: 'platform' },
    spec: { version: '2.42.0', scrapeInterval: '1s' },
  })
  await createShop(client)
  await eventually(async () => expect(await values(client, 'vector(1)')).toEqual(['1']))

  // The configuration is reloaded; a rule that is not valid does not stop that.
  await createRule(client, 'Broken', 'this is not PromQL')
  await createRule(client, 'ShopDegraded', 'count(up{job="shop"} == 1) < 2')
  await createMonitor(client)
  await eventually(async () => expect(await values(client, 'shop_orders')).toEqual(['7', '7']))
  // The alert may have fired while only one replica was up.
  await eventually(async () => expect(await firing(client)).toEqual([]))

  await client.patch(Deployment, 'shop', { merge: { spec: { replicas: 1 } } })
  await eventually(async () => expect(await firing(client)).toEqual(['ShopDegraded']))
  await client.patch(Deployment, 'shop', { merge: { spec: { replicas: 2 } } })
  await eventually(async () => expect(await firing(client)).toEqual([]))
})
