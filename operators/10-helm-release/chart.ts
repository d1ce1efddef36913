import { readdir, readFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { parse } from 'yaml'
import * as z from 'zod'
import type { Client } from 'setpoint/client'
import { Secret } from 'setpoint/kinds'
import { type ChartVersion, sha256 } from './digest.ts'
import type { Helm } from './helm.ts'
import type { Spec } from './helm-release.ts'

/** A chart that helm can release: an archive in the workspace, or a folder. */
export interface Chart extends ChartVersion {
  readonly path: string
  /** The digest of its content. */
  readonly digest: string
}

/** Gets the chart of a release: the newest version in the range, or the folder as it is. */
export async function chartOf(
  helm: Helm,
  { chart }: Spec,
  credentials: Credentials | undefined,
): Promise<Chart> {
  if (chart.path !== undefined) {
    const path = resolve(process.env['CHARTS_DIR'] ?? 'charts', chart.path)
    return { path, ...(await aboutChart(helm, path)), digest: await folderDigest(path) }
  }
  const range = ['--version', chart.version]
  if (chart.oci !== undefined) {
    await helm.workspace.write('registry.json', registryConfig(chart.oci, credentials))
    await helm.run('pull', chart.oci, ...range, ...(chart.plainHttp ? ['--plain-http'] : []))
  } else {
    const repository = { name: 'source', url: chart.repository, ...credentials }
    const config = { apiVersion: '', repositories: [repository] }
    await helm.workspace.write('repositories.yaml', JSON.stringify(config))
    await helm.run('repo', 'update', 'source', '--fail-on-repo-update-fail')
    await helm.run('pull', `source/${chart.name ?? ''}`, ...range)
  }
  const archives = (await helm.workspace.list()).filter((name) => name.endsWith('.tgz'))
  const [file = ''] = archives
  const path = `${helm.workspace.path}/${file}`
  const digest = sha256(await helm.workspace.read(file))
  return { path, ...(await aboutChart(helm, path)), digest }
}

/** A user of a repository or registry. */
interface Credentials {
  readonly username: string
  readonly password: string
}

/** The credentials of the Secret that the spec names. */
export async function credentialsOf(
  { chart: { credentials } }: Spec,
  client: Client,
  { namespace, signal }: { readonly namespace: string; readonly signal: AbortSignal },
): Promise<Credentials | undefined> {
  if (credentials === undefined) return undefined
  const { name } = credentials
  const { data = {} } = (await client.find(Secret, { name, namespace }, { signal })) ?? {}
  const [username, password] = [data['username'], data['password']]
  if (username === undefined || password === undefined) {
    throw new Error(`Secret ${namespace}/${name} with username and password does not exist`)
  }
  const decoded = (text: string): string => Buffer.from(text, 'base64').toString()
  return { username: decoded(username), password: decoded(password) }
}

function registryConfig(oci: string, credentials: Credentials | undefined): string {
  if (credentials === undefined) return '{}'
  const { username, password } = credentials
  const auth = Buffer.from(`${username}:${password}`).toString('base64')
  return JSON.stringify({ auths: { [new URL(oci).host]: { auth } } })
}

const about = z.object({ name: z.string(), version: z.string() })

async function aboutChart(helm: Helm, path: string): Promise<ChartVersion> {
  return about.parse(parse(await helm.run('show', 'chart', path), { schema: 'failsafe' }))
}

/** The digest of all files of a folder. */
async function folderDigest(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  const contents = await Promise.all(
    files.map(async (file) => `${relative(folder, file)} ${sha256(await readFile(file))}`),
  )
  return sha256(contents.join('\n'))
}
