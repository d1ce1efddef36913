import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import { existsSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { nodeHost, openWorkspace } from 'setpoint/host'
import { chartOf } from './chart.ts'
import { releaseDigest } from './digest.ts'
import { Helm, HelmMissingError } from './helm.ts'
import { HelmRelease, type Spec } from './helm-release.ts'

const host = nodeHost({ log: () => undefined })
const program = process.env['HELM_BIN'] ?? 'helm'
const isInstalled =
  existsSync(program) ||
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))

/** The names of skipped tests say what is missing: helm. */
const needsHelm = { skip: !isInstalled }

const web = join(import.meta.dirname, 'charts/web')
const sha256 = (data: string | Uint8Array): string =>
  `sha256:${createHash('sha256').update(data).digest('hex')}`

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function openHelm(): Promise<Helm> {
  const workspace = await openWorkspace(host)
  onTestFinished(async () => workspace[Symbol.asyncDispose]())
  return Helm.in(workspace, '{}')
}

/** The archive of the chart in a version. */
async function archiveOf(version: string): Promise<Uint8Array> {
  const helm = await openHelm()
  await helm.run('package', web, '--version', version)
  return helm.workspace.read(`web-${version}.tgz`)
}

function specOf(chart: object): Spec {
  const manifest = { metadata: { name: 'a', namespace: 'b' }, spec: { chart } }
  return HelmRelease.parse(manifest).spec
}

const user = { username: 'ann', password: 'pass-word' }
const authorization = `Basic ${btoa('ann:pass-word')}`

test('a range chooses the newest version of an HTTP repository', needsHelm, async () => {
  const versions = ['1.0.0', '1.4.0', '2.0.0']
  const archives = new Map<string, Uint8Array>()
  for (const version of versions) archives.set(`/web-${version}.tgz`, await archiveOf(version))
  const address = await serve((request, response) => {
    if (request.headers.authorization !== authorization) response.writeHead(401).end()
    else if (request.url === '/index.yaml') {
      const web = versions.map((version) => ({
        apiVersion: 'v2',
        name: 'web',
        version,
        urls: [`web-${version}.tgz`],
      }))
      response.end(JSON.stringify({ apiVersion: 'v1', entries: { web } }))
    } else response.end(archives.get(request.url ?? ''))
  })
  const spec = specOf({ repository: `http://${address}`, name: 'web', version: '^1.0' })
  const chart = await chartOf(await openHelm(), spec, user)
  expect(chart.version).toBe('1.4.0')
  await expect(chartOf(await openHelm(), spec, undefined)).rejects.toThrow('401')
})

test('a range chooses the newest version of an OCI registry', needsHelm, async () => {
  const archive = await archiveOf('1.4.0')
  const config = JSON.stringify({ name: 'web', version: '1.4.0', apiVersion: 'v2' })
  const layer = (mediaType: string, data: string | Uint8Array) => ({
    mediaType,
    digest: sha256(data),
    size: data.length,
  })
  const manifest = JSON.stringify({
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config: layer('application/vnd.cncf.helm.config.v1+json', config),
    layers: [layer('application/vnd.cncf.helm.chart.content.v1.tar+gzip', archive)],
  })
  const contents = new Map<string, string | Uint8Array>([
    [`/v2/team/web/blobs/${sha256(archive)}`, archive],
    [`/v2/team/web/blobs/${sha256(config)}`, config],
    [`/v2/team/web/manifests/${sha256(manifest)}`, manifest],
    ['/v2/team/web/manifests/1.4.0', manifest],
    ['/v2/team/web/tags/list', JSON.stringify({ name: 'team/web', tags: ['1.4.0', '2.0.0'] })],
  ])
  const address = await serve((request, response) => {
    const content = contents.get((request.url ?? '').replace(/\?.*/, ''))
    if (request.headers.authorization !== authorization) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="charts"' }).end()
    } else if (content === undefined) response.writeHead(404).end()
    else {
      response.setHeader('docker-content-digest', sha256(content))
      response.setHeader('content-type', 'application/vnd.oci.image.manifest.v1+json')
      response.setHeader('content-length', content.length)
      response.end(request.method === 'HEAD' ? undefined : content)
    }
  })
  const spec = specOf({ oci: `oci://${address}/team/web`, version: '^1.0', plainHttp: true })
  expect(await chartOf(await openHelm(), spec, user)).toMatchObject({ version: '1.4.0' })
})

test('the digest of a folder changes with its files, not with its place', needsHelm, async () => {
  const helm = await openHelm()
  const text = await readFile(join(web, 'Chart.yaml'), 'utf8')
  process.env['CHARTS_DIR'] = join(import.meta.dirname, 'charts')
  const chart = await chartOf(helm, specOf({ path: 'web' }), undefined)
  expect(text).toContain(chart.version)
  expect(releaseDigest(chart, { a: 1, b: 2 })).toBe(releaseDigest(chart, { b: 2, a: 1 }))
  expect(releaseDigest(chart, { a: 1 })).not.toBe(releaseDigest(chart, { a: 2 }))
})

test('without helm the error says how to get it', async () => {
  process.env['HELM_BIN'] = '/no/such/helm'
  onTestFinished(() => {
    if (program === 'helm') delete process.env['HELM_BIN']
    else process.env['HELM_BIN'] = program
  })
  const missing = (await openHelm()).run('version')
  await expect(missing).rejects.toThrow(HelmMissingError)
  await expect(missing).rejects.toThrow('helm is not installed: install Helm 3')
})
