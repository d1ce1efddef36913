// A real control plane (etcd and kube-apiserver, optionally controllers and a scheduler) for
// comparisons, from existing binaries: KUBEBUILDER_ASSETS names their folder, as for envtest. All
// files are in one folder, and all addresses are loopback.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A running control plane. */
interface ControlPlane {
  readonly kubeconfig: string
  readonly etcdUrl: string
  readonly pids: readonly number[]
  /** The time from the start of the processes until they were ready. */
  readonly startMs: number
  readonly stop: () => Promise<void>
}

/** The optional parts of a control plane; envtest has neither. */
interface ControlPlaneParts {
  readonly controllers?: boolean
  readonly scheduler?: boolean
}

/** Starts a control plane in `folder`, and writes a kubeconfig with credential files there. */
export async function startControlPlane(
  folder: string,
  parts: ControlPlaneParts = {},
): Promise<ControlPlane> {
  const assets = assetsWith(programsOf(parts))
  const pki = join(folder, 'pki')
  mkdirSync(pki, { recursive: true })
  makeCredentials(pki)
  const [client, peer, api] = await Promise.all([freePort(), freePort(), freePort()])
  const beginMs = performance.now()
  const etcdUrl = `http://127.0.0.1:${client}`
  const processes = [
    start(
      join(assets, 'etcd'),
      etcdArguments(join(folder, 'etcd'), etcdUrl, `http://127.0.0.1:${peer}`),
    ),
    start(join(assets, 'kube-apiserver'), apiArguments(pki, etcdUrl, api)),
  ]
  const kubeconfig = join(folder, 'kubeconfig')
  writeFileSync(kubeconfig, kubeconfigText(pki, api), { mode: 0o600 })
  // The API server first: without etcd it would wait instead of ending.
  const stop = async (): Promise<void> => {
    for (const child of processes.toReversed()) await stopProcess(child)
  }
  try {
    await waitUntilReady(pki, api)
    if (parts.controllers === true) {
      const port = await freePort()
      const args = controllerArguments(pki, kubeconfig, port)
      processes.push(start(join(assets, 'kube-controller-manager'), args))
    }
    if (parts.scheduler === true) {
      const args = clientArguments(kubeconfig, await freePort())
      processes.push(start(join(assets, 'kube-scheduler'), args))
    }
  } catch (error) {
    await stop()
    throw error
  }
  const pids = processes.map(({ pid }) => pid ?? 0)
  return { kubeconfig, etcdUrl, pids, startMs: performance.now() - beginMs, stop }
}

function programsOf({ controllers, scheduler }: ControlPlaneParts): string[] {
  return [
    'etcd',
    'kube-apiserver',
    ...(controllers === true ? ['kube-controller-manager'] : []),
    ...(scheduler === true ? ['kube-scheduler'] : []),
  ]
}

function assetsWith(programs: readonly string[]): string {
  const assets = process.env['KUBEBUILDER_ASSETS']
  if (assets === undefined || !programs.every((name) => existsSync(join(assets, name)))) {
    const expected = `a folder with ${programs.join(', ')}`
    throw new Error(`KUBEBUILDER_ASSETS must name ${expected}, as for envtest`)
  }
  return assets
}

