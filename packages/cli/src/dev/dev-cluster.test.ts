import { virtualHost, type Host } from 'setpoint/host'
import { expect, test } from 'vitest'
import { DevCluster } from './dev-cluster.ts'

test('reports a save that fails, once, and saves when it is possible again', async () => {
  const virtual = virtualHost({ seed: 'saves' })
  let isFull = true
  const host: Host = {
    ...virtual,
    writeFile: async (path, content, options) => {
      if (isFull && path.endsWith('cluster.json')) throw new Error('no space left on device')
      await virtual.writeFile(path, content, options)
    },
  }
  const reports: string[] = []
  const options = { folder: '/project', isPersistent: true, port: undefined, nodes: 'off' } as const
  const dev = await DevCluster.start(host, { ...options, report: (line) => reports.push(line) })
  await virtual.sleep(10_000)
  expect(reports).toEqual([
    'the state of the cluster is not saved: no space left on device. Changes since the last save are lost if this process ends now. It is tried again every 2 s',
  ])
  isFull = false
  await virtual.sleep(3_000)
  expect(reports).toHaveLength(1)
  const path = '/project/.setpoint/cluster.json'
  expect(await virtual.fileInfo(path)).toBeDefined()
  const saved = new TextDecoder().decode(await virtual.readFile(path))
  expect(JSON.parse(saved)).toMatchObject({ tokenKey: dev.cluster.snapshot().tokenKey })
  await dev[Symbol.asyncDispose]()
  virtual.stop()
})
