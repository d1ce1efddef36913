/**
 * `npm run bench:apiserver`: the embedded server compared with a real kube-apiserver and etcd, in
 * one run, on one machine. Needs `npm run build` and KUBEBUILDER_ASSETS. Writes
 * docs/measurements/apiserver.md.
 */
import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { Agent } from 'node:https'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { readText, virtualHost } from 'setpoint/host'
import { createCluster } from '@setpoint/cluster'
import { table } from '../table.ts'
import { send, sendMany, watchOnce, type Call } from './load.ts'
import {
  cpuSeconds,
  residentMiB,
  startEmbedded,
  startReal,
  type MeasuredServer,
} from './measured-server.ts'

type Figures = Record<string, number>
const configMaps = '/api/v1/namespaces/default/configmaps'
const widgets = '/apis/bench.example.com/v1/namespaces/default/widgets'

async function perCpuSecond(
  server: MeasuredServer,
  count: number,
  callOf: (index: number) => Call,
): Promise<number> {
  const before = cpuSeconds(server)
  await sendMany(server, count, callOf)
  return count / Math.max(cpuSeconds(server) - before, 0.01)
}

const filler = 'x'.repeat(1000)

async function measure(server: MeasuredServer): Promise<Figures> {
  const figures: Figures = { 'cold start to the first answer (ms)': server.coldStartMs }
  const name = (index: number): string => `c${index}`
  figures['creates per CPU second'] = await perCpuSecond(server, 4000, (index) => ({
    method: 'POST',
    path: configMaps,
    body: { metadata: { name: name(index), labels: { app: 'bench' } }, data: { filler } },
  }))
  figures['gets per CPU second'] = await perCpuSecond(server, 8000, (index) => ({
    method: 'GET',
    path: `${configMaps}/${name(index % 4000)}`,
  }))
  figures['updates per CPU second'] = await perCpuSecond(server, 4000, (index) => ({
    method: 'PUT',
    path: `${configMaps}/${name(index)}`,
    body: { metadata: { name: name(index) }, data: { filler, index: String(index) } },
  }))
  figures['applies per CPU second'] = await perCpuSecond(server, 4000, (index) => ({
    method: 'PATCH',
    path: `${configMaps}/${name(index)}?fieldManager=bench&force=true`,
    type: 'application/apply-patch+yaml',
    body: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: name(index) },
      data: { applied: String(index) },
    },
  }))
  await sendMany(server, 6000, (index) => ({
    method: 'POST',
    path: configMaps,
    body: { metadata: { name: name(4000 + index) }, data: { filler } },
  }))
  figures['list of 10,000 objects (ms)'] = await best(5, async () => {
    await send(server, { method: 'GET', path: `${configMaps}?resourceVersion=0` })
  })
  figures['one write to 100 watchers (ms)'] = await fanOut(server)
  figures['memory with 20,000 custom resources more (MiB)'] = await memory(server)
  return figures
}

async function best(rounds: number, run: () => Promise<void>): Promise<number> {
  let bestMs = Infinity
  for (let round = 0; round < rounds; round += 1) {
    const startMs = performance.now()
    await run()
    bestMs = Math.min(bestMs, performance.now() - startMs)
  }
  return bestMs
}

async function fanOut(server: MeasuredServer): Promise<number> {
  const { agent } = server
  const wide = { url: server.url, agent: new Agent({ ...agent.options, maxSockets: 200 }) }
  const times: number[] = []
  for (let round = 0; round < 5; round += 1) {
    const list = JSON.parse(
      (await send(server, { method: 'GET', path: `${configMaps}?limit=1` })).text,
    ) as {
      metadata: { resourceVersion: string }
    }
    const path = `${configMaps}?watch=1&resourceVersion=${list.metadata.resourceVersion}`
    const watches = await Promise.all(Array.from({ length: 100 }, () => watchOnce(wide, path)))
    const startMs = performance.now()
    await send(server, {
      method: 'POST',
      path: configMaps,
      body: { metadata: { name: `fan-${round}` }, data: { filler } },
    })
    await Promise.all(watches.map(({ event }) => event))
    times.push(performance.now() - startMs)
    for (const { close } of watches) close()
  }
  wide.agent.destroy()
  return Math.min(...times)
}

async function memory(server: MeasuredServer): Promise<number> {
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.bench.example.com' },
    spec: {
      group: 'bench.example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          },
        },
      ],
    },
  }
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  await send(server, { method: 'POST', path, body: definition })
  for (;;) {
    const { code } = await send(server, { method: 'GET', path: widgets })
    if (code === 200) break
  }
  const spec = { text: 'y'.repeat(1400) }
  await sendMany(server, 20_000, (index) => ({
    method: 'POST',
    path: widgets,
    body: {
      apiVersion: 'bench.example.com/v1',
      kind: 'Widget',
      metadata: { name: `w${index}` },
      spec,
    },
  }))
  return residentMiB(server)
}

/** In the process, through the virtual network: the speed of tests. */
async function inProcess(): Promise<{ creates: number; gets: number }> {
  const host = virtualHost({ seed: 1, trace: () => undefined })
  await using cluster = await createCluster({ host })
  const config = JSON.parse(cluster.kubeconfig()) as {
    users: [{ user: { 'client-certificate-data': string } }]
  }
  const cert = Buffer.from(config.users[0].user['client-certificate-data'], 'base64').toString()
  const call = async (method: string, path: string, body?: object): Promise<void> => {
    const response = await host.request({
      method,
      url: cluster.url + path,
      tls: { cert },
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    await readText(response.body, 10_000_000)
  }
  const rate = async (count: number, run: (index: number) => Promise<void>): Promise<number> => {
    const startMs = performance.now()
    for (let index = 0; index < count; index += 1) await run(index)
    return (count / (performance.now() - startMs)) * 1000
  }
  const create = (index: number): Promise<void> =>
    call('POST', configMaps, { metadata: { name: `c${index}` }, data: { filler } })
  await rate(2000, create)
  const creates = await rate(8000, (index) => create(2000 + index))
  const gets = await rate(20_000, (index) => call('GET', `${configMaps}/c${index % 10_000}`))
  host.stop()
  return { creates, gets }
}

async function measureServer(start: () => Promise<MeasuredServer>): Promise<Figures> {
  const server = await start()
  try {
    return await measure(server)
  } finally {
    await server.stop()
  }
}

const embedded = await measureServer(startEmbedded)
const real = await measureServer(startReal)
const inside = await inProcess()
const rows = Object.keys(real).map((what) => {
  const [ours, theirs] = [embedded[what] ?? 0, real[what] ?? 0]
  return [what, ours.toFixed(0), theirs.toFixed(0), (ours / theirs).toFixed(2)]
})
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
const [cpu] = cpus()
const text = `# The embedded API server compared with a real one

Both in one run, one after the other, over HTTPS with 16 connections; the real one is kube-apiserver and etcd
together, etcd without fsync. Machines are noisy: the ratios count.

${table(['what', 'embedded', 'real', 'embedded / real'], rows)}

In the process, through the virtual network, on one core: ${inside.creates.toFixed(0)} creates and ${inside.gets.toFixed(0)} gets per second.

Measured by \`npm run bench:apiserver\` at commit ${commit} on ${cpus().length} cores (${cpu?.model.trim() ?? 'unknown'}), Node ${process.version}.
`
await writeFile(
  fileURLToPath(new URL('../../docs/measurements/apiserver.md', import.meta.url)),
  text,
)
console.log(text)