function makeCredentials(pki: string): void {
  const openssl = (...args: string[]): void => {
    execFileSync('openssl', args, { cwd: pki, stdio: 'ignore' })
  }
  const authority = (name: string): void => {
    const files = ['-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.crt`]
    // Longer than every issued certificate: none is valid longer than its authority.
    openssl('req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '3650', ...files)
  }
  const issue = (name: string, { by = 'ca', ...certificate }: Certificate): void => {
    writeFileSync(join(pki, `${name}.ext`), certificate.extensions)
    const { subject } = certificate
    const request = ['-subj', subject, '-keyout', `${name}.key`, '-out', `${name}.csr`]
    openssl('req', '-newkey', 'rsa:2048', '-nodes', ...request)
    const signing = ['-CA', `${by}.crt`, '-CAkey', `${by}.key`, '-CAcreateserial', '-days', '30']
    const files = ['-in', `${name}.csr`, '-extfile', `${name}.ext`, '-out', `${name}.crt`]
    openssl('x509', '-req', ...files, ...signing)
  }
  authority('ca')
  authority('front-proxy-ca')
  issue('server', {
    subject: '/CN=kube-apiserver',
    extensions: 'subjectAltName=IP:127.0.0.1\nextendedKeyUsage=serverAuth\n',
  })
  const extensions = 'extendedKeyUsage=clientAuth\n'
  issue('admin', { subject: '/O=system:masters/CN=admin', extensions })
  issue(frontProxy, { subject: `/CN=${frontProxy}`, extensions, by: 'front-proxy-ca' })
  openssl('genrsa', '-out', 'sa.key', '2048')
  openssl('rsa', '-in', 'sa.key', '-pubout', '-out', 'sa.pub')
  writeFileSync(join(pki, 'tokens.csv'), 'viewer-token,viewer,viewer-uid\n')
}

/** The API server as a client of aggregated APIs. */
const frontProxy = 'front-proxy-client'

interface Certificate {
  readonly subject: string
  readonly extensions: string
  readonly by?: string
}

function etcdArguments(folder: string, clientUrl: string, peerUrl: string): string[] {
  return [
    `--data-dir=${folder}`,
    `--listen-client-urls=${clientUrl}`,
    `--advertise-client-urls=${clientUrl}`,
    `--listen-peer-urls=${peerUrl}`,
    `--initial-advertise-peer-urls=${peerUrl}`,
    `--initial-cluster=default=${peerUrl}`,
    '--unsafe-no-fsync',
    '--log-level=error',
  ]
}

function apiArguments(pki: string, etcdUrl: string, port: number): string[] {
  const file = (name: string): string => join(pki, name)
  return [
    `--etcd-servers=${etcdUrl}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${String(port)}`,
    '--advertise-address=127.0.0.1',
    `--tls-cert-file=${file('server.crt')}`,
    `--tls-private-key-file=${file('server.key')}`,
    `--client-ca-file=${file('ca.crt')}`,
    `--token-auth-file=${file('tokens.csv')}`,
    `--service-account-key-file=${file('sa.pub')}`,
    `--service-account-signing-key-file=${file('sa.key')}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    '--service-cluster-ip-range=10.96.0.0/16',
    '--authorization-mode=RBAC',
    '--allow-privileged=true',
    '--endpoint-reconciler-type=none',
    `--requestheader-client-ca-file=${file('front-proxy-ca.crt')}`,
    `--requestheader-allowed-names=${frontProxy}`,
    '--requestheader-username-headers=X-Remote-User',
    '--requestheader-group-headers=X-Remote-Group',
    '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    `--proxy-client-cert-file=${file(`${frontProxy}.crt`)}`,
    `--proxy-client-key-file=${file(`${frontProxy}.key`)}`,
  ]
}

/** The flags of all clients among the components. */
function clientArguments(kubeconfig: string, port: number): string[] {
  return [
    `--kubeconfig=${kubeconfig}`,
    `--authentication-kubeconfig=${kubeconfig}`,
    `--authorization-kubeconfig=${kubeconfig}`,
    '--leader-elect=false',
    '--bind-address=127.0.0.1',
    `--secure-port=${String(port)}`,
  ]
}

/** The defaults, except for the rate limit: many scenarios share the controllers. */
function controllerArguments(pki: string, kubeconfig: string, port: number): string[] {
  const file = (name: string): string => join(pki, name)
  return [
    ...clientArguments(kubeconfig, port),
    `--service-account-private-key-file=${file('sa.key')}`,
    `--root-ca-file=${file('ca.crt')}`,
    `--cluster-signing-cert-file=${file('ca.crt')}`,
    `--cluster-signing-key-file=${file('ca.key')}`,
    '--kube-api-qps=1000',
    '--kube-api-burst=1000',
  ]
}

function kubeconfigText(pki: string, port: number): string {
  return `apiVersion: v1
kind: Config
clusters: [{name: real, cluster: {server: "https://127.0.0.1:${port}", certificate-authority: "${pki}/ca.crt"}}]
users: [{name: admin, user: {client-certificate: "${pki}/admin.crt", client-key: "${pki}/admin.key"}}]
contexts: [{name: real, context: {cluster: real, user: admin}}]
current-context: real
`
}

function start(command: string, args: string[]): ChildProcess {
  return spawn(command, args, { stdio: 'ignore' })
}

/** How long a process may take to end before it is killed. */
const graceMs = 5_000

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), graceMs)
  await exit
  clearTimeout(timer)
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise<void>((resolve) => server.close(() => resolve()))
  if (address === null || typeof address === 'string') throw new Error('the listener has no port')
  return address.port
}

async function waitUntilReady(pki: string, port: number): Promise<void> {
  const file = (name: string): string => join(pki, name)
  const args = ['--silent', '--fail', '--cacert', file('ca.crt'), '--cert', file('admin.crt')]
  for (let attempt = 0; attempt < 150; attempt += 1) {
    try {
      execFileSync('curl', [
        ...args,
        '--key',
        file('admin.key'),
        `https://127.0.0.1:${port}/readyz`,
      ])
      return
    } catch {
      await sleep(200)
    }
  }
  throw new Error('the control plane did not become ready in time')
}
