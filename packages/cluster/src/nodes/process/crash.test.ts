import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { nodeHost } from 'setpoint/host'
import { expect, onTestFinished, test } from 'vitest'

/** A cluster whose only pod runs two processes, one of them in its own session. */
const program = `
  const { createCluster } = await import('@setpoint/cluster')
  const { Client, connectionFromKubeconfig } = await import('setpoint/client')
  const { nodeHost } = await import('setpoint/host')
  const { Pod } = await import('setpoint/kinds')
  const host = nodeHost()
  const images = { shell: { command: ['sh', '-c'] } }
  const cluster = await createCluster({ host, nodes: { process: { images } } })
  const client = new Client(host, await connectionFromKubeconfig(host, cluster.kubeconfig()))
  const args = ['setsid sleep 300 & echo $$$$ $! $HOME; sleep 300 & wait']
  const containers = [{ name: 'app', image: 'shell', args }]
  await cluster.settle()
  await client.create(Pod, { metadata: { name: 'web' }, spec: { containers } })
  for (;;) {
    await host.sleep(50)
    if (Pod.isReady(await client.get(Pod, 'web'))) break
  }
  for await (const line of client.logs('web', { follow: true })) host.log(line)
`

const host = nodeHost({ log: () => undefined })

function isAlive(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

test("leaves no process and no directory after the cluster's process is killed", async ({
  skip,
}) => {
  skip(!existsSync('/proc/self/environ'), 'this system has no /proc')
  const conditions = ['--conditions=@setpoint/source', '--import', 'tsx']
  const cluster = await host.startCommand(process.execPath, {
    args: [...conditions, '--input-type=module', '-e', program],
    env: { PATH: process.env['PATH'] ?? '' },
  })
  onTestFinished(() => cluster.kill('SIGKILL'))
  let output = ''
  for await (const chunk of cluster.stdout) {
    output += new TextDecoder().decode(chunk)
    if (output.includes('\n')) break
  }
  const [shell = '', escaped = '', home = ''] = output.trim().split(' ')
  const pids = [Number(shell), Number(escaped)]
  expect(pids.map(isAlive)).toEqual([true, true])
  expect(readdirSync(home)).toEqual(['kubeconfig'])
  process.kill(cluster.pid, 'SIGKILL')
  const root = home.replace(/\/d[^/]*\/pods\/.*/, '')
  for (let poll = 0; poll < 500; poll += 1) {
    if (!pids.some(isAlive) && !existsSync(root)) break
    await host.sleep(20)
  }
  expect(pids.map(isAlive)).toEqual([false, false])
  expect(existsSync(root)).toBe(false)
})
