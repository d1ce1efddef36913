// Starts the embedded cluster as a separate process:
//
//     npm run cluster -- --kubeconfig FILE [--port N] [--user NAME]... [--nodes N|off] [--workloads off] [--data DIR]
//         [--audit-log FILE [--audit-policy FILE]]
//
// Keeps its state in DIR if given. Appends audit events to the file of --audit-log: those of the policy (YAML), by default the
// metadata of all requests. Writes a kubeconfig (context `admin`, and one per --user), prints `ready URL` on one line when it
// accepts requests, and ends cleanly on SIGTERM or SIGINT.
import {
  createCluster,
  type AuditOptions,
  type AuditPolicy,
  type ClusterUser,
} from '@setpoint/cluster'
import { parseYaml } from '@setpoint/cluster/yaml'
import { nodeHost, type Host } from 'setpoint/host'
import { parseArgs } from 'node:util'

const usage =
  'usage: npm run cluster -- --kubeconfig FILE [--port N] [--user NAME]... [--nodes N|off] [--workloads off] [--data DIR] [--audit-log FILE [--audit-policy FILE]]'

interface Arguments {
  readonly kubeconfig: string
  readonly port: number
  readonly users: readonly ClusterUser[]
  readonly isServerAlone: boolean
  readonly nodes: number | 'off'
  readonly data: string | undefined
  readonly auditLog: string | undefined
  readonly auditPolicy: string | undefined
}

function readArguments(): Arguments {
  const { values } = parseArgs({
    options: {
      kubeconfig: { type: 'string' },
      port: { type: 'string', default: '0' },
      user: { type: 'string', multiple: true, default: [] },
      nodes: { type: 'string', default: '3' },
      workloads: { type: 'string' },
      data: { type: 'string' },
      'audit-log': { type: 'string' },
      'audit-policy': { type: 'string' },
    },
  })
  const port = Number(values.port)
  if (values.kubeconfig === undefined) throw new Error('--kubeconfig FILE is required')
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Error(`--port takes a number from 0 to 65535, not ${values.port}`)
  }
  if (values.workloads !== undefined && values.workloads !== 'off') {
    throw new Error(
      `--workloads takes "off", not ${values.workloads}: by default the controllers run`,
    )
  }
  const nodes = values.nodes === 'off' ? 'off' : Number(values.nodes)
  if (nodes !== 'off' && (!Number.isInteger(nodes) || nodes < 0)) {
    throw new Error(`--nodes takes a number or "off", not ${values.nodes}`)
  }
  return {
    nodes,
    kubeconfig: values.kubeconfig,
    port,
    users: values.user.map((name) => ({ name })),
    isServerAlone: values.workloads === 'off',
    data: values.data,
    auditLog: values['audit-log'],
    auditPolicy: values['audit-policy'],
  }
}

async function auditOptions(
  { readFile }: Pick<Host, 'readFile'>,
  { auditLog: log, auditPolicy: file }: Arguments,
): Promise<AuditOptions | undefined> {
  if (log === undefined && file !== undefined) throw new Error('--audit-policy needs --audit-log')
  if (log === undefined || file === undefined) return log === undefined ? undefined : { log }
  const text = new TextDecoder().decode(await readFile(file))
  return { log, policy: parseYaml(text).value as unknown as AuditPolicy }
}

async function run({ kubeconfig, data, ...options }: Arguments): Promise<void> {
  const host = nodeHost()
  const audit = await auditOptions(host, { kubeconfig, data, ...options })
  const cluster = await createCluster({
    host,
    port: options.port,
    users: options.users,
    nodes: options.nodes,
    ...(options.isServerAlone ? { workloads: 'off' } : {}),
    ...(data === undefined ? {} : { data }),
    ...(audit && { audit }),
  })
  await host.writeFile(kubeconfig, cluster.kubeconfig(), { mode: 0o600 })
  const stop = (): void => {
    void cluster.dispose().then(() => process.exit(0))
  }
  host.onSignal('SIGTERM', stop)
  host.onSignal('SIGINT', stop)
  console.log(`ready ${cluster.url}`)
}

try {
  await run(readArguments())
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  console.error(usage)
  process.exitCode = 2
}
