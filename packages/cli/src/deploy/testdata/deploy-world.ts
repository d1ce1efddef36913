/** A cluster in virtual time, and commands that run on it. */
import { fileURLToPath } from 'node:url'
import { isSetpointError } from 'setpoint'
import { createCluster } from '@setpoint/cluster'
import { Client, connectionFromKubeconfig, type Connection } from 'setpoint/client'
import { virtualHost } from 'setpoint/host'
import { type CommandDeclaration, CommandError, parseCommand } from '../../command/index.ts'
import type { Project } from '../../project/index.ts'
import { importModule } from '../../system/index.ts'
import { RecordingTerminal } from '../../system/testdata/recording-terminal.ts'

/** Longer than any test. */
const longSeconds = 4_000_000_000

const modules = [
  'operators.mjs',
  'next-operators.mjs',
  'renamed-operators.mjs',
  'converted-operators.mjs',
  'map-rules.mjs',
  'fewer-map-rules.mjs',
  'wrong-map-rules.mjs',
]

const folder = fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '')

/** The result of a command. */
interface Called {
  readonly exitCode: number
  readonly lines: readonly string[]
  readonly notes: readonly string[]
  /** The message of its error. */
  readonly error: string
  readonly hint: string
}

/** Options of a test world. */
interface WorldOptions {
  readonly settings?: Project['settings']
  /** `'off'`: only an API server. */
  readonly workloads?: 'off'
  /** The host of the API server; default: this machine. */
  readonly hostname?: string
}

/** A test world whose project has the operators of `testdata/operators.mjs`. */
export async function deployWorld({ settings = {}, ...options }: WorldOptions = {}) {
  // Loaded first: virtual time runs on while a module loads in real time.
  await Promise.all([import('../index.ts'), import('@setpoint/cluster/schemas')])
  for (const name of modules) await importModule(`${folder}/${name}`)
  const manifest = (of: Project['settings']): string =>
    JSON.stringify({ name: 'shop', version: '1.2.3', setpoint: of })
  const host = virtualHost({
    seed: 11,
    env: { KUBECONFIG: '/kubeconfig' },
    files: {
      [`${folder}/package.json`]: manifest(settings),
      ...Object.fromEntries(modules.map((name) => [`${folder}/${name}`, ''])),
    },
  })
  const cluster = await createCluster({ host, ...options })
  await host.writeFile('/kubeconfig', cluster.kubeconfig())
  const connection = await connectionFromKubeconfig(host, cluster.kubeconfig())
  const client = new Client(host, connection)
  const call = async (command: CommandDeclaration, ...words: string[]): Promise<Called> => {
    const terminal = new RecordingTerminal()
    const line = parseCommand([command], [command.name, ...words])
    if (line.wants !== 'run') throw new Error('not a command to run')
    const run = await command.load()
    const { signal } = new AbortController()
    const { lines, notes } = terminal
    try {
      const exitCode = (await run({ host, terminal, folder, signal }, line.input)) ?? 0
      return { exitCode, lines, notes, error: '', hint: '' }
    } catch (error) {
      const isExpected = error instanceof CommandError || isSetpointError(error)
      if (!isExpected) throw error
      const { message, hint = '' } = error
      const exitCode = error instanceof CommandError ? error.exitCode : 1
      return { exitCode, lines, notes, error: message, hint }
    }
  }
  return {
    host,
    cluster,
    client,
    connection,
    folder,
    call,
    /** Changes the settings in package.json. */
    set: (changed: Project['settings']) =>
      host.writeFile(`${folder}/package.json`, manifest(changed)),
    [Symbol.asyncDispose]: async () => {
      await cluster.dispose()
      host.stop()
    },
  }
}

/** A connection with the token of a service account: exactly its permissions. */
export async function connectionOf(
  world: { readonly client: Client; readonly connection: Connection },
  account: { readonly name: string; readonly namespace: string },
): Promise<Connection> {
  const { name, namespace } = account
  const answer = await world.client.transport.text({
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds: longSeconds },
    }),
    what: `token of ${name}`,
  })
  const { status } = JSON.parse(answer) as { readonly status: { readonly token: string } }
  const { tls } = await world.connection.credentials.current()
  const credential = {
    headers: { authorization: `Bearer ${status.token}` },
    tls: tls.ca === undefined ? {} : { ca: tls.ca },
  }
  return {
    ...world.connection,
    namespace,
    credentials: { current: async () => credential, refused: () => undefined },
  }
}
