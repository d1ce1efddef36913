import { createCluster } from '@setpoint/cluster'
import { nodeHost, readText } from 'setpoint/host'
import { Node, Pod, Service } from 'setpoint/kinds'
import { platform } from 'node:process'
import { expect, test } from 'vitest'

const host = nodeHost({ log: () => undefined })

const server =
  "require('http').createServer((_, answer) => answer.end('hello')).listen(8080, process.argv[1])"

test('a NodePort of a Service leads to its pods, at the address of every node', async ({
  skip,
}) => {
  skip(platform !== 'linux', 'only Linux has all of 127.0.0.0/8')
  const images = { web: { command: ['node', '-e', server, '$(POD_IP)'] } }
  await using cluster = await createCluster({ host, nodes: { count: 2, process: { images } } })
  const { client } = cluster
  await client.create(Pod, {
    metadata: { name: 'web', labels: { app: 'web' } },
    spec: { containers: [{ name: 'web', image: 'web' }] },
  })
  const { spec } = await client.create(Service, {
    metadata: { name: 'web' },
    spec: { type: 'NodePort', selector: { app: 'web' }, ports: [{ port: 8080 }] },
  })
  const nodes = await client.listAll(Node)
  expect(nodes).toHaveLength(2)
  for (const { status } of nodes) {
    const url = `http://${status?.addresses?.[0]?.address}:${spec.ports?.[0]?.nodePort}/`
    await expect.poll(async () => textAt(url), { timeout: 60_000 }).toBe('hello')
  }
})

/** What a server answers; nothing while the process starts. */
async function textAt(url: string): Promise<string> {
  try {
    return await readText((await host.request({ method: 'GET', url })).body, 1_000)
  } catch {
    return ''
  }
}
