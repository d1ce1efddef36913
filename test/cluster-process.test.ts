import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isSetpointError } from 'setpoint'
import { Client, connectionFromKubeconfig } from 'setpoint/client'
import { nodeHost } from 'setpoint/host'
import { ConfigMap } from 'setpoint/kinds'
import { afterAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'setpoint-cluster-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function start(...args: string[]): ReturnType<typeof spawn> {
  return spawn(process.execPath, ['scripts/start-cluster.mjs', ...args], {
    cwd: root,
    stdio: 'pipe',
  })
}

test('the cluster process prints when it is ready, and stops on SIGTERM', async () => {
  const kubeconfig = join(folder, 'kubeconfig')
  const child = start('--kubeconfig', kubeconfig, '--user', 'jane', '--workloads', 'off')
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
  expect(line.toString()).toMatch(/^ready https:\/\/127\.0\.0\.1:\d+\n$/)
  expect(statSync(kubeconfig).mode & 0o777).toBe(0o600)
  const config = JSON.parse(readFileSync(kubeconfig, 'utf8')) as {
    'current-context': string
    contexts: { name: string }[]
    clusters: { cluster: { server: string } }[]
  }
  expect(config['current-context']).toBe('admin')
  expect(config.contexts.map(({ name }) => name)).toEqual(['admin', 'jane'])
  expect(`ready ${config.clusters[0]?.cluster.server ?? ''}\n`).toBe(line.toString())
  child.kill('SIGTERM')
  const [code] = (await once(child, 'exit')) as [number]
  expect(code).toBe(0)
})

test('the cluster stops when the npm that started it is stopped', async () => {
  const args = ['run', '--silent', 'cluster', '--', '--kubeconfig', join(folder, 'by-npm')]
  const npm = spawn('npm', args, { cwd: root, stdio: 'pipe' })
  const output = npm.stdout as NodeJS.ReadableStream
  await once(output, 'data')
  npm.kill('SIGTERM')
  // Both processes share the output: it closes when both have ended.
  output.resume()
  await once(output, 'close')
})

test('reports a wrong argument in one line, with the usage', async () => {
  const child = start('--port', 'x')
  let text = ''
  child.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const [code] = (await once(child, 'exit')) as [number]
  expect(code).toBe(2)
  expect(text).toContain('--kubeconfig FILE is required\nusage: npm run cluster')
})

/** The ready cluster process with this directory, and a client for it. */
async function startWithData(data: string, kubeconfig: string) {
  const child = start('--kubeconfig', kubeconfig, '--workloads', 'off', '--data', data)
  const output = child.stdout as NodeJS.ReadableStream
  const errors: string[] = []
  child.stderr?.on('data', (chunk: Buffer) => errors.push(chunk.toString()))
  await Promise.race([once(output, 'data'), once(child, 'exit')])
  if (child.exitCode !== null) throw new Error(errors.join(''))
  const host = nodeHost()
  const connection = await connectionFromKubeconfig(host, readFileSync(kubeconfig, 'utf8'))
  return { child, client: new Client(host, connection) }
}

test('a killed cluster has everything that it answered when it starts again', async () => {
  const data = join(folder, 'data')
  const kubeconfig = join(folder, 'with-data')
  const answered: string[] = []
  for (let round = 0; round < 3; round += 1) {
    const { child, client } = await startWithData(data, kubeconfig)
    const names = (await client.listAll(ConfigMap)).map(({ metadata }) => metadata.name)
    expect(names).toEqual(expect.arrayContaining(answered))
    const killAt = answered.length + 20 + round * 7
    const ended = once(child, 'exit')
    // Several writers, so that writes are in progress when the process is killed.
    await Promise.all(
      Array.from({ length: 4 }, async (_, writer) => {
        for (let index = 0; ; index += 1) {
          const name = `c-${round}-${writer}-${index}`
          try {
            await client.create(ConfigMap, { metadata: { name }, data: { k: 'v'.repeat(1000) } })
          } catch (error) {
            if (!isSetpointError(error)) throw error
            return
          }
          answered.push(name)
          if (answered.length === killAt) child.kill('SIGKILL')
        }
      }),
    )
    await ended
  }
  const { child, client } = await startWithData(data, kubeconfig)
  const names = (await client.listAll(ConfigMap)).map(({ metadata }) => metadata.name)
  expect(names).toEqual(expect.arrayContaining(answered))
  await expect(startWithData(data, join(folder, 'second'))).rejects.toThrow('another process uses')
  child.kill('SIGTERM')
  await once(child, 'exit')
})
