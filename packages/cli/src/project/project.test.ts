import { virtualHost } from 'setpoint/host'
import { expect, test } from 'vitest'
import { RecordingTerminal } from '../system/testdata/recording-terminal.ts'
import { findProject } from './project.ts'

async function settingsOf(setpoint: unknown): Promise<unknown> {
  const host = virtualHost({ seed: 1, files: { '/p/package.json': JSON.stringify({ setpoint }) } })
  const { signal } = new AbortController()
  const context = { host, terminal: new RecordingTerminal(), folder: '/p', signal }
  return (await findProject(context)).settings
}

test('reads the settings for pods and for the simulator', async () => {
  const settings = {
    env: { URL: 'http://a', TOKEN: { secretKeyRef: { name: 'a', key: 'b' } } },
    resources: { requests: { cpu: '1' }, limits: { cpu: null } },
    pod: { tolerations: [{ key: 'a', operator: 'Exists' }] },
    sim: { recreated: ['apps/deployments'], inert: ['spec.note'] },
  }
  expect(await settingsOf(settings)).toEqual(settings)
})

test.each([
  [{ env: { LEADER_ELECTION: 'false' } }, 'env is {"LEADER_ELECTION":"false"}'],
  [{ env: { PORT: 80 } }, 'env is {"PORT":80}'],
  [{ env: { 'NOT A NAME': 'x' } }, 'env is {"NOT A NAME":"x"}'],
  [{ env: { TOKEN: { secret: {} } } }, 'env is {"TOKEN":{"secret":{}}}'],
  [{ resources: { limit: {} } }, 'resources is {"limit":{}}'],
  [{ resources: { limits: { memory: 1 } } }, 'resources is {"limits":{"memory":1}}'],
  [{ pod: { containers: [] } }, 'pod is {"containers":[]}'],
  [{ sim: { inert: 'spec' } }, 'sim is {"inert":"spec"}'],
  [{ sim: { ignored: [] } }, 'sim is {"ignored":[]}'],
  [{ envs: {} }, 'envs is not a setting'],
])('refuses the settings %j', async (settings, message) => {
  await expect(settingsOf(settings)).rejects.toThrow(message)
})
