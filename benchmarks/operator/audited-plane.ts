import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startControlPlane } from '../../scripts/control-plane.ts'
import { send } from '../apiserver/load.ts'
import { AuditLog } from './audit-log.ts'

/** A fresh control plane that logs every request of the measured program, and no others. */
export interface AuditedPlane extends AsyncDisposable {
  readonly url: string
  /** The harness's connections; the program has its own user. */
  readonly agent: Agent
  readonly programKubeconfig: string
  readonly audit: AuditLog
  readonly etcdPid: number
  readonly apiServerPid: number
  readonly version: string
}

const programUser = 'measured-program'

const auditPolicy = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  rules: [{ level: 'Metadata', users: [programUser] }, { level: 'None' }],
}

/**
 * Starts etcd and kube-apiserver from KUBEBUILDER_ASSETS in a folder that is removed on disposal.
 */
export async function startAuditedPlane(): Promise<AuditedPlane> {
  const folder = mkdtempSync(join(tmpdir(), 'setpoint-bench-'))
  const auditPath = join(folder, 'audit.log')
  writeFileSync(auditPath, '')
  const plane = await startWithAudit(folder, auditPath)
  // The control plane is killed when the harness fails.
  const kill = (): void => plane.pids.forEach((pid) => process.kill(pid, 'SIGKILL'))
  process.once('exit', kill)
  const file = (name: string): string => join(folder, 'pki', name)
  const url = /server: "([^"]+)"/.exec(readFileSync(plane.kubeconfig, 'utf8'))?.[1] ?? ''
  const agent = new Agent({
    keepAlive: true,
    ca: readFileSync(file('ca.crt')),
    cert: readFileSync(file('admin.crt')),
    key: readFileSync(file('admin.key')),
  })
  const { text } = await send({ url, agent }, { method: 'GET', path: '/version' })
  const audit = new AuditLog(auditPath)
  const [etcdPid = 0, apiServerPid = 0] = plane.pids
  return {
    url,
    agent,
    programKubeconfig: issueProgram(folder, url),
    audit,
    etcdPid,
    apiServerPid,
    version: (JSON.parse(text) as { gitVersion: string }).gitVersion,
    [Symbol.asyncDispose]: async () => {
      agent.destroy()
      await plane.stop()
      process.off('exit', kill)
      audit[Symbol.dispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * The same binaries, the API server with two more flags: a wrapper script in a folder of its own,
 * which serves as KUBEBUILDER_ASSETS.
 */
async function startWithAudit(
  folder: string,
  auditPath: string,
): ReturnType<typeof startControlPlane> {
  const assets = process.env['KUBEBUILDER_ASSETS'] ?? ''
  const policy = join(folder, 'audit-policy.json')
  writeFileSync(policy, JSON.stringify(auditPolicy))
  const audited = join(folder, 'assets')
  mkdirSync(audited)
  symlinkSync(join(assets, 'etcd'), join(audited, 'etcd'))
  const flags = `--audit-policy-file="${policy}" --audit-log-path="${auditPath}" --audit-log-maxsize=4000`
  const script = `#!/bin/sh\nexec "${join(assets, 'kube-apiserver')}" "$@" ${flags}\n`
  writeFileSync(join(audited, 'kube-apiserver'), script, { mode: 0o755 })
  process.env['KUBEBUILDER_ASSETS'] = audited
  try {
    return await startControlPlane(folder)
  } finally {
    process.env['KUBEBUILDER_ASSETS'] = assets
  }
}

/**
 * A second administrator, whose requests the audit policy logs. Administrators are exempt from
 * priority and fairness.
 */
function issueProgram(folder: string, url: string): string {
  const pki = join(folder, 'pki')
  const openssl = (...args: string[]): void => {
    execFileSync('openssl', args, { cwd: pki, stdio: 'ignore' })
  }
  const subject = `/O=system:masters/CN=${programUser}`
  const request = ['-subj', subject, '-keyout', 'program.key', '-out', 'program.csr']
  openssl('req', '-newkey', 'rsa:2048', '-nodes', ...request)
  writeFileSync(join(pki, 'program.ext'), 'extendedKeyUsage=clientAuth\n')
  const authority = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '30']
  const files = ['-in', 'program.csr', '-extfile', 'program.ext', '-out', 'program.crt']
  openssl('x509', '-req', ...authority, ...files)
  const path = join(folder, 'program.kubeconfig')
  const text = `apiVersion: v1
kind: Config
clusters:
- name: real
  cluster:
    server: ${url}
    certificate-authority: ${pki}/ca.crt
users:
- name: program
  user:
    client-certificate: ${pki}/program.crt
    client-key: ${pki}/program.key
contexts:
- name: real
  context:
    cluster: real
    user: program
current-context: real
`
  writeFileSync(path, text, { mode: 0o600 })
  return path
}
