/**
 * Checks the packages as published: every package is built and packed, the tarballs are installed
 * in an empty folder, every subpath is imported there, and publint and attw check them.
 */
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const packages = await readdir(join(root, 'packages'))

interface Manifest {
  readonly name: string
  readonly version: string
  readonly exports: Readonly<Record<string, unknown>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const compilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  target: 'es2023',
  module: 'nodenext',
  lib: ['es2023'],
  typeRoots: [join(root, 'node_modules', '@types')],
  types: ['node'],
}

const userProgram = `
import * as z from 'zod'
import { defineResource, type InferResource } from 'setpoint'
import { nodeHost, type Host } from 'setpoint/host'
import { Deployment } from 'setpoint/kinds'
import { validateValue } from 'setpoint/schema'
import { assertRoundTrip } from 'setpoint/testing'
import { createCluster } from '@setpoint/cluster'
import { encodeYaml } from '@setpoint/cluster/yaml'

const App = defineResource({
  group: 'example.com', version: 'v1', kind: 'App',
  spec: z.object({ image: z.string(), replicas: z.int32().default(1) }),
  columns: { Image: '.spec.image' },
})
type App = InferResource<typeof App>
export const replicas = (app: App): number => app.spec.replicas
// @ts-expect-error: the types are not any
export const wrong = (app: App): number => app.spec.image
export const host: Host = nodeHost()
export const words = (deployment: Deployment): string => Deployment.progress(deployment)
export const uses = [validateValue, assertRoundTrip, createCluster, encodeYaml]
`

const manifests = new Map<string, Manifest>()
const tarballs = new Map<string, string>()
const unpackedBytes = new Map<string, number>()
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'setpoint-package-'))
  // The same sources are type-checked by `npm run check`; the declarations are checked below.
  await run('npm', ['run', 'build', '--workspaces', '--', '--unchecked'], { cwd: root })
  const pack = ['pack', '--workspaces', '--json', '--pack-destination', folder]
  const { stdout } = await run('npm', pack, { cwd: root, maxBuffer: 64 * 1024 * 1024 })
  const packed = JSON.parse(stdout) as { name: string; filename: string; unpackedSize: number }[]
  for (const name of packages) {
    const file = join(root, 'packages', name, 'package.json')
    const manifest = JSON.parse(await readFile(file, 'utf8')) as Manifest
    const { unpackedSize = 0, filename = '' } =
      packed.find((each) => each.name === manifest.name) ?? {}
    manifests.set(name, manifest)
    unpackedBytes.set(name, unpackedSize)
    tarballs.set(name, join(folder, filename))
  }
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  // The dependencies of the packages are linked from the workspace instead of downloaded: the test
  // needs no network.
  const links = otherPackages().map((name) => join(root, 'node_modules', name))
  const options = ['--offline', '--install-links=false']
  await run('npm', ['install', ...options, ...links, ...tarballs.values()], { cwd: folder })
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

describe.each(packages)('the published package %s', (name) => {
  test('has the version of the other packages', async () => {
    const workspace = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Manifest
    expect(manifests.get(name)?.version).toBe(workspace.version)
  })

  test('can be imported from every subpath', async () => {
    const { name: packageName, exports } = manifests.get(name) as Manifest
    // Modules for vitest load only in vitest.
    const subpaths = Object.keys(exports).filter((subpath) => !/\.json$|^\.\/vitest$/.test(subpath))
    const program = subpaths
      .map((subpath) => `await import(${JSON.stringify(packageName + subpath.slice(1))})`)
      .join('\n')
    await writeFile(join(folder, 'load.mjs'), program)
    await expect(run('node', ['load.mjs'], { cwd: folder })).resolves.toBeDefined()
  })

  test('contains no tests and no test data', async () => {
    const { stdout } = await run('tar', ['-tf', tarballs.get(name) as string])
    const files = stdout.split('\n')
    expect(files.filter((file) => /\.test\.|testdata/.test(file))).toEqual([])
    expect(files).toContain('package/dist/index.js')
    expect(files).toContain('package/LICENSE')
  })

  test('has no findings of publint and attw', async () => {
    const { name: packageName } = manifests.get(name) as Manifest
    const pkgDir = join(folder, 'node_modules', packageName)
    const { messages } = await publint({ pkgDir, strict: true })
    const manifest = JSON.parse(await readFile(join(pkgDir, 'package.json'), 'utf8')) as object
    expect(messages.map((message) => formatMessage(message, manifest))).toEqual([])
    const tarball = await readFile(tarballs.get(name) as string)
    const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)))
    const problems = 'problems' in analysis ? analysis.problems : ['the package has no types']
    // An ESM-only package cannot be required from CommonJS by old compilers; that is intended.
    expect(problems.filter(isUnexpected)).toEqual([])
  })
})

