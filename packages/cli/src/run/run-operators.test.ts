import { fileURLToPath } from 'node:url'
import { nodeHost } from 'setpoint/host'
import { expect, test } from 'vitest'
import { exitCodes, parseCommand } from '../command/index.ts'
import { runCommand } from '../commands/run-command.ts'
import { RecordingTerminal } from '../system/testdata/recording-terminal.ts'
import { runOperators } from './run-operators.ts'

const folder = fileURLToPath(new URL('../../../../operators/01-application', import.meta.url))

const kubeconfig = JSON.stringify({
  clusters: [{ name: 'c', cluster: { server: 'https://api.example.com' } }],
  contexts: [{ name: 'production', context: { cluster: 'c', user: '' } }],
  'current-context': 'production',
})

async function run(...words: readonly string[]): Promise<undefined> {
  const parsed = parseCommand([runCommand], ['run', 'operator.ts', ...words])
  if (parsed.wants !== 'run') throw new Error(parsed.wants)
  const real = nodeHost()
  const host = {
    ...real,
    readFile: async (path: string) =>
      path === '/production' ? new TextEncoder().encode(kubeconfig) : real.readFile(path),
  }
  const { signal } = new AbortController()
  return runOperators({ host, terminal: new RecordingTerminal(), folder, signal }, parsed.input)
}

test('asks for confirmation before operators run on a remote cluster', async () => {
  await expect(run('--kubeconfig', '/production')).rejects.toMatchObject({
    message: expect.stringContaining('production (https://api.example.com)') as string,
    exitCode: exitCodes.declined,
  })
})

test.each([
  [['--election-namespace', 'a'], '--election-namespace needs --leader-elect'],
  [['--no-probes', '--probes-port', '1'], '--probes-port and --no-probes cannot be used together'],
  [['--probes-port', 'x'], '--probes-port is x, which is not a port'],
])('refuses %j before any other check', async (words, message) => {
  await expect(run(...words)).rejects.toMatchObject({ message, exitCode: exitCodes.usage })
})