function isUnexpected(problem: unknown): boolean {
  const { kind, resolutionKind } = problem as { kind?: string; resolutionKind?: string }
  if (kind === 'CJSResolvesToESM') return false
  return !(kind === 'NoResolution' && resolutionKind === 'node10')
}

test('a user’s program type-checks strictly, including the declarations', async () => {
  await writeFile(join(folder, 'user.ts'), userProgram)
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['user.ts'] }),
  )
  // The declarations themselves are checked by the faster of the two compilers.
  for (const [compiler, skipLibCheck] of [
    ['typescript-7', 'false'],
    ['typescript', 'true'],
  ] as const) {
    const tsc = join(root, 'node_modules', compiler, 'bin', 'tsc')
    const options = ['--project', folder, '--skipLibCheck', skipLibCheck]
    await expect(run('node', [tsc, ...options])).resolves.toMatchObject({ stdout: '' })
  }
})

test('setpoint unpacks to less than 1.6 MB, a sixth of it the CEL engine', () => {
  expect(unpackedBytes.get('setpoint')).toBeLessThan(1_600_000)
})

test('the installed commands create a project, generate its manifests and build it', async () => {
  const bin = (name: string): string => join(folder, 'node_modules/.bin', name)
  const project = join(folder, 'my-operator')
  const { stdout: version } = await run(bin('setpoint'), ['--version'], { cwd: folder })
  expect(version.trim()).toBe(manifests.get('cli')?.version)
  await run(bin('create-setpoint'), ['my-operator', '--yes', '--no-install'], { cwd: folder })
  await run(bin('setpoint'), ['generate'], { cwd: project })
  await expect(
    run(bin('setpoint'), ['generate', '--check'], { cwd: project }),
  ).resolves.toBeDefined()
  await run(bin('setpoint'), ['build'], { cwd: project })
  expect((await readdir(join(project, 'dist'))).sort()).toEqual([
    'Dockerfile',
    'operator.mjs',
    'operator.mjs.map',
    'sbom.cdx.json',
  ])
})

test('npm run try creates a project anywhere, and npm ci needs only the files of its Dockerfile', async () => {
  const elsewhere = await mkdtemp(join(tmpdir(), 'setpoint-try-'))
  try {
    const script = ['run', 'try', '--', 'my-operator', '--yes', '--no-install']
    const given = [...script, '--packages', relative(elsewhere, folder)]
    await run('npm', ['--prefix', root, ...given], {
      cwd: elsewhere,
      env: { ...process.env, INIT_CWD: elsewhere },
    })
    const project = join(elsewhere, 'my-operator')
    await linkOtherPackages(project)
    const options = ['--offline', '--install-links=false', '--ignore-scripts']
    await run('npm', ['install', ...options], { cwd: project })
    const [build = ''] = (await readFile(join(project, 'Dockerfile'), 'utf8')).split('RUN npm ci')
    const ignored = (await readFile(join(project, '.dockerignore'), 'utf8')).split('\n')
    const image = join(elsewhere, 'image')
    await mkdir(image)
    for (const [, sources = ''] of build.matchAll(/^COPY (.+) \S+$/gm)) {
      for (const name of sources.split(' ').filter((each) => ignored.includes(`!${each}`))) {
        await cp(join(project, name), join(image, name), { recursive: true })
      }
    }
    await rm(project, { recursive: true })
    await run('npm', ['ci', ...options], { cwd: image })
    const { stdout } = await run(join(image, 'node_modules/.bin/setpoint'), ['--version'])
    expect(stdout.trim()).toBe(manifests.get('cli')?.version)
  } finally {
    await rm(elsewhere, { recursive: true, force: true })
  }
})

/** All dependencies and peers of our packages that are packages of others. */
function otherPackages(): string[] {
  const needed = [...manifests.values()].flatMap(({ dependencies, peerDependencies }) =>
    Object.keys({ ...dependencies, ...peerDependencies }),
  )
  const own = new Set([...manifests.values()].map(({ name }) => name))
  return [...new Set(needed)].filter((name) => !own.has(name))
}

/** Replaces the packages of others by links to the workspace: the test needs no network. */
async function linkOtherPackages(project: string): Promise<void> {
  const path = join(project, 'package.json')
  const manifest = JSON.parse(await readFile(path, 'utf8')) as Readonly<
    Record<'dependencies' | 'devDependencies', Record<string, string>>
  >
  const dependencies = { ...manifest.dependencies, ...manifest.devDependencies }
  for (const name of new Set([...Object.keys(dependencies), ...otherPackages()])) {
    if (dependencies[name]?.startsWith('file:') === true) continue
    dependencies[name] = join(root, 'node_modules', name)
  }
  await writeFile(path, JSON.stringify({ ...manifest, dependencies, devDependencies: {} }))
}

test('create-setpoint has no dependencies', () => {
  expect(manifests.get('create-setpoint')?.dependencies ?? {}).toEqual({})
  expect(unpackedBytes.get('create-setpoint')).toBeLessThan(400_000)
})
